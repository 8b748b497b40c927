#include "core/codegen/integer_division.h"

#include <bit>
#include <optional>

namespace qd {

namespace {

std::optional<int64_t> constant_value(Value v) {
  if (LLVMIsAConstantInt(v) == nullptr) return std::nullopt;
  return LLVMConstIntGetSExtValue(v);
}

bool is_power_of_two(std::optional<int64_t> y) { return y && *y > 0 && std::has_single_bit(static_cast<uint64_t>(*y)); }

// The divisor with -1 replaced by 1, so that no operands trap; a constant needs no test.
struct SafeDivisor {
  Value divisor;
  Value was_minus_one;  // null: it cannot be
};
SafeDivisor safe_divisor(const IrBuilder& ir, Value y) {
  if (LLVMIsAConstantInt(y) != nullptr) return {y, nullptr};
  LLVMTypeRef type = LLVMTypeOf(y);
  Value minus_one = ir.compare(LLVMIntEQ, y, LLVMConstAllOnes(type));
  return {ir.select(minus_one, ir.constant(type, 1), y), minus_one};
}

}  // namespace

Value emit_div(const IrBuilder& ir, const Type* type, Value x, Value y) {
  if (!type->is_signed()) return LLVMBuildUDiv(ir.get(), x, y, "");
  if (constant_value(y) == -1) return LLVMBuildNeg(ir.get(), x, "");
  const SafeDivisor safe = safe_divisor(ir, y);
  Value quotient = LLVMBuildSDiv(ir.get(), x, safe.divisor, "");
  if (safe.was_minus_one == nullptr) return quotient;
  return ir.select(safe.was_minus_one, LLVMBuildNeg(ir.get(), x, ""), quotient);
}

Value emit_rem(const IrBuilder& ir, const Type* type, Value x, Value y) {
  if (!type->is_signed()) return LLVMBuildURem(ir.get(), x, y, "");
  if (constant_value(y) == -1) return LLVMConstNull(LLVMTypeOf(x));
  return LLVMBuildSRem(ir.get(), x, safe_divisor(ir, y).divisor, "");
}

Value emit_floor_div(const IrBuilder& ir, const Type* type, Value x, Value y) {
  LLVMBuilderRef b = ir.get();
  if (!type->is_signed()) return emit_div(ir, type, x, y);
  LLVMTypeRef llvm_type = LLVMTypeOf(x);
  if (const auto c = constant_value(y); is_power_of_two(c)) {
    const auto bits = static_cast<uint64_t>(std::countr_zero(static_cast<uint64_t>(*c)));
    return LLVMBuildAShr(b, x, ir.constant(llvm_type, bits), "");
  }
  Value quotient = emit_div(ir, type, x, y);
  // x - q*y wraps to the remainder whatever the operands, MinInt / -1 included.
  Value remainder = LLVMBuildSub(b, x, LLVMBuildMul(b, quotient, y, ""), "");
  Value inexact = ir.compare(LLVMIntNE, remainder, LLVMConstNull(llvm_type));
  Value signs_differ = ir.negative(LLVMBuildXor(b, remainder, y, ""));
  Value correction = LLVMBuildSExt(b, LLVMBuildAnd(b, inexact, signs_differ, ""), llvm_type, "");
  return LLVMBuildAdd(b, quotient, correction, "");
}

Value emit_floor_mod(const IrBuilder& ir, const Type* type, Value x, Value y) {
  LLVMBuilderRef b = ir.get();
  if (!type->is_signed()) return emit_rem(ir, type, x, y);
  LLVMTypeRef llvm_type = LLVMTypeOf(x);
  if (const auto c = constant_value(y); is_power_of_two(c)) {
    return LLVMBuildAnd(b, x, ir.constant(llvm_type, static_cast<uint64_t>(*c - 1)), "");
  }
  Value remainder = emit_rem(ir, type, x, y);
  Value nonzero = ir.compare(LLVMIntNE, remainder, LLVMConstNull(llvm_type));
  Value signs_differ = ir.negative(LLVMBuildXor(b, remainder, y, ""));
  Value adjust = LLVMBuildAnd(b, nonzero, signs_differ, "");
  return ir.select(adjust, LLVMBuildAdd(b, remainder, y, ""), remainder);
}

}  // namespace qd
