#include "core/codegen/cpu/host_target.h"

#include <llvm-c/Transforms/PassBuilder.h>

#include "core/codegen/llvm_errors.h"
#include "core/ir/error.h"

namespace qd {

namespace {

HostTarget detect_host() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  return {take_message(LLVMGetDefaultTargetTriple()), take_message(LLVMGetHostCPUName()),
          take_message(LLVMGetHostCPUFeatures())};
}

using PassOptions = LlvmOwner<LLVMPassBuilderOptionsRef, LLVMDisposePassBuilderOptions>;

}  // namespace

const HostTarget& host_target() {
  static const HostTarget host = detect_host();
  return host;
}

LlvmTargetMachine create_host_machine() {
  const HostTarget& host = host_target();
  LLVMTargetRef target = nullptr;
  char* message = nullptr;
  if (LLVMGetTargetFromTriple(host.triple.c_str(), &target, &message) != 0) {
    throw Error(Code::unsupported, "this LLVM has no code generator for " + host.triple + ": " + take_message(message));
  }
  LlvmTargetMachine machine(LLVMCreateTargetMachine(target, host.triple.c_str(), host.cpu.c_str(),
                                                    host.features.c_str(), LLVMCodeGenLevelAggressive, LLVMRelocPIC,
                                                    LLVMCodeModelSmall));
  if (!machine) throw Error(Code::unsupported, "this LLVM cannot generate code for the CPU " + host.cpu);
  return machine;
}

void set_target(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMSetTarget(module, host_target().triple.c_str());
  const LlvmTargetData layout(LLVMCreateTargetDataLayout(machine));
  LLVMSetModuleDataLayout(module, layout.get());
}

void verify_module(LLVMModuleRef module, const char* stage) {
  char* message = nullptr;
  const bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message) != 0;
  const std::string text = take_message(message);
  if (broken) throw Error(Code::internal, std::string("LLVM IR is not valid after ") + stage + ": " + text);
}

void optimize(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  const PassOptions options(LLVMCreatePassBuilderOptions());
  LLVMPassBuilderOptionsSetLoopVectorization(options.get(), true);
  LLVMPassBuilderOptionsSetSLPVectorization(options.get(), true);
  LLVMPassBuilderOptionsSetLoopInterleaving(options.get(), true);
  LLVMPassBuilderOptionsSetLoopUnrolling(options.get(), true);
  throw_if_failed(LLVMRunPasses(module, "default<O3>", machine, options.get()), "LLVM's optimiser");
}

LlvmBuffer emit_code(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind) {
  LLVMMemoryBufferRef buffer = nullptr;
  char* message = nullptr;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, kind, &message, &buffer) != 0) {
    throw Error(Code::internal, "LLVM's code generator: " + take_message(message));
  }
  return LlvmBuffer(buffer);
}

CodegenInfo codegen_info() {
  const HostTarget& host = host_target();
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return {std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch), host.cpu, host.features};
}

}  // namespace qd
