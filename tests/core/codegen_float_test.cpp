// Floating-point operators on edge values, against IEEE 754 and Go's definitions.
#include <bit>
#include <limits>

#include "tests/core/codegen_columns.h"

namespace qd::codegen_test {
namespace {

template <class T>
class CodegenFloat : public ::testing::Test {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CodegenFloat, Floats);

template <class T>
std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  return {T(0),
          T(-0.0),
          T(1),
          T(-1),
          T(0.5),
          T(-0.5),
          T(1.5),
          T(2.5),
          T(-2.5),
          T(3),
          T(1e-3),
          T(41),
          T(1e6),
          T(-7.25),
          Limits::min(),
          Limits::max(),
          Limits::lowest(),
          Limits::denorm_min(),
          -Limits::denorm_min(),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN(),
          T(0.49999997),
          T(8388609),
          T(4503599627370497.0)};
}

template <class T>
T go_min(T x, T y) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<T>::quiet_NaN();
  if (x == 0 && y == 0) return std::signbit(x) ? x : y;
  return x < y ? x : y;
}
template <class T>
T go_max(T x, T y) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<T>::quiet_NaN();
  if (x == 0 && y == 0) return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

TYPED_TEST(CodegenFloat, Arithmetic) {
  using T = TypeParam;
  Columns<T> c("arithmetic");
  c.binary(BinaryOp::add, [](T x, T y) { return x + y; });
  c.binary(BinaryOp::sub, [](T x, T y) { return x - y; });
  c.binary(BinaryOp::mul, [](T x, T y) { return x * y; });
  c.binary(BinaryOp::div, [](T x, T y) { return x / y; });
  c.binary(BinaryOp::mod, [](T x, T y) { return std::fmod(x, y); });
  c.binary(BinaryOp::min, go_min<T>);
  c.binary(BinaryOp::max, go_max<T>);
  c.binary(BinaryOp::copysign, [](T x, T y) { return std::copysign(x, y); });
  c.binary(BinaryOp::floor_div, [](T x, T y) { return std::floor(x / y); });
  c.binary(BinaryOp::floor_mod, [](T x, T y) {
    const volatile T product = std::floor(x / y) * y;
    return T(x - product);
  });
  c.binary(BinaryOp::eq, [](T x, T y) { return x == y; });
  c.binary(BinaryOp::ne, [](T x, T y) { return x != y; });
  c.binary(BinaryOp::lt, [](T x, T y) { return x < y; });
  c.binary(BinaryOp::le, [](T x, T y) { return x <= y; });
  c.binary(BinaryOp::gt, [](T x, T y) { return x > y; });
  c.binary(BinaryOp::ge, [](T x, T y) { return x >= y; });
  c.run_pairs(edges<T>(), edges<T>());
}

TYPED_TEST(CodegenFloat, Unary) {
  using T = TypeParam;
  Columns<T> c("unary");
  c.unary(UnaryOp::neg, [](T x) { return -x; });
  c.unary(UnaryOp::abs, [](T x) { return std::fabs(x); });
  c.unary(UnaryOp::sgn, [](T x) { return x > 0 ? T(1) : x < 0 ? T(-1) : x; });
  c.unary(UnaryOp::sqrt, [](T x) { return std::sqrt(x); });
  c.unary(UnaryOp::rsqrt, [](T x) { return T(1) / std::sqrt(x); });
  c.unary(UnaryOp::floor, [](T x) { return std::floor(x); });
  c.unary(UnaryOp::ceil, [](T x) { return std::ceil(x); });
  c.unary(UnaryOp::trunc, [](T x) { return std::trunc(x); });
  c.unary(UnaryOp::round, [](T x) { return std::round(x); });
  c.unary(UnaryOp::round_even, [](T x) { return std::nearbyint(x); });
  c.unary(UnaryOp::is_nan, [](T x) { return std::isnan(x); });
  c.unary(UnaryOp::is_inf, [](T x) { return std::isinf(x); });
  c.run(edges<T>(), edges<T>());
}

