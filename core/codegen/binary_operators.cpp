#include <string>

#include "core/codegen/arithmetic.h"
#include "core/codegen/integer_division.h"
#include "core/ir/error.h"

namespace qd {

namespace {

[[noreturn]] void refuse(BinaryOp op, const Type* type) {
  throw Error(Code::internal,
              "codegen: the operator " + std::string(to_string(op)) + " takes no values of type " + to_string(type));
}

Value shift(const IrBuilder& ir, BinaryOp op, const Type* type, Value x, Value y, const Type* count) {
  LLVMTypeRef result = LLVMTypeOf(x);
  const auto width = static_cast<unsigned>(type->bits());
  const bool sign_fills = op == BinaryOp::shr && type->is_signed();
  LLVMTypeRef count_type = LLVMTypeOf(y);
  const auto count_bits = static_cast<unsigned>(count->bits());
  // The count is not negative, so its bits read as an unsigned number.
  Value in_range = ir.compare(LLVMIntULT, y, ir.constant(count_type, width));
  auto resize = [&](Value v) {
    if (count_bits == width) return v;
    return count_bits < width ? LLVMBuildZExt(ir.get(), v, result, "") : LLVMBuildTrunc(ir.get(), v, result, "");
  };
  if (sign_fills) {
    Value amount = ir.select(in_range, y, ir.constant(count_type, width - 1));
    return LLVMBuildAShr(ir.get(), x, resize(amount), "");
  }
  // The amount is brought into range first: a shift by too much has no defined bits even where they are not used.
  Value amount = resize(ir.select(in_range, y, LLVMConstNull(count_type)));
  Value shifted = op == BinaryOp::shl ? LLVMBuildShl(ir.get(), x, amount, "") : LLVMBuildLShr(ir.get(), x, amount, "");
  return ir.select(in_range, shifted, LLVMConstNull(result));
}

Value mul_high(const IrBuilder& ir, const Type* type, Value x, Value y) {
  const int width = type->bits();
  LLVMTypeRef wide = ir.int_type(2 * width);
  auto extend = [&](Value v) {
    return type->is_signed() ? LLVMBuildSExt(ir.get(), v, wide, "") : LLVMBuildZExt(ir.get(), v, wide, "");
  };
  Value product = LLVMBuildMul(ir.get(), extend(x), extend(y), "");
  Value high = LLVMBuildLShr(ir.get(), product, ir.constant(wide, static_cast<uint64_t>(width)), "");
  return LLVMBuildTrunc(ir.get(), high, LLVMTypeOf(x), "");
}

Value compare(const IrBuilder& ir, BinaryOp op, const Type* type, Value x, Value y) {
  if (type->is_float()) {
    static constexpr LLVMRealPredicate kFloat[] = {LLVMRealOEQ, LLVMRealUNE, LLVMRealOLT,
                                                   LLVMRealOLE, LLVMRealOGT, LLVMRealOGE};
    return ir.compare(kFloat[static_cast<int>(op) - static_cast<int>(BinaryOp::eq)], x, y);
  }
  static constexpr LLVMIntPredicate kSigned[] = {LLVMIntEQ, LLVMIntNE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
  static constexpr LLVMIntPredicate kUnsigned[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT,
                                                   LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
  const auto& table = type->is_signed() ? kSigned : kUnsigned;
  return ir.compare(table[static_cast<int>(op) - static_cast<int>(BinaryOp::eq)], x, y);
}

// Half precision goes through single: LLVM 19 loses its NaN otherwise.
Value float_extreme(const IrBuilder& ir, const char* name, Value x, Value y) {
  LLVMTypeRef type = LLVMTypeOf(x);
  if (LLVMGetTypeKind(type) != LLVMHalfTypeKind) return ir.with_freedom(ir.intrinsic(name, {type}, {x, y}), {});
  LLVMTypeRef single = LLVMFloatTypeInContext(ir.context());
  Value wide_x = LLVMBuildFPExt(ir.get(), x, single, "");
  Value wide_y = LLVMBuildFPExt(ir.get(), y, single, "");
  return LLVMBuildFPTrunc(ir.get(), ir.intrinsic(name, {single}, {wide_x, wide_y}), type, "");
}

Value float_operator(const IrBuilder& ir, BinaryOp op, const Type* type, Value x, Value y, FloatFreedom freedom) {
  LLVMBuilderRef b = ir.get();
  LLVMTypeRef llvm_type = LLVMTypeOf(x);
  switch (op) {
    case BinaryOp::add:
      return ir.with_freedom(LLVMBuildFAdd(b, x, y, ""), freedom);
    case BinaryOp::sub:
      return ir.with_freedom(LLVMBuildFSub(b, x, y, ""), freedom);
    case BinaryOp::mul:
      return ir.with_freedom(LLVMBuildFMul(b, x, y, ""), freedom);
    case BinaryOp::div:
      return ir.with_freedom(LLVMBuildFDiv(b, x, y, ""), {});
    case BinaryOp::rem:
    case BinaryOp::mod:
      return LLVMBuildFRem(b, x, y, "");
    // No freedom here, fast_math included: x * (1 / y) just below an integer would make the floor one too small.
    case BinaryOp::floor_div:
      return ir.intrinsic("llvm.floor", {llvm_type}, {LLVMBuildFDiv(b, x, y, "")});
    case BinaryOp::floor_mod: {
      Value quotient = ir.intrinsic("llvm.floor", {llvm_type}, {LLVMBuildFDiv(b, x, y, "")});
      return LLVMBuildFSub(b, x, LLVMBuildFMul(b, quotient, y, ""), "");
    }
    case BinaryOp::min:
      return emit_min(ir, type, x, y);
    case BinaryOp::max:
      return emit_max(ir, type, x, y);
    case BinaryOp::copysign:
      return ir.intrinsic("llvm.copysign", {llvm_type}, {x, y});
    case BinaryOp::pow:
      return emit_libm(ir, "pow", type, {x, y});
    case BinaryOp::atan2:
      return emit_libm(ir, "atan2", type, {x, y});
    case BinaryOp::hypot:
      return emit_libm(ir, "hypot", type, {x, y});
    default:
      refuse(op, type);
  }
}

Value integer_operator(const IrBuilder& ir, BinaryOp op, const Type* type, Value x, Value y) {
  LLVMBuilderRef b = ir.get();
  switch (op) {
    case BinaryOp::add:
      return LLVMBuildAdd(b, x, y, "");
    case BinaryOp::sub:
      return LLVMBuildSub(b, x, y, "");
    case BinaryOp::mul:
      return LLVMBuildMul(b, x, y, "");
    case BinaryOp::div:
      return emit_div(ir, type, x, y);
    case BinaryOp::rem:
    case BinaryOp::mod:
      return emit_rem(ir, type, x, y);
    case BinaryOp::floor_div:
      return emit_floor_div(ir, type, x, y);
    case BinaryOp::floor_mod:
      return emit_floor_mod(ir, type, x, y);
    case BinaryOp::min:
      return emit_min(ir, type, x, y);
    case BinaryOp::max:
      return emit_max(ir, type, x, y);
    case BinaryOp::mul_high:
      return mul_high(ir, type, x, y);
    default:
      refuse(op, type);
  }
}

}  // namespace

Value emit_min(const IrBuilder& ir, const Type* type, Value x, Value y) {
  if (type->is_float()) return float_extreme(ir, "llvm.minimum", x, y);
  return ir.intrinsic(type->is_signed() ? "llvm.smin" : "llvm.umin", {LLVMTypeOf(x)}, {x, y});
}

Value emit_max(const IrBuilder& ir, const Type* type, Value x, Value y) {
  if (type->is_float()) return float_extreme(ir, "llvm.maximum", x, y);
  return ir.intrinsic(type->is_signed() ? "llvm.smax" : "llvm.umax", {LLVMTypeOf(x)}, {x, y});
}

Value emit_binary(const IrBuilder& ir, BinaryOp op, const Type* type, Value x, Value y, const Type* count,
                  FloatFreedom freedom) {
  LLVMBuilderRef b = ir.get();
  if (op >= BinaryOp::eq && op <= BinaryOp::ge) return compare(ir, op, type, x, y);
  if (type->is_float()) return float_operator(ir, op, type, x, y, freedom);
  switch (op) {
    case BinaryOp::bit_and:
    case BinaryOp::logic_and:
      return LLVMBuildAnd(b, x, y, "");
    case BinaryOp::bit_or:
    case BinaryOp::logic_or:
      return LLVMBuildOr(b, x, y, "");
    case BinaryOp::bit_xor:
      return LLVMBuildXor(b, x, y, "");
    case BinaryOp::and_not:
      return LLVMBuildAnd(b, x, LLVMBuildNot(b, y, ""), "");
    default:
      break;
  }
  if (!type->is_integer()) refuse(op, type);
  if (op == BinaryOp::shl || op == BinaryOp::shr) return shift(ir, op, type, x, y, count);
  return integer_operator(ir, op, type, x, y);
}

}  // namespace qd
