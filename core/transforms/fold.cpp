#include "core/transforms/fold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/ir/constant.h"
#include "core/ir/result_type.h"

namespace qd {

namespace {

using Bits = std::optional<uint64_t>;

int64_t as_signed(uint64_t bits) { return static_cast<int64_t>(bits); }

// The value's own bits, without the extension.
uint64_t pattern(const Type* type, uint64_t bits) {
  int unused = 64 - type->bits();
  return bits << unused >> unused;
}

template <class T>
Bits compare(BinaryOp op, T x, T y) {
  switch (op) {
    case BinaryOp::eq:
      return x == y;
    case BinaryOp::ne:
      return x != y;
    case BinaryOp::lt:
      return x < y;
    case BinaryOp::le:
      return x <= y;
    case BinaryOp::gt:
      return x > y;
    case BinaryOp::ge:
      return x >= y;
    default:
      return {};
  }
}

uint64_t reverse(uint64_t pattern, int width, int step) {
  uint64_t mask = (uint64_t{1} << step) - 1;
  uint64_t result = 0;
  for (int i = 0; i < width; i += step) result |= (pattern >> i & mask) << (width - step - i);
  return result;
}

Bits unary_integer(UnaryOp op, const Type* type, uint64_t x) {
  uint64_t own = pattern(type, x);
  bool negative = type->is_signed() && as_signed(x) < 0;
  switch (op) {
    case UnaryOp::neg:
      return integer_bits(type, 0 - x);
    case UnaryOp::bit_not:
      return integer_bits(type, ~x);
    case UnaryOp::abs:
      return integer_bits(type, negative ? 0 - x : x);
    case UnaryOp::sgn:
      return integer_bits(type, negative ? ~uint64_t{0} : x != 0);
    case UnaryOp::popcount:
      return integer_bits(type, static_cast<uint64_t>(std::popcount(own)));
    case UnaryOp::clz:
      return integer_bits(type, static_cast<uint64_t>(std::countl_zero(own) - (64 - type->bits())));
    case UnaryOp::ctz:
      return integer_bits(type, static_cast<uint64_t>(std::min(std::countr_zero(own), type->bits())));
    case UnaryOp::reverse_bits:
      return integer_bits(type, reverse(own, type->bits(), 1));
    case UnaryOp::reverse_bytes:
      return integer_bits(type, reverse(own, type->bits(), 8));
    default:
      return {};
  }
}

Bits unary_float(UnaryOp op, const Type* type, double x) {
  switch (op) {
    case UnaryOp::neg:
      return float_bits(type, -x);
    case UnaryOp::abs:
      return float_bits(type, std::fabs(x));
    case UnaryOp::sqrt:
      return float_bits(type, std::sqrt(x));
    case UnaryOp::floor:
      return float_bits(type, std::floor(x));
    case UnaryOp::ceil:
      return float_bits(type, std::ceil(x));
    case UnaryOp::trunc:
      return float_bits(type, std::trunc(x));
    case UnaryOp::round:
      return float_bits(type, std::round(x));
    case UnaryOp::round_even:
      return float_bits(type, std::nearbyint(x));
    case UnaryOp::is_nan:
      return std::isnan(x);
    case UnaryOp::is_inf:
      return std::isinf(x);
    default:
      return {};
  }
}

Bits shift(BinaryOp op, const Type* type, uint64_t x, const Type* count_type, uint64_t count) {
  if (count_type->is_signed() && as_signed(count) < 0) return {};
  auto width = static_cast<uint64_t>(type->bits());
  if (op == BinaryOp::shl) return count >= width ? 0 : integer_bits(type, x << count);
  if (!type->is_signed()) return count >= width ? 0 : x >> count;
  return static_cast<uint64_t>(as_signed(x) >> std::min<uint64_t>(count, 63));
}

Bits divide(BinaryOp op, const Type* type, uint64_t x, uint64_t y) {
  if (y == 0) return {};
  bool quotient = op == BinaryOp::div || op == BinaryOp::floor_div;
  if (!type->is_signed()) return quotient ? x / y : x % y;
  // MinInt / -1 wraps; the machine would trap.
  if (as_signed(y) == -1) return quotient ? integer_bits(type, 0 - x) : 0;
  int64_t q = as_signed(x) / as_signed(y);
  int64_t r = as_signed(x) % as_signed(y);
  bool floors = op == BinaryOp::floor_div || op == BinaryOp::floor_mod;
  if (floors && r != 0 && (r < 0) != (as_signed(y) < 0)) {
    q -= 1;
    r += as_signed(y);
  }
  return integer_bits(type, static_cast<uint64_t>(quotient ? q : r));
}

uint64_t mul_high(const Type* type, uint64_t x, uint64_t y) {
  __extension__ using Wide = __int128;
  __extension__ using WideUnsigned = unsigned __int128;
  if (type->is_signed()) {
    return static_cast<uint64_t>(static_cast<Wide>(as_signed(x)) * as_signed(y) >> type->bits());
  }
  return static_cast<uint64_t>(static_cast<WideUnsigned>(x) * y >> type->bits());
}

Bits binary_integer(BinaryOp op, const Type* type, uint64_t x, uint64_t y) {
  bool less = type->is_signed() ? as_signed(x) < as_signed(y) : x < y;
  switch (op) {
    case BinaryOp::add:
      return integer_bits(type, x + y);
    case BinaryOp::sub:
      return integer_bits(type, x - y);
    case BinaryOp::mul:
      return integer_bits(type, x * y);
    case BinaryOp::div:
    case BinaryOp::rem:
    case BinaryOp::floor_div:
    case BinaryOp::floor_mod:
      return divide(op, type, x, y);
    case BinaryOp::bit_and:
    case BinaryOp::logic_and:
      return x & y;
    case BinaryOp::bit_or:
    case BinaryOp::logic_or:
      return x | y;
    case BinaryOp::bit_xor:
      return x ^ y;
    case BinaryOp::and_not:
      return x & ~y;
    case BinaryOp::min:
      return less ? x : y;
    case BinaryOp::max:
      return less ? y : x;
    case BinaryOp::mul_high:
      return integer_bits(type, mul_high(type, x, y));
    default:
      return type->is_signed() ? compare(op, as_signed(x), as_signed(y)) : compare(op, x, y);
  }
}

// Computed in double and rounded once more: for these operators that is the correctly rounded f32 or f16 result.
Bits binary_float(BinaryOp op, const Type* type, double x, double y) {
  bool nan = std::isnan(x) || std::isnan(y);
  bool x_first = x < y || (x == y && std::signbit(x));
  switch (op) {
    case BinaryOp::add:
      return float_bits(type, x + y);
    case BinaryOp::sub:
      return float_bits(type, x - y);
    case BinaryOp::mul:
      return float_bits(type, x * y);
    case BinaryOp::div:
      return y == 0 ? Bits() : float_bits(type, x / y);
    case BinaryOp::min:
      return float_bits(type, nan ? std::numeric_limits<double>::quiet_NaN() : x_first ? x : y);
    case BinaryOp::max:
      return float_bits(type, nan ? std::numeric_limits<double>::quiet_NaN() : x_first ? y : x);
    case BinaryOp::copysign:
      return float_bits(type, std::copysign(x, y));
    default:
      return compare(op, x, y);
  }
}

uint64_t saturate(const Type* to, double value) {
  if (std::isnan(value)) return 0;
  double limit = std::ldexp(1.0, to->bits() - (to->is_signed() ? 1 : 0));
  if (to->is_signed()) {
    if (value < -limit) return integer_bits(to, uint64_t{1} << (to->bits() - 1));
    if (value >= limit) return (uint64_t{1} << (to->bits() - 1)) - 1;
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  if (value <= 0) return 0;
  return value >= limit ? pattern(to, ~uint64_t{0}) : static_cast<uint64_t>(value);
}

uint64_t integer_to_float(const Type* from, const Type* to, uint64_t x) {
  // Straight to f32: by way of f64 it would be rounded twice.
  if (to->primitive == Primitive::f32) {
    return float_bits(to, from->is_signed() ? static_cast<float>(as_signed(x)) : static_cast<float>(x));
  }
  return float_bits(to, from->is_signed() ? static_cast<double>(as_signed(x)) : static_cast<double>(x));
}

// f16 is left to the compiler, and so are NaNs, whose payload a constant does not keep.
Bits reinterpret(const Type* from, const Type* to, uint64_t x) {
  if (from->primitive == Primitive::f16 || to->primitive == Primitive::f16) return {};
  if (from->is_float() && std::isnan(std::bit_cast<double>(x))) return {};
  uint64_t own = pattern(from, x);
  if (from->primitive == Primitive::f32) {
    own = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(x)));
  }
  if (!to->is_float()) return integer_bits(to, own);
  double value =
      to->primitive == Primitive::f32 ? std::bit_cast<float>(static_cast<uint32_t>(own)) : std::bit_cast<double>(own);
  return std::isnan(value) ? Bits() : float_bits(to, value);
}

}  // namespace

Bits fold_unary(UnaryOp op, const Type* type, uint64_t x) {
  if (type->is_float()) return unary_float(op, type, std::bit_cast<double>(x));
  if (type->is_bool()) return op == UnaryOp::logic_not ? Bits(x == 0) : Bits();
  return unary_integer(op, type, x);
}

Bits fold_binary(BinaryOp op, const Type* type, uint64_t x, const Type* y_type, uint64_t y) {
  if (is_shift(op)) return shift(op, type, x, y_type, y);
  if (type->is_float()) return binary_float(op, type, std::bit_cast<double>(x), std::bit_cast<double>(y));
  return binary_integer(op, type, x, y);
}

Bits fold_cast(CastOp op, const Type* from, const Type* to, uint64_t x) {
  if (op == CastOp::round) return x;
  if (op == CastOp::bits) return reinterpret(from, to, x);
  double value = std::bit_cast<double>(x);
  if (to->is_bool()) return from->is_float() ? value != 0 : x != 0;
  if (from->is_float()) return to->is_float() ? float_bits(to, value) : saturate(to, value);
  return to->is_float() ? integer_to_float(from, to, x) : integer_bits(to, x);
}

}  // namespace qd