TYPED_TEST(CodegenFloat, Mathematics) {
  using T = TypeParam;
  Columns<T> c("mathematics");
  c.unary(UnaryOp::sin, [](T x) { return std::sin(x); });
  c.unary(UnaryOp::cos, [](T x) { return std::cos(x); });
  c.unary(UnaryOp::tan, [](T x) { return std::tan(x); });
  c.unary(UnaryOp::asin, [](T x) { return std::asin(x); });
  c.unary(UnaryOp::acos, [](T x) { return std::acos(x); });
  c.unary(UnaryOp::atan, [](T x) { return std::atan(x); });
  c.unary(UnaryOp::sinh, [](T x) { return std::sinh(x); });
  c.unary(UnaryOp::cosh, [](T x) { return std::cosh(x); });
  c.unary(UnaryOp::tanh, [](T x) { return std::tanh(x); });
  c.unary(UnaryOp::exp, [](T x) { return std::exp(x); });
  c.unary(UnaryOp::exp2, [](T x) { return std::exp2(x); });
  c.unary(UnaryOp::log, [](T x) { return std::log(x); });
  c.unary(UnaryOp::log2, [](T x) { return std::log2(x); });
  c.unary(UnaryOp::log10, [](T x) { return std::log10(x); });
  c.unary(UnaryOp::expm1, [](T x) { return std::expm1(x); });
  c.unary(UnaryOp::log1p, [](T x) { return std::log1p(x); });
  c.unary(UnaryOp::cbrt, [](T x) { return std::cbrt(x); });
  c.binary(BinaryOp::pow, [](T x, T y) { return std::pow(x, y); });
  c.binary(BinaryOp::atan2, [](T x, T y) { return std::atan2(x, y); });
  c.binary(BinaryOp::hypot, [](T x, T y) { return std::hypot(x, y); });
  // LLVM may rewrite these; the answers stay.
  for (double p : {0.5, 2.0, -1.0, 3.0}) {
    c.add(
        "pow " + std::to_string(p),
        [p](Emitter& e, Stmt* x, Stmt*) { return e.binary(BinaryOp::pow, x, e.constant_float(type_of<T>(), p)); },
        [p](T x, T) { return std::pow(x, T(p)); });
  }
  c.run_pairs(edges<T>(), edges<T>());
}

template <class To, class T>
To saturate(T x) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(x)) return 0;
  const T t = std::trunc(x);
  if (t <= static_cast<T>(Limits::min())) return Limits::min();
  // 2^bits is exact in T, max itself need not be.
  if (t >= std::ldexp(T(1), Limits::digits)) return Limits::max();
  return static_cast<To>(t);
}

TYPED_TEST(CodegenFloat, Conversions) {
  using T = TypeParam;
  Columns<T> c("convert");
  auto to = [&]<class To>(To) {
    c.add(
        "to " + to_string(type_of<To>()), [](Emitter& e, Stmt* x, Stmt*) { return e.cast(x, type_of<To>()); },
        [](T x, T) { return saturate<To>(x); });
  };
  to(int8_t{}), to(int16_t{}), to(int32_t{}), to(int64_t{}), to(uint8_t{}), to(uint16_t{}), to(uint32_t{});
  to(uint64_t{});
  c.add("to f32", [](Emitter& e, Stmt* x, Stmt*) { return e.cast(x, f32()); }, [](T x, T) { return float(x); });
  c.add("to f64", [](Emitter& e, Stmt* x, Stmt*) { return e.cast(x, f64()); }, [](T x, T) { return double(x); });
  c.add("to u1", [](Emitter& e, Stmt* x, Stmt*) { return e.cast(x, u1()); }, [](T x, T) { return x != 0; });
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  c.add(
      "bits", [](Emitter& e, Stmt* x, Stmt*) { return e.cast(x, type_of<Bits>(), CastOp::bits); },
      [](T x, T) { return std::bit_cast<Bits>(x); });
  c.add(
      "from bits",
      [](Emitter& e, Stmt* x, Stmt*) {
        return e.cast(e.cast(x, type_of<Bits>(), CastOp::bits), type_of<T>(), CastOp::bits);
      },
      [](T x, T) { return x; });
  std::vector<T> values = edges<T>();
  for (double v : {127.5, 128.0, -128.9, -129.0, 255.9, 256.0, 65535.5, 2147483647.0, 2147483648.0, 4294967295.0,
                   4294967296.0, 9.3e18, 1.9e19, -9.3e18}) {
    values.push_back(static_cast<T>(v));
  }
  c.run(values, values);
}

