// Which operand types an operator takes, and what it yields.
#pragma once

#include <string>

#include "core/ir/ops.h"
#include "core/ir/type.h"

namespace qd {

struct OperatorType {
  const Type* result = nullptr;  // null: the operands do not fit, and `why` says what they must be
  std::string why;
};

OperatorType unary_type(UnaryOp op, const Type* x);
OperatorType binary_type(BinaryOp op, const Type* x, const Type* y);
OperatorType cast_type(CastOp op, const Type* from, const Type* to);
// Of an atomic on a place of this type, with a value of the same type.
OperatorType atomic_type(AtomicOp op, const Type* place);

}  // namespace qd
