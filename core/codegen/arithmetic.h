// LLVM code of one operator on scalars, with Go's meaning: integers wrap, MinInt / -1 is MinInt, a shift by the width
// or more gives zero or the sign, min and max propagate NaN, and a float converted to an integer saturates.
#pragma once

#include "core/codegen/ir_builder.h"
#include "core/ir/ops.h"

namespace qd {

// x and y have the type given, except that a shift's y has type `count`. An integer divisor must not be zero.
Value emit_binary(const IrBuilder& ir, BinaryOp op, const Type* type, Value x, Value y, const Type* count,
                  FloatFreedom freedom);
Value emit_unary(const IrBuilder& ir, UnaryOp op, const Type* type, Value x);
Value emit_cast(const IrBuilder& ir, CastOp op, const Type* from, const Type* to, Value x);

Value emit_min(const IrBuilder& ir, const Type* type, Value x, Value y);
Value emit_max(const IrBuilder& ir, const Type* type, Value x, Value y);

// The C library's function of that name on doubles: on float32 its single precision form, on float16 that as well,
// rounded. Which one answers is the device's choice of symbol.
Value emit_libm(const IrBuilder& ir, const char* name, const Type* type, std::vector<Value> arguments);

}  // namespace qd
