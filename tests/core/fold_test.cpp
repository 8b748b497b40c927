// Constants are folded to what a Go program computes.
#include "core/transforms/fold.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/ir/constant.h"

namespace qd {
namespace {

const Type* const kI8 = scalar_type(Primitive::i8);
const Type* const kI32 = scalar_type(Primitive::i32);
const Type* const kI64 = scalar_type(Primitive::i64);
const Type* const kU8 = scalar_type(Primitive::u8);
const Type* const kU64 = scalar_type(Primitive::u64);
const Type* const kF16 = scalar_type(Primitive::f16);
const Type* const kF32 = scalar_type(Primitive::f32);
const Type* const kF64 = scalar_type(Primitive::f64);
const Type* const kU1 = scalar_type(Primitive::u1);

constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::optional<int64_t> integers(BinaryOp op, const Type* type, int64_t x, int64_t y) {
  auto bits = fold_binary(op, type, integer_bits(type, static_cast<uint64_t>(x)), type,
                          integer_bits(type, static_cast<uint64_t>(y)));
  return bits ? std::optional<int64_t>(static_cast<int64_t>(*bits)) : std::nullopt;
}

TEST(Fold, IntegersWrapAndTruncateAsInGo) {
  struct Case {
    BinaryOp op;
    const Type* type;
    int64_t x, y, want;
  };
  for (const Case& c : std::vector<Case>{
           {BinaryOp::add, kI8, 127, 1, -128},
           {BinaryOp::add, kU8, 255, 1, 0},
           {BinaryOp::sub, kU8, 0, 1, 255},
           {BinaryOp::mul, kI32, 65536, 65536, 0},
           {BinaryOp::mul, kI64, kMin64, -1, kMin64},
           {BinaryOp::div, kI32, -7, 2, -3},
           {BinaryOp::rem, kI32, -7, 2, -1},
           {BinaryOp::rem, kI32, 7, -2, 1},
           {BinaryOp::floor_div, kI32, -7, 2, -4},
           {BinaryOp::floor_mod, kI32, -7, 2, 1},
           {BinaryOp::floor_mod, kI32, 7, -2, -1},
           {BinaryOp::floor_div, kI32, -8, 2, -4},
           {BinaryOp::div, kI64, kMin64, -1, kMin64},
           {BinaryOp::rem, kI64, kMin64, -1, 0},
           {BinaryOp::floor_div, kI8, -128, -1, -128},
           {BinaryOp::div, kU64, -1, 2, std::numeric_limits<int64_t>::max()},
           {BinaryOp::min, kU8, 200, 100, 100},
           {BinaryOp::min, kI8, 200, 100, -56},
           {BinaryOp::lt, kU64, -1, 1, 0},
           {BinaryOp::lt, kI64, -1, 1, 1},
           {BinaryOp::and_not, kU8, 0xff, 0x0f, 0xf0},
           {BinaryOp::mul_high, kU64, -1, -1, -2},
           {BinaryOp::mul_high, kI64, -1, -1, 0},
           {BinaryOp::mul_high, kI8, -128, 127, -64},
           {BinaryOp::logic_and, kU1, 1, 0, 0},
           {BinaryOp::ne, kU1, 1, 0, 1},
       }) {
    EXPECT_EQ(integers(c.op, c.type, c.x, c.y), c.want)
        << to_string(c.op) << " " << to_string(c.type) << " " << c.x << " " << c.y;
  }
}

TEST(Fold, NeverDividesByZero) {
  for (BinaryOp op : {BinaryOp::div, BinaryOp::rem, BinaryOp::floor_div, BinaryOp::floor_mod}) {
    EXPECT_EQ(integers(op, kI32, 1, 0), std::nullopt);
    EXPECT_EQ(integers(op, kU64, 0, 0), std::nullopt);
  }
}

TEST(Fold, ShiftsByAnyCount) {
  const auto shift = [](BinaryOp op, const Type* type, int64_t x, const Type* count_type, int64_t count) {
    return fold_binary(op, type, static_cast<uint64_t>(x), count_type, static_cast<uint64_t>(count));
  };
  EXPECT_EQ(shift(BinaryOp::shl, kI32, 1, kU8, 31), static_cast<uint64_t>(int64_t{-2147483648}));
  EXPECT_EQ(shift(BinaryOp::shl, kI32, 1, kU8, 32), 0u);
  EXPECT_EQ(shift(BinaryOp::shl, kU64, 1, kU64, -1), 0u);
  EXPECT_EQ(shift(BinaryOp::shr, kI32, -5, kI64, 1), static_cast<uint64_t>(-3));
  EXPECT_EQ(shift(BinaryOp::shr, kI32, -5, kI64, 400), static_cast<uint64_t>(-1));
  EXPECT_EQ(shift(BinaryOp::shr, kU8, 0x80, kI64, 8), 0u);
  EXPECT_EQ(shift(BinaryOp::shl, kI32, 1, kI64, -1), std::nullopt) << "a negative count fails the launch";
}

TEST(Fold, UnaryIntegersSeeOnlyTheirWidth) {
  const auto unary = [](UnaryOp op, const Type* type, int64_t x) {
    return static_cast<int64_t>(fold_unary(op, type, static_cast<uint64_t>(x)).value());
  };
  EXPECT_EQ(unary(UnaryOp::neg, kI8, -128), -128);
  EXPECT_EQ(unary(UnaryOp::abs, kI8, -128), -128);
  EXPECT_EQ(unary(UnaryOp::neg, kU8, 1), 255);
  EXPECT_EQ(unary(UnaryOp::bit_not, kU8, 1), 254);
  EXPECT_EQ(unary(UnaryOp::sgn, kI32, -9), -1);
  EXPECT_EQ(unary(UnaryOp::popcount, kI8, -1), 8);
  EXPECT_EQ(unary(UnaryOp::clz, kI32, 1), 31);
  EXPECT_EQ(unary(UnaryOp::clz, kU8, 0), 8);
  EXPECT_EQ(unary(UnaryOp::ctz, kU64, 0), 64);
  EXPECT_EQ(unary(UnaryOp::ctz, kU8, 0), 8);
  EXPECT_EQ(unary(UnaryOp::reverse_bits, kU8, 1), 128);
  EXPECT_EQ(unary(UnaryOp::reverse_bits, kI8, 1), -128);
  EXPECT_EQ(unary(UnaryOp::reverse_bytes, kI32, 0x01020304), 0x04030201);
  EXPECT_EQ(unary(UnaryOp::logic_not, kU1, 1), 0);
}

std::optional<double> floats(BinaryOp op, const Type* type, double x, double y) {
  auto bits = fold_binary(op, type, float_bits(type, x), type, float_bits(type, y));
  return bits ? std::optional<double>(std::bit_cast<double>(*bits)) : std::nullopt;
}

TEST(Fold, FloatsRoundToTheirType) {
  EXPECT_EQ(floats(BinaryOp::add, kF32, 0.1, 0.2), double{0.1F + 0.2F});
  EXPECT_EQ(floats(BinaryOp::add, kF32, 16777216, 1), 16777216);
  EXPECT_EQ(floats(BinaryOp::add, kF16, 2048, 1), 2048);
  EXPECT_EQ(floats(BinaryOp::mul, kF32, 1e38, 10), kInf);
  EXPECT_EQ(floats(BinaryOp::div, kF64, 1, 0), std::nullopt);
  EXPECT_EQ(floats(BinaryOp::pow, kF64, 2, 2), std::nullopt) << "the math library's result is not the host's";
  EXPECT_EQ(fold_binary(BinaryOp::eq, kF64, float_bits(kF64, kNaN), kF64, float_bits(kF64, kNaN)), 0u);
  EXPECT_EQ(fold_binary(BinaryOp::ne, kF64, float_bits(kF64, kNaN), kF64, float_bits(kF64, kNaN)), 1u);
}

TEST(Fold, MinAndMaxAsInGo) {
  EXPECT_TRUE(std::isnan(*floats(BinaryOp::min, kF64, kNaN, 1)));
  EXPECT_TRUE(std::isnan(*floats(BinaryOp::max, kF64, 1, kNaN)));
  EXPECT_TRUE(std::signbit(*floats(BinaryOp::min, kF64, 0.0, -0.0)));
  EXPECT_TRUE(std::signbit(*floats(BinaryOp::min, kF64, -0.0, 0.0)));
  EXPECT_FALSE(std::signbit(*floats(BinaryOp::max, kF64, -0.0, 0.0)));
  EXPECT_FALSE(std::signbit(*floats(BinaryOp::max, kF64, 0.0, -0.0)));
  EXPECT_EQ(floats(BinaryOp::max, kF32, -1, kInf), kInf);
}

TEST(Fold, Casts) {
  const auto from_float = [](const Type* from, const Type* to, double x) {
    return static_cast<int64_t>(fold_cast(CastOp::value, from, to, float_bits(from, x)).value());
  };
  EXPECT_EQ(from_float(kF64, kI8, -1.9), -1);
  EXPECT_EQ(from_float(kF64, kI8, 1000), 127);
  EXPECT_EQ(from_float(kF64, kI8, -1000), -128);
  EXPECT_EQ(from_float(kF64, kU8, -0.5), 0);
  EXPECT_EQ(from_float(kF64, kU8, 1e9), 255);
  EXPECT_EQ(from_float(kF32, kI64, 1e30), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(from_float(kF32, kI64, -kInf), kMin64);
  EXPECT_EQ(from_float(kF64, kU64, kInf), -1);
  EXPECT_EQ(from_float(kF64, kI32, kNaN), 0);
  EXPECT_EQ(from_float(kF64, kU1, 0.25), 1);
  EXPECT_EQ(from_float(kF64, kU1, -0.0), 0);
  EXPECT_EQ(fold_cast(CastOp::value, kI64, kI8, 200), static_cast<uint64_t>(-56));
  EXPECT_EQ(fold_cast(CastOp::value, kI8, kU64, static_cast<uint64_t>(-1)), ~uint64_t{0});
  // Just above halfway between two f32: rounding to f64 first would lose what makes it more than half.
  EXPECT_EQ(fold_cast(CastOp::value, kI64, kF32, (uint64_t{1} << 54) + (uint64_t{1} << 30) + 1),
            float_bits(kF32, 0x1p54 + 0x1p31));
  EXPECT_EQ(fold_cast(CastOp::bits, kF32, kI32, float_bits(kF32, -0.0)), static_cast<uint64_t>(int64_t{-2147483648}));
  EXPECT_EQ(fold_cast(CastOp::bits, kU64, kF64, 0x3ff0000000000000), float_bits(kF64, 1));
  EXPECT_EQ(fold_cast(CastOp::bits, kU64, kF64, 0x7ff0000000000001), std::nullopt) << "a NaN's payload";
}

}  // namespace
}  // namespace qd
