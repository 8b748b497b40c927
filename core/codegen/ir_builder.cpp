#include "core/codegen/ir_builder.h"

#include <bit>
#include <cstring>
#include <string_view>

#include "core/ir/error.h"

namespace qd {

IrBuilder::IrBuilder(const std::string& module_name, bool fast_math)
    : context_(LLVMContextCreate()),
      module_(LLVMModuleCreateWithNameInContext(module_name.c_str(), context_.get())),
      builder_(LLVMCreateBuilderInContext(context_.get())),
      fast_math_(fast_math) {}

void IrBuilder::abandon() {
  (void)builder_.release();
  (void)module_.release();
  (void)context_.release();
}

LLVMTypeRef IrBuilder::value_type(const Type* type) const {
  if (type->is_pointer()) return pointer();
  switch (type->primitive) {
    case Primitive::f16:
      return LLVMHalfTypeInContext(context());
    case Primitive::f32:
      return LLVMFloatTypeInContext(context());
    case Primitive::f64:
      return LLVMDoubleTypeInContext(context());
    case Primitive::none:
      throw Error(Code::internal, "codegen: a value of type " + to_string(type) + " does not fit a register");
    default:
      return int_type(type->bits());
  }
}

LLVMTypeRef IrBuilder::memory_type(const Type* type) const {
  if (type->is_aggregate()) return LLVMArrayType2(int_type(8), static_cast<uint64_t>(type->size));
  return type->is_bool() ? int_type(8) : value_type(type);
}

Value IrBuilder::scalar_constant(const Type* type, uint64_t bits) const {
  LLVMTypeRef llvm_type = value_type(type);
  return type->is_float() ? LLVMConstReal(llvm_type, std::bit_cast<double>(bits)) : constant(llvm_type, bits);
}

Value IrBuilder::with_freedom(Value value, FloatFreedom freedom) const {
  LLVMFastMathFlags flags = 0;
  if (freedom.contract) flags |= LLVMFastMathAllowContract;
  if (freedom.reassociate) flags |= LLVMFastMathAllowReassoc;
  if (fast_math_) {
    flags |= LLVMFastMathAllowReassoc | LLVMFastMathNoSignedZeros | LLVMFastMathAllowReciprocal |
             LLVMFastMathAllowContract | LLVMFastMathApproxFunc;
  }
  if (flags != 0 && LLVMIsAInstruction(value) != nullptr && LLVMCanValueUseFastMathFlags(value) != 0) {
    LLVMSetFastMathFlags(value, flags);
  }
  return value;
}

Value IrBuilder::intrinsic(const char* name, std::initializer_list<LLVMTypeRef> overloads,
                           std::vector<Value> arguments) const {
  const unsigned id = LLVMLookupIntrinsicID(name, std::strlen(name));
  if (id == 0) throw Error(Code::internal, std::string("codegen: this LLVM has no intrinsic ") + name);
  std::vector<LLVMTypeRef> types(overloads);
  Value function = LLVMGetIntrinsicDeclaration(module(), id, types.data(), types.size());
  return call(function, std::move(arguments));
}

// As a bundle: of a test of the address's bits LLVM drops those that it takes to be known.
void IrBuilder::assume_aligned(Value pointer, int64_t bytes) const {
  static constexpr std::string_view kAssume = "llvm.assume", kAlign = "align";
  const unsigned id = LLVMLookupIntrinsicID(kAssume.data(), kAssume.size());
  Value function = LLVMGetIntrinsicDeclaration(module(), id, nullptr, 0);
  Value facts[] = {pointer, constant_i64(bytes)};
  LLVMOperandBundleRef bundle = LLVMCreateOperandBundle(kAlign.data(), kAlign.size(), facts, 2);
  Value yes = constant(int_type(1), 1);
  LLVMBuildCallWithOperandBundles(get(), LLVMGlobalGetValueType(function), function, &yes, 1, &bundle, 1, "");
  LLVMDisposeOperandBundle(bundle);
}

Value IrBuilder::call_pure(const char* name, LLVMTypeRef result, std::vector<Value> arguments) const {
  Value function = LLVMGetNamedFunction(module(), name);
  if (function == nullptr) {
    std::vector<LLVMTypeRef> parameters;
    for (Value argument : arguments) parameters.push_back(LLVMTypeOf(argument));
    function = add_function(name, result, std::move(parameters));
    for (const char* fact : {"nounwind", "willreturn", "nofree", "nosync", "nocallback", "memory"}) {
      attribute(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), fact);
    }
  }
  return call(function, std::move(arguments));
}

