#include "core/runtime/value_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace qd {
namespace {

// Go's %v of a float is strconv's %g of the shortest digits: the exponent form below 1e-4 and from 1e6 on.
constexpr int kLeastExponent = -4, kExponentForm = 6;

template <class Float>
std::string float_text(Float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char buffer[64];
  const std::to_chars_result result =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<size_t>(result.ptr - buffer));
  const size_t e = text.find('e');
  int exponent = 0;
  const char* digits_of_exponent = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(digits_of_exponent, text.data() + text.size(), exponent);
  if (exponent < kLeastExponent || exponent >= kExponentForm) return std::string(text);

  const bool negative = text.front() == '-';
  std::string digits;
  for (const char c : text.substr(0, e)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  std::string out = negative ? "-" : "";
  if (exponent < 0) return out + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) return out + digits + std::string(whole - digits.size(), '0');
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::string value_text(const Type* type, uint64_t value) {
  if (type == nullptr || !type->is_scalar()) return "?";
  if (type->is_bool()) return value != 0 ? "true" : "false";
  if (type->is_float()) {
    const double number = std::bit_cast<double>(value);
    // A 16-bit float prints as the 32-bit one of the same value.
    return type->primitive == Primitive::f64 ? float_text(number) : float_text(static_cast<float>(number));
  }
  return type->is_signed() ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

std::string format_values(std::string_view format, const std::vector<const Type*>& types, const uint64_t* values,
                          size_t count) {
  count = std::min(count, types.size());
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    const char follower = format[i] == '%' && i + 1 < format.size() ? format[i + 1] : '\0';
    if (follower == '%') {
      out += '%';
      ++i;
    } else if (follower == 'v' && next < count) {
      out += value_text(types[next], values[next]);
      ++next;
      ++i;
    } else {
      out += format[i];
    }
  }
  return out;
}

}  // namespace qd
