#include <string>

#include "core/codegen/arithmetic.h"
#include "core/ir/error.h"

namespace qd {

namespace {

[[noreturn]] void refuse(UnaryOp op, const Type* type) {
  throw Error(Code::internal,
              "codegen: the operator " + std::string(to_string(op)) + " takes no values of type " + to_string(type));
}

// What the C library computes; null for every other operator.
const char* libm_name(UnaryOp op) {
  switch (op) {
    case UnaryOp::sin:
      return "sin";
    case UnaryOp::cos:
      return "cos";
    case UnaryOp::tan:
      return "tan";
    case UnaryOp::asin:
      return "asin";
    case UnaryOp::acos:
      return "acos";
    case UnaryOp::atan:
      return "atan";
    case UnaryOp::sinh:
      return "sinh";
    case UnaryOp::cosh:
      return "cosh";
    case UnaryOp::tanh:
      return "tanh";
    case UnaryOp::exp:
      return "exp";
    case UnaryOp::exp2:
      return "exp2";
    case UnaryOp::log:
      return "log";
    case UnaryOp::log2:
      return "log2";
    case UnaryOp::log10:
      return "log10";
    case UnaryOp::expm1:
      return "expm1";
    case UnaryOp::log1p:
      return "log1p";
    case UnaryOp::cbrt:
      return "cbrt";
    default:
      return nullptr;
  }
}

// What a single instruction, or a few, compute; null for every other operator.
const char* intrinsic_name(UnaryOp op) {
  switch (op) {
    case UnaryOp::abs:
      return "llvm.fabs";
    case UnaryOp::sqrt:
      return "llvm.sqrt";
    case UnaryOp::floor:
      return "llvm.floor";
    case UnaryOp::ceil:
      return "llvm.ceil";
    case UnaryOp::trunc:
      return "llvm.trunc";
    case UnaryOp::round:
      return "llvm.round";
    case UnaryOp::round_even:
      return "llvm.roundeven";
    default:
      return nullptr;
  }
}

Value float_operator(const IrBuilder& ir, UnaryOp op, const Type* type, Value x) {
  LLVMTypeRef llvm_type = LLVMTypeOf(x);
  if (const char* name = libm_name(op)) return emit_libm(ir, name, type, {x});
  if (const char* name = intrinsic_name(op)) return ir.with_freedom(ir.intrinsic(name, {llvm_type}, {x}), {});
  switch (op) {
    case UnaryOp::neg:
      return LLVMBuildFNeg(ir.get(), x, "");
    case UnaryOp::rsqrt: {
      Value root = ir.with_freedom(ir.intrinsic("llvm.sqrt", {llvm_type}, {x}), {});
      return ir.with_freedom(LLVMBuildFDiv(ir.get(), ir.constant_float(llvm_type, 1), root, ""), {});
    }
    case UnaryOp::sgn: {
      Value zero = LLVMConstNull(llvm_type);
      Value below =
          ir.select(ir.compare(LLVMRealOLT, x, zero), ir.constant_float(llvm_type, -1), x);  // a zero or NaN is itself
      return ir.select(ir.compare(LLVMRealOGT, x, zero), ir.constant_float(llvm_type, 1), below);
    }
    case UnaryOp::is_nan:
      return ir.compare(LLVMRealUNO, x, x);
    case UnaryOp::is_inf: {
      Value infinity = ir.constant_float(llvm_type, __builtin_huge_val());
      return ir.compare(LLVMRealOEQ, ir.intrinsic("llvm.fabs", {llvm_type}, {x}), infinity);
    }
    default:
      refuse(op, type);
  }
}

Value integer_operator(const IrBuilder& ir, UnaryOp op, const Type* type, Value x) {
  LLVMTypeRef llvm_type = LLVMTypeOf(x);
  Value no = ir.constant(ir.int_type(1), 0);
  switch (op) {
    case UnaryOp::neg:
      return LLVMBuildNeg(ir.get(), x, "");
    case UnaryOp::bit_not:
      return LLVMBuildNot(ir.get(), x, "");
    case UnaryOp::abs:
      return type->is_signed() ? ir.intrinsic("llvm.abs", {llvm_type}, {x, no}) : x;
    case UnaryOp::sgn: {
      Value zero = LLVMConstNull(llvm_type);
      Value positive =
          LLVMBuildZExt(ir.get(), ir.compare(type->is_signed() ? LLVMIntSGT : LLVMIntNE, x, zero), llvm_type, "");
      if (!type->is_signed()) return positive;
      return LLVMBuildSub(ir.get(), positive, LLVMBuildZExt(ir.get(), ir.negative(x), llvm_type, ""), "");
    }
    case UnaryOp::popcount:
      return ir.intrinsic("llvm.ctpop", {llvm_type}, {x});
    case UnaryOp::clz:
      return ir.intrinsic("llvm.ctlz", {llvm_type}, {x, no});
    case UnaryOp::ctz:
      return ir.intrinsic("llvm.cttz", {llvm_type}, {x, no});
    case UnaryOp::reverse_bits:
      return ir.intrinsic("llvm.bitreverse", {llvm_type}, {x});
    case UnaryOp::reverse_bytes:
      return type->size == 1 ? x : ir.intrinsic("llvm.bswap", {llvm_type}, {x});
    default:
      refuse(op, type);
  }
}

}  // namespace

Value emit_libm(const IrBuilder& ir, const char* name, const Type* type, std::vector<Value> arguments) {
  LLVMTypeRef single = LLVMFloatTypeInContext(ir.context());
  if (type->primitive == Primitive::f64) {
    LLVMTypeRef twice = LLVMTypeOf(arguments[0]);  // before the move: argument order is unspecified
    return ir.with_freedom(ir.call_pure(name, twice, std::move(arguments)), {});
  }
  const std::string single_name = std::string(name) + "f";
  if (type->primitive == Primitive::f32) {
    return ir.with_freedom(ir.call_pure(single_name.c_str(), single, std::move(arguments)), {});
  }
  LLVMTypeRef half = LLVMTypeOf(arguments[0]);
  for (Value& argument : arguments) argument = LLVMBuildFPExt(ir.get(), argument, single, "");
  Value result = ir.with_freedom(ir.call_pure(single_name.c_str(), single, std::move(arguments)), {});
  return LLVMBuildFPTrunc(ir.get(), result, half, "");
}

Value emit_unary(const IrBuilder& ir, UnaryOp op, const Type* type, Value x) {
  if (type->is_float()) return float_operator(ir, op, type, x);
  if (type->is_integer()) return integer_operator(ir, op, type, x);
  if (type->is_bool() && (op == UnaryOp::logic_not || op == UnaryOp::bit_not)) return LLVMBuildNot(ir.get(), x, "");
  refuse(op, type);
}

}  // namespace qd
