// The type that an operator yields.
#pragma once

#include "core/ir/ops.h"
#include "core/ir/type.h"

namespace qd {

inline bool is_comparison(BinaryOp op) { return op >= BinaryOp::eq && op <= BinaryOp::ge; }
inline bool is_shift(BinaryOp op) { return op == BinaryOp::shl || op == BinaryOp::shr; }

inline const Type* result_type(UnaryOp op, const Type* operand) {
  return op == UnaryOp::is_nan || op == UnaryOp::is_inf ? scalar_type(Primitive::u1) : operand;
}
inline const Type* result_type(BinaryOp op, const Type* operand) {
  return is_comparison(op) ? scalar_type(Primitive::u1) : operand;
}

}  // namespace qd