// x * y + x: fused where nothing forbids it, rounded twice where the source converts in between.
TYPED_TEST(CodegenFloat, ConversionStopsFusing) {
  using T = TypeParam;
  const T x = T(1) + std::numeric_limits<T>::epsilon();
  const T z = -T(1) - 2 * std::numeric_limits<T>::epsilon();
  volatile T product = x * x;
  const T rounded = product + z;
  ASSERT_NE(std::fma(x, x, z), rounded);
  auto multiply = [](Emitter& e, Stmt* a) { return e.binary(BinaryOp::mul, a, a); };
  auto round = [](Emitter& e, Stmt* a) { return e.cast(a, type_of<T>(), CastOp::round); };
  Columns<T> c("fuse");
  c.add(
      "rounded", [&](Emitter& e, Stmt* a, Stmt* b) { return e.binary(BinaryOp::add, round(e, multiply(e, a)), b); },
      [&](T, T) { return rounded; });
  c.add(
      "negated",
      [&](Emitter& e, Stmt* a, Stmt* b) {
        Stmt* minus = e.unary(UnaryOp::neg, multiply(e, a));
        return e.unary(UnaryOp::neg, e.binary(BinaryOp::sub, round(e, minus), b));
      },
      [&](T, T) { return -(-product - z); });
  c.add(
      "through a variable",
      [&](Emitter& e, Stmt* a, Stmt* b) {
        Stmt* variable = e.alloca_of(type_of<T>());
        e.store(variable, multiply(e, a));
        return e.binary(BinaryOp::add, round(e, e.load(variable)), b);
      },
      [&](T, T) { return rounded; });
  c.add(
      "not contracted",
      [&](Emitter& e, Stmt* a, Stmt* b) {
        Stmt* result = e.binary(BinaryOp::add, multiply(e, a), b);
        as<BinaryStmt>(result)->contract = false;
        return result;
      },
      [&](T, T) { return rounded; });
  c.run(std::vector<T>(40, x), std::vector<T>(40, z));
}

// fast_math must not make floor_div wrong: 41 * (1 / 41) is below 1.
TEST(Codegen, FastMathKeepsFloorDivisionAndNaN) {
  Columns<float> c("fast");
  c.kernel.options.fast_math = true;
  c.add(
      "41 // 41",
      [](Emitter& e, Stmt* x, Stmt*) { return e.binary(BinaryOp::floor_div, x, e.constant_float(f32(), 41)); },
      [](float x, float) { return std::floor(x / 41.0f); });
  c.unary(UnaryOp::is_nan, [](float x) { return std::isnan(x); });
  c.unary(UnaryOp::is_inf, [](float x) { return std::isinf(x); });
  c.run({41, 82, 410, NAN, INFINITY}, {0, 0, 0, 0, 0});
}

// ---- float16

float half_to_float(uint16_t h) {
  const int exponent = (h >> 10) & 31, fraction = h & 1023;
  float magnitude = exponent == 0    ? std::ldexp(static_cast<float>(fraction), -24)
                    : exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                                     : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}

// Nearest, ties to even; by arithmetic in double, which holds every case exactly.
uint16_t double_to_half(double x) {
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const double a = std::fabs(x);
  if (std::isnan(x)) return 0x7e00;
  if (a >= 65520) return sign | 0x7c00;
  const int exponent = a < 0x1p-14 ? -14 : std::ilogb(a);
  const double units = std::nearbyint(std::ldexp(a, 10 - exponent));  // of the last place
  const auto bits = static_cast<uint16_t>(units) + ((exponent + 14) << 10);
  return static_cast<uint16_t>(sign | bits);
}

const Type* f16() { return scalar_type(Primitive::f16); }
Stmt* as_half(Emitter& e, Stmt* bits) { return e.cast(bits, f16(), CastOp::bits); }

