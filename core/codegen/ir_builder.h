// One LLVM module under construction: types, constants and instructions, without knowledge of statements.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/codegen/llvm_handles.h"
#include "core/ir/type.h"

namespace qd {

using Value = LLVMValueRef;

// Freedoms that the source grants one floating-point operation.
struct FloatFreedom {
  bool contract = false;
  bool reassociate = false;
};

class IrBuilder {
 public:
  // fast_math: every operation may be reassociated, approximated and fused; NaN and infinity keep their meaning.
  IrBuilder(const std::string& module_name, bool fast_math);

  LLVMContextRef context() const { return context_.get(); }
  LLVMModuleRef module() const { return module_.get(); }
  LLVMBuilderRef get() const { return builder_.get(); }
  // Gives up the module and context without freeing them; see LlvmFatalError.
  void abandon();

  // ---- types
  LLVMTypeRef int_type(int bits) const { return LLVMIntTypeInContext(context_.get(), static_cast<unsigned>(bits)); }
  LLVMTypeRef i64() const { return int_type(64); }
  LLVMTypeRef pointer() const { return LLVMPointerTypeInContext(context_.get(), 0); }
  LLVMTypeRef void_type() const { return LLVMVoidTypeInContext(context_.get()); }
  // Of a value in a register: i1 for u1, pointers for pointers. Scalars and pointers only.
  LLVMTypeRef value_type(const Type* type) const;
  // Of a value in memory: i8 for u1, an array of bytes for an aggregate.
  LLVMTypeRef memory_type(const Type* type) const;
  // The integer as wide as a scalar in memory.
  LLVMTypeRef bits_type(const Type* type) const { return int_type(static_cast<int>(8 * type->size)); }

  // ---- constants
  Value constant(LLVMTypeRef type, uint64_t value) const { return LLVMConstInt(type, value, false); }
  Value constant_i64(int64_t value) const { return constant(i64(), static_cast<uint64_t>(value)); }
  Value constant_float(LLVMTypeRef type, double value) const { return LLVMConstReal(type, value); }
  // A ConstantStmt's bits as a value of the scalar type.
  Value scalar_constant(const Type* type, uint64_t bits) const;

  // ---- instructions
  // The freedoms are put on the value if it is an instruction that takes them; the value is returned.
  Value with_freedom(Value value, FloatFreedom freedom) const;
  // Calls an intrinsic overloaded on the types given.
  Value intrinsic(const char* name, std::initializer_list<LLVMTypeRef> overloads, std::vector<Value> arguments) const;
  // Calls a function outside the module that only computes: no memory, no unwinding.
  Value call_pure(const char* name, LLVMTypeRef result, std::vector<Value> arguments) const;
  Value call(Value function, std::vector<Value> arguments) const;
  Value compare(LLVMIntPredicate predicate, Value x, Value y) const {
    return LLVMBuildICmp(builder_.get(), predicate, x, y, "");
  }
  Value compare(LLVMRealPredicate predicate, Value x, Value y) const {
    return LLVMBuildFCmp(builder_.get(), predicate, x, y, "");
  }
  Value select(Value condition, Value x, Value y) const { return LLVMBuildSelect(builder_.get(), condition, x, y, ""); }
  Value negative(Value x) const { return compare(LLVMIntSLT, x, LLVMConstNull(LLVMTypeOf(x))); }
  Value add_nsw(Value x, Value y) const { return LLVMBuildNSWAdd(builder_.get(), x, y, ""); }
  Value sub_nsw(Value x, Value y) const { return LLVMBuildNSWSub(builder_.get(), x, y, ""); }
  void assume(Value condition) const { intrinsic("llvm.assume", {}, {condition}); }
  // The pointer is a multiple of `bytes`.
  void assume_aligned(Value pointer, int64_t bytes) const;

  // ---- memory
  // base + bytes, within one object.
  Value byte_offset(Value base, Value bytes) const;
  Value byte_offset(Value base, int64_t bytes) const;
  // A scalar of the type at the pointer.
  Value load(const Type* type, Value pointer) const { return from_memory(type, load_memory(type, pointer)); }
  // Yields the instruction.
  Value store(const Type* type, Value value, Value pointer) const;
  // The load instruction itself, whose value has the memory form.
  Value load_memory(const Type* type, Value pointer) const;
  // A pointer, which points into the address space given, read from memory.
  Value load_pointer(Value from, unsigned address_space) const;
  // Between the register and the memory form; they differ for u1 only.
  Value to_memory(const Type* type, Value value) const;
  Value from_memory(const Type* type, Value value) const;

  // ---- control flow
  LLVMBasicBlockRef new_block(const char* name) const;
  LLVMBasicBlockRef current_block() const { return LLVMGetInsertBlock(builder_.get()); }
  Value current_function() const { return LLVMGetBasicBlockParent(current_block()); }
  void enter(LLVMBasicBlockRef block) const { LLVMPositionBuilderAtEnd(builder_.get(), block); }
  bool terminated() const { return LLVMGetBasicBlockTerminator(current_block()) != nullptr; }
  // A branch to the block unless the current one has ended.
  void jump(LLVMBasicBlockRef block) const;
  Value branch(Value condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no) const {
    return LLVMBuildCondBr(builder_.get(), condition, yes, no);
  }
  // As branch; `yes` is expected.
  void branch_likely(Value condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no) const;
  Value phi(LLVMTypeRef type) const { return LLVMBuildPhi(builder_.get(), type, ""); }
  static void add_incoming(Value phi, Value value, LLVMBasicBlockRef from) { LLVMAddIncoming(phi, &value, &from, 1); }

  // ---- functions
  Value add_function(const char* name, LLVMTypeRef result, std::vector<LLVMTypeRef> parameters) const;
  // index: LLVMAttributeFunctionIndex, or 1 + the parameter's.
  void attribute(Value function, unsigned index, const char* name, uint64_t value = 0) const;

 private:
  LlvmContext context_;
  LlvmModule module_;
  LlvmBuilder builder_;
  bool fast_math_;
};

}  // namespace qd
