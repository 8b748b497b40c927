// Operators on constants, as a running kernel would compute them. Nothing where the result is not exact, or where the
// kernel would fail (division by zero, a negative shift count).
#pragma once

#include <optional>

#include "core/ir/stmt.h"

namespace qd {

// Bits are those of ConstantAttrs, of the operand's type before and of the result's after.
std::optional<uint64_t> fold_unary(UnaryOp op, const Type* type, uint64_t x);
// `type` is x's and, except for shifts, y's.
std::optional<uint64_t> fold_binary(BinaryOp op, const Type* type, uint64_t x, const Type* y_type, uint64_t y);
std::optional<uint64_t> fold_cast(CastOp op, const Type* from, const Type* to, uint64_t x);

}  // namespace qd