TEST(CodegenHalf, EveryValueConverts) {
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint16_t>(i);
  Columns<uint16_t> c("half");
  auto add = [&](const char* name, auto build, auto want) {
    c.add(
        name, [build](Emitter& e, Stmt* x, Stmt*) { return build(e, as_half(e, x)); },
        [want](uint16_t x, uint16_t) { return want(half_to_float(x)); });
  };
  add("to f32", [](Emitter& e, Stmt* h) { return e.cast(h, f32()); }, [](float x) { return x; });
  add("to f64", [](Emitter& e, Stmt* h) { return e.cast(h, f64()); }, [](float x) { return double(x); });
  add("to i8", [](Emitter& e, Stmt* h) { return e.cast(h, type_of<int8_t>()); }, saturate<int8_t, float>);
  add("to u32", [](Emitter& e, Stmt* h) { return e.cast(h, type_of<uint32_t>()); }, saturate<uint32_t, float>);
  add("to i64", [](Emitter& e, Stmt* h) { return e.cast(h, type_of<int64_t>()); }, saturate<int64_t, float>);
  add("is nan", [](Emitter& e, Stmt* h) { return e.unary(UnaryOp::is_nan, h); }, [](float x) { return std::isnan(x); });
  auto rounded = [](auto f) { return [f](float x) { return double_to_half(f(x)); }; };
  auto unary = [](UnaryOp op) { return [op](Emitter& e, Stmt* h) { return e.unary(op, h); }; };
  add("abs", unary(UnaryOp::abs), rounded([](float x) { return std::fabs(x); }));
  add("floor", unary(UnaryOp::floor), rounded([](float x) { return std::floor(x); }));
  add("sqrt", unary(UnaryOp::sqrt), rounded([](float x) { return std::sqrt(double(x)); }));
  c.run(all, all);
}

TEST(CodegenHalf, ArithmeticRounds) {
  Columns<uint16_t> c("half");
  auto add = [&](BinaryOp op, auto want) {
    c.add(
        std::string(to_string(op)),
        [op](Emitter& e, Stmt* x, Stmt* y) { return e.binary(op, as_half(e, x), as_half(e, y)); },
        [want](uint16_t x, uint16_t y) { return double_to_half(want(half_to_float(x), half_to_float(y))); });
  };
  add(BinaryOp::add, [](double x, double y) { return x + y; });
  add(BinaryOp::sub, [](double x, double y) { return x - y; });
  add(BinaryOp::mul, [](double x, double y) { return x * y; });
  add(BinaryOp::div, [](float x, float y) { return x / y; });
  add(BinaryOp::min, go_min<double>);
  add(BinaryOp::max, go_max<double>);
  add(BinaryOp::mod, [](float x, float y) { return std::fmod(x, y); });
  add(BinaryOp::pow, [](float x, float y) { return std::pow(x, y); });
  std::vector<uint16_t> values = {0,      0x8000, 0x3c00, 0xbc00, 0x3555, 0x0001, 0x8001, 0x03ff,
                                  0x0400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x4248, 0x3c01};
  c.run_pairs(values, values);
}

template <class T>
void test_to_half(const std::vector<T>& values) {
  Columns<T> c("to_half");
  c.add(
      "to f16", [](Emitter& e, Stmt* x, Stmt*) { return e.cast(x, f16()); },
      [](T x, T) { return double_to_half(static_cast<double>(x)); });
  c.run(values, values);
}
TEST(CodegenHalf, FromOtherTypes) {
  test_to_half<float>({0.0f, -0.0f, 1.0f, 65519.0f, 65520.0f, 1e9f, 0x1p-24f, 0x1p-25f, 0x1.8p-25f, NAN, 0.1f, 2049});
  // Rounding to float32 on the way would give a different answer for the last two.
  test_to_half<double>(
      {0.0, 0.1, 65519.999, 1e300, 0x1p-24, 1.0 + 0x1p-11, 1.0 + 0x1p-11 + 0x1p-40, 1.0 + 0x1.8p-10 - 0x1p-45});
  test_to_half<int64_t>({0, 1, -1, 2049, 65504, 65519, 65520, -70000, int64_t{1} << 40});
  test_to_half<uint8_t>({0, 1, 255});
}

}  // namespace
}  // namespace qd::codegen_test