Value IrBuilder::call(Value function, std::vector<Value> arguments) const {
  return LLVMBuildCall2(get(), LLVMGlobalGetValueType(function), function, arguments.data(),
                        static_cast<unsigned>(arguments.size()), "");
}

Value IrBuilder::byte_offset(Value base, Value bytes) const {
  return LLVMBuildInBoundsGEP2(get(), int_type(8), base, &bytes, 1, "");
}

Value IrBuilder::byte_offset(Value base, int64_t bytes) const {
  return bytes == 0 ? base : byte_offset(base, constant_i64(bytes));
}

Value IrBuilder::load_memory(const Type* type, Value pointer) const {
  Value instruction = LLVMBuildLoad2(get(), memory_type(type), pointer, "");
  LLVMSetAlignment(instruction, static_cast<unsigned>(type->align));
  return instruction;
}

Value IrBuilder::store(const Type* type, Value value, Value pointer) const {
  Value instruction = LLVMBuildStore(get(), to_memory(type, value), pointer);
  LLVMSetAlignment(instruction, static_cast<unsigned>(type->align));
  return instruction;
}

Value IrBuilder::load_pointer(Value from, unsigned address_space) const {
  Value loaded = LLVMBuildLoad2(get(), LLVMPointerTypeInContext(context(), address_space), from, "");
  LLVMSetAlignment(loaded, 8);
  return address_space == 0 ? loaded : LLVMBuildAddrSpaceCast(get(), loaded, pointer(), "");
}

Value IrBuilder::to_memory(const Type* type, Value value) const {
  return type->is_bool() ? LLVMBuildZExt(get(), value, int_type(8), "") : value;
}

Value IrBuilder::from_memory(const Type* type, Value value) const {
  return type->is_bool() ? compare(LLVMIntNE, value, LLVMConstNull(int_type(8))) : value;
}

LLVMBasicBlockRef IrBuilder::new_block(const char* name) const {
  return LLVMAppendBasicBlockInContext(context(), current_function(), name);
}

void IrBuilder::jump(LLVMBasicBlockRef block) const {
  if (!terminated()) LLVMBuildBr(get(), block);
}

void IrBuilder::branch_likely(Value condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no) const {
  Value instruction = branch(condition, yes, no);
  static constexpr const char kKind[] = "prof";
  static constexpr const char kWeights[] = "branch_weights";
  LLVMMetadataRef operands[] = {
      LLVMMDStringInContext2(context(), kWeights, sizeof kWeights - 1),
      LLVMValueAsMetadata(constant(int_type(32), (1u << 20) - 1)),
      LLVMValueAsMetadata(constant(int_type(32), 1)),
  };
  LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(context(), kKind, sizeof kKind - 1),
                  LLVMMetadataAsValue(context(), LLVMMDNodeInContext2(context(), operands, 3)));
}

Value IrBuilder::add_function(const char* name, LLVMTypeRef result, std::vector<LLVMTypeRef> parameters) const {
  LLVMTypeRef type = LLVMFunctionType(result, parameters.data(), static_cast<unsigned>(parameters.size()), false);
  return LLVMAddFunction(module(), name, type);
}

void IrBuilder::attribute(Value function, unsigned index, const char* name, uint64_t value) const {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, std::strlen(name));
  if (kind == 0) throw Error(Code::internal, std::string("codegen: this LLVM has no attribute ") + name);
  LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(context(), kind, value));
}

}  // namespace qd
