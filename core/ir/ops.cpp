#include "core/ir/ops.h"

#include <array>

namespace qd {

namespace {

constexpr auto kUnary = std::to_array<std::string_view>(
    {"neg",   "bit_not",    "logic_not", "abs",    "sgn",      "sqrt", "rsqrt", "sin",          "cos",
     "tan",   "asin",       "acos",      "atan",   "sinh",     "cosh", "tanh",  "exp",          "exp2",
     "log",   "log2",       "log10",     "expm1",  "log1p",    "cbrt", "floor", "ceil",         "trunc",
     "round", "round_even", "is_nan",    "is_inf", "popcount", "clz",  "ctz",   "reverse_bits", "reverse_bytes"});
static_assert(kUnary.size() == static_cast<size_t>(UnaryOp::count_));

constexpr auto kBinary = std::to_array<std::string_view>(
    {"add", "sub", "mul",   "div",   "rem", "bit_and",   "bit_or",    "bit_xor",   "and_not",  "shl",
     "shr", "eq",  "ne",    "lt",    "le",  "gt",        "ge",        "logic_and", "logic_or", "min",
     "max", "pow", "atan2", "hypot", "mod", "floor_div", "floor_mod", "copysign",  "mul_high"});
static_assert(kBinary.size() == static_cast<size_t>(BinaryOp::count_));

constexpr auto kAtomic = std::to_array<std::string_view>(
    {"add", "sub", "mul", "min", "max", "bit_and", "bit_or", "bit_xor", "and_not", "exchange"});
static_assert(kAtomic.size() == static_cast<size_t>(AtomicOp::count_));

constexpr auto kCast = std::to_array<std::string_view>({"value", "bits", "round"});
static_assert(kCast.size() == static_cast<size_t>(CastOp::round) + 1);

template <class Op, size_t N>
std::string_view name_of(const std::array<std::string_view, N>& names, Op op) {
  auto index = static_cast<size_t>(op);
  return index < N ? names[index] : "?";
}

}  // namespace

std::string_view to_string(UnaryOp op) { return name_of(kUnary, op); }
std::string_view to_string(BinaryOp op) { return name_of(kBinary, op); }
std::string_view to_string(AtomicOp op) { return name_of(kAtomic, op); }
std::string_view to_string(CastOp op) { return name_of(kCast, op); }

}  // namespace qd
