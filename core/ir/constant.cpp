#include "core/ir/constant.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace qd {

namespace {

// IEEE binary16 has 11 significant bits; below 2^-14 its step stays 2^-24.
double round_to_half(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  int step = std::max(exponent - 11, -24);
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
  return std::fabs(rounded) >= 65536.0 ? std::copysign(HUGE_VAL, value) : rounded;
}

}  // namespace

uint64_t integer_bits(const Type* type, uint64_t value) {
  if (type->is_bool()) return value != 0;
  int unused = 64 - type->bits();
  if (type->is_signed()) return static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  return value << unused >> unused;
}

double round_to(const Type* type, double value) {
  switch (type->primitive) {
    case Primitive::f16:
      return round_to_half(value);
    case Primitive::f32:
      return static_cast<double>(static_cast<float>(value));
    default:
      return value;
  }
}

uint64_t float_bits(const Type* type, double value) { return std::bit_cast<uint64_t>(round_to(type, value)); }

double float_value(const ConstantStmt* constant) { return std::bit_cast<double>(constant->bits); }

bool is_nonzero(const ConstantStmt* constant) {
  return constant->type->is_float() ? float_value(constant) != 0 : constant->bits != 0;
}

}  // namespace qd
