// The bits of constants: how a value of each scalar type is kept in ConstantAttrs::bits.
#pragma once

#include <cstdint>

#include "core/ir/stmt.h"

namespace qd {

// An integer wrapped to the type's width and extended to 64 bits; u1: 1 unless zero.
uint64_t integer_bits(const Type* type, uint64_t value);
// A float rounded to the type (nearest, ties to even), as the bits of an f64.
uint64_t float_bits(const Type* type, double value);
double round_to(const Type* type, double value);

// The value of a constant, read as the class of its type.
inline int64_t signed_value(const ConstantStmt* constant) { return static_cast<int64_t>(constant->bits); }
double float_value(const ConstantStmt* constant);
// Any scalar: not +0, -0, false.
bool is_nonzero(const ConstantStmt* constant);

}  // namespace qd
