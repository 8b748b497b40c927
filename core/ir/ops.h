// Operators of the IR. Their values are part of the C ABI (capi/qd.h): append only.
#pragma once

#include <cstdint>
#include <string_view>

namespace qd {

enum class UnaryOp : int32_t {
  neg,
  bit_not,
  logic_not,
  abs,
  sgn,
  sqrt,
  rsqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  exp2,
  log,
  log2,
  log10,
  expm1,
  log1p,
  cbrt,
  floor,
  ceil,
  trunc,
  round,
  round_even,
  is_nan,
  is_inf,
  popcount,
  clz,
  ctz,
  reverse_bits,
  reverse_bytes,
  count_,
};

enum class BinaryOp : int32_t {
  add,
  sub,
  mul,
  div,
  rem,  // Go's / and %: integers truncate; integer division by zero is checked
  bit_and,
  bit_or,
  bit_xor,
  and_not,
  shl,
  shr,  // shift count >= width gives 0, or the sign for signed >>
  eq,
  ne,
  lt,
  le,
  gt,
  ge,  // yield u1; IEEE for floats
  logic_and,
  logic_or,  // frontend: short-circuit. IR: plain and/or of two u1
  min,
  max,  // Go's: NaN if either is NaN, min(-0, 0) is -0
  pow,
  atan2,
  hypot,
  mod,  // floats; mod is C's fmod
  floor_div,
  floor_mod,  // integers and floats, upstream's // and %
  copysign,
  mul_high,
  count_,
};

enum class AtomicOp : int32_t { add, sub, mul, min, max, bit_and, bit_or, bit_xor, and_not, exchange, count_ };

enum class CastOp : int32_t {
  value,  // Go conversion; float to integer saturates, NaN gives 0
  bits,   // same width
  round,  // value conversion to the same float type: rounds, and stops fusing
};

std::string_view to_string(UnaryOp op);
std::string_view to_string(BinaryOp op);
std::string_view to_string(AtomicOp op);
std::string_view to_string(CastOp op);

}  // namespace qd
