#include "core/codegen/cuda/device_math.h"

#include <llvm-c/BitReader.h>

#include <vector>

#include "core/codegen/arithmetic.h"
#include "core/ir/error.h"

namespace qd {

namespace {

template <class F>
void for_each_instruction(LLVMModuleRef module, F f) {
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    for (auto* block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      for (Value at = LLVMGetFirstInstruction(block), next = nullptr; at; at = next) {
        next = LLVMGetNextInstruction(at);
        f(at);
      }
    }
  }
}

// LLVM's own expansion of a remainder, x - trunc(x / y) * y, is exact for small quotients only.
void call_remainder(const IrBuilder& ir) {
  for_each_instruction(ir.module(), [&](Value instruction) {
    if (LLVMGetInstructionOpcode(instruction) != LLVMFRem) return;
    LLVMPositionBuilderBefore(ir.get(), instruction);
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(instruction));
    const Type* type = scalar_type(kind == LLVMDoubleTypeKind  ? Primitive::f64
                                   : kind == LLVMFloatTypeKind ? Primitive::f32
                                                               : Primitive::f16);
    Value result = emit_libm(ir, "fmod", type, {LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1)});
    LLVMReplaceAllUsesWith(instruction, result);
    LLVMInstructionEraseFromParent(instruction);
  });
}

std::string name_of(Value function) {
  size_t length = 0;
  const char* name = LLVMGetValueName2(function, &length);
  return {name, length};
}

// Functions declared and called, not LLVM's own.
std::vector<Value> missing_functions(LLVMModuleRef module) {
  std::vector<Value> missing;
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    const bool declared = LLVMIsDeclaration(function) != 0 && LLVMGetIntrinsicID(function) == 0;
    if (declared && LLVMGetFirstUse(function) != nullptr) missing.push_back(function);
  }
  return missing;
}

// "sinf" as OpenCL C's sin(float), in the Itanium mangling: _Z3sinf.
std::string opencl_name(Value function, const std::string& name) {
  const bool single = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) == LLVMFloatTypeKind;
  const std::string base = single ? name.substr(0, name.size() - 1) : name;
  std::string mangled = "_Z" + std::to_string(base.size()) + base;
  mangled.append(LLVMCountParams(function), single ? 'f' : 'd');
  return mangled;
}

LLVMModuleRef read_bitcode(const IrBuilder& ir, std::string_view bytes, const char* name) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.data(), bytes.size(), name);
  LLVMModuleRef library = nullptr;
  // Reads functions as they are needed; the module takes the buffer, the failed call does not.
  if (LLVMGetBitcodeModuleInContext2(ir.context(), buffer, &library) != 0) {
    LLVMDisposeMemoryBuffer(buffer);
    throw Error(Code::unsupported, std::string(name) + " cannot be read by this LLVM: it is damaged, or newer");
  }
  LLVMSetTarget(library, LLVMGetTarget(ir.module()));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(ir.module()));
  return library;
}

// So that what was inlined everywhere goes.
void make_internal(LLVMModuleRef module) {
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    const bool kernel = LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv;
    if (LLVMIsDeclaration(function) == 0 && !kernel) LLVMSetLinkage(function, LLVMInternalLinkage);
  }
  for (Value global = LLVMGetFirstGlobal(module); global; global = LLVMGetNextGlobal(global)) {
    if (LLVMIsDeclaration(global) == 0) LLVMSetLinkage(global, LLVMInternalLinkage);
  }
}

}  // namespace

std::string link_device_math(const IrBuilder& ir, const CudaTarget& target) {
  call_remainder(ir);
  const std::vector<Value> missing = missing_functions(ir.module());
  if (missing.empty()) return "";
  const bool libdevice = !target.libdevice.empty();
  if (!libdevice && target.libclc.empty()) {
    throw Error(Code::unsupported, "the kernel needs " + name_of(missing[0]) +
                                       ", and no library of device functions was found: install libclc-22, or a CUDA "
                                       "toolkit for its libdevice");
  }
  for (Value function : missing) {
    const std::string name = name_of(function);
    const std::string there = libdevice ? "__nv_" + name : opencl_name(function, name);
    LLVMSetValueName2(function, there.data(), there.size());
  }
  const char* library_name = libdevice ? "libdevice" : "libclc";
  LLVMModuleRef library = read_bitcode(ir, libdevice ? target.libdevice : target.libclc, library_name);
  if (!link_needed(ir.module(), library)) {
    throw Error(Code::unsupported, std::string(library_name) + " does not link with this LLVM");
  }
  for (Value function : missing_functions(ir.module())) {
    const std::string name = name_of(function);
    if (name != "__nvvm_reflect") throw Error(Code::unsupported, std::string(library_name) + " lacks " + name);
  }
  make_internal(ir.module());
  // What libdevice asks of __nvvm_reflect: subnormal numbers are kept, as on the CPU.
  static constexpr std::string_view kFlush = "nvvm-reflect-ftz";
  LLVMAddModuleFlag(ir.module(), LLVMModuleFlagBehaviorOverride, kFlush.data(), kFlush.size(),
                    LLVMValueAsMetadata(LLVMConstNull(ir.int_type(32))));
  return library_name;
}

}  // namespace qd
