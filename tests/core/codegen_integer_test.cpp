// Integer operators on every type, edge values with edge values, against Go's definitions.
#include <bit>
#include <limits>

#include "tests/core/codegen_columns.h"

namespace qd::codegen_test {
namespace {

template <class T>
class CodegenInteger : public ::testing::Test {};
using Integers = ::testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(CodegenInteger, Integers);

template <class T>
std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  return {0,
          1,
          2,
          3,
          7,
          8,
          10,
          T(-1),
          T(-2),
          T(-7),
          T(-8),
          Limits::min(),
          T(Limits::min() + 1),
          Limits::max(),
          T(Limits::max() - 1),
          T(0x5a)};
}

template <class T>
std::vector<T> nonzero_edges() {
  std::vector<T> values = edges<T>();
  std::erase(values, T(0));
  return values;
}

using Wide = __int128;

template <class T>
T quotient(T x, T y) {
  return static_cast<T>(Wide(x) / Wide(y));
}
template <class T>
T remainder(T x, T y) {
  return static_cast<T>(Wide(x) % Wide(y));
}
template <class T>
T floor_quotient(T x, T y) {
  const Wide q = Wide(x) / Wide(y), r = Wide(x) % Wide(y);
  return static_cast<T>(r != 0 && (r < 0) != (Wide(y) < 0) ? q - 1 : q);
}
template <class T>
T floor_remainder(T x, T y) {
  const Wide r = Wide(x) % Wide(y);
  return static_cast<T>(r != 0 && (r < 0) != (Wide(y) < 0) ? r + Wide(y) : r);
}

TYPED_TEST(CodegenInteger, Arithmetic) {
  using T = TypeParam;
  Columns<T> c("arithmetic");
  c.binary(BinaryOp::add, [](T x, T y) { return static_cast<T>(Wide(x) + y); });
  c.binary(BinaryOp::sub, [](T x, T y) { return static_cast<T>(Wide(x) - y); });
  c.binary(BinaryOp::mul, [](T x, T y) { return static_cast<T>(Wide(x) * y); });
  c.binary(BinaryOp::mul_high, [](T x, T y) {
    if constexpr (std::is_same_v<T, uint64_t>) return static_cast<T>((static_cast<unsigned __int128>(x) * y) >> 64);
    return static_cast<T>((Wide(x) * y) >> (8 * sizeof(T)));
  });
  c.binary(BinaryOp::bit_and, [](T x, T y) { return static_cast<T>(x & y); });
  c.binary(BinaryOp::bit_or, [](T x, T y) { return static_cast<T>(x | y); });
  c.binary(BinaryOp::bit_xor, [](T x, T y) { return static_cast<T>(x ^ y); });
  c.binary(BinaryOp::and_not, [](T x, T y) { return static_cast<T>(x & ~y); });
  c.binary(BinaryOp::min, [](T x, T y) { return std::min(x, y); });
  c.binary(BinaryOp::max, [](T x, T y) { return std::max(x, y); });
  c.binary(BinaryOp::eq, [](T x, T y) { return x == y; });
  c.binary(BinaryOp::ne, [](T x, T y) { return x != y; });
  c.binary(BinaryOp::lt, [](T x, T y) { return x < y; });
  c.binary(BinaryOp::le, [](T x, T y) { return x <= y; });
  c.binary(BinaryOp::gt, [](T x, T y) { return x > y; });
  c.binary(BinaryOp::ge, [](T x, T y) { return x >= y; });
  c.add(
      "select", [](Emitter& e, Stmt* x, Stmt* y) { return e.select(e.binary(BinaryOp::lt, x, y), y, x); },
      [](T x, T y) { return std::max(x, y); });
  c.run_pairs(edges<T>(), edges<T>());
}

TYPED_TEST(CodegenInteger, Division) {
  using T = TypeParam;
  Columns<T> c("division");
  c.binary(BinaryOp::div, quotient<T>);
  c.binary(BinaryOp::rem, remainder<T>);
  c.binary(BinaryOp::floor_div, floor_quotient<T>);
  c.binary(BinaryOp::floor_mod, floor_remainder<T>);
  c.run_pairs(edges<T>(), nonzero_edges<T>());
}

TYPED_TEST(CodegenInteger, DivisionByConstants) {
  using T = TypeParam;
  Columns<T> c("constants");
  for (const T d : {T(1), T(2), T(8), T(7), T(-1), T(-2), T(-7), std::numeric_limits<T>::min()}) {
    if (d == 0) continue;
    using Want = T (*)(T, T);
    constexpr std::pair<BinaryOp, Want> kOperators[] = {{BinaryOp::div, quotient<T>},
                                                        {BinaryOp::rem, remainder<T>},
                                                        {BinaryOp::floor_div, floor_quotient<T>},
                                                        {BinaryOp::floor_mod, floor_remainder<T>}};
    for (const auto& [op, want] : kOperators) {
      c.add(
          std::string(to_string(op)) + " by " + std::to_string(d),
          [op = op, d](Emitter& e, Stmt* x, Stmt*) {
            return e.binary(op, x, e.constant_int(type_of<T>(), static_cast<int64_t>(d)));
          },
          [want = want, d](T x, T) { return want(x, d); });
    }
  }
  c.run(edges<T>(), edges<T>());
}

TYPED_TEST(CodegenInteger, Unary) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  constexpr int kWidth = 8 * sizeof(T);
  Columns<T> c("unary");
  c.unary(UnaryOp::neg, [](T x) { return static_cast<T>(-Wide(x)); });
  c.unary(UnaryOp::bit_not, [](T x) { return static_cast<T>(~x); });
  c.unary(UnaryOp::abs, [](T x) { return static_cast<T>(x < 0 ? -Wide(x) : Wide(x)); });
  c.unary(UnaryOp::sgn, [](T x) { return static_cast<T>((x > 0) - (x < 0)); });
  c.unary(UnaryOp::popcount, [](T x) { return static_cast<T>(std::popcount(static_cast<U>(x))); });
  c.unary(UnaryOp::clz, [](T x) { return static_cast<T>(std::countl_zero(static_cast<U>(x))); });
  c.unary(UnaryOp::ctz, [](T x) { return static_cast<T>(std::countr_zero(static_cast<U>(x))); });
  c.unary(UnaryOp::reverse_bits, [](T x) {
    U result = 0;
    for (int i = 0; i < kWidth; ++i) result = static_cast<U>(result << 1 | ((static_cast<U>(x) >> i) & 1));
    return static_cast<T>(result);
  });
  c.unary(UnaryOp::reverse_bytes, [](T x) {
    U result = 0;
    for (int i = 0; i < kWidth; i += 8) {
      result |= static_cast<U>(static_cast<U>((static_cast<U>(x) >> i) & 0xff) << (kWidth - 8 - i));
    }
    return static_cast<T>(result);
  });
  c.run(edges<T>(), edges<T>());
}

// Shift counts have any integer type, independent of the value's.
template <class T, class Count>
void test_shifts() {
  constexpr unsigned kWidth = 8 * sizeof(T);
  Columns<T, Count> c("shift");
  auto shl = [](T x, Count n) { return uint64_t(n) >= kWidth ? T(0) : static_cast<T>(uint64_t(x) << n); };
  auto shr = [](T x, Count n) {
    if (uint64_t(n) >= kWidth) return static_cast<T>(x < 0 ? -1 : 0);
    return static_cast<T>(x >> n);
  };
  c.binary(BinaryOp::shl, shl);
  c.binary(BinaryOp::shr, shr);
  for (int64_t n : {0, 1, 7, 8, 31, 64, 100}) {
    auto by = [n](BinaryOp op) {
      return [n, op](Emitter& e, Stmt* x, Stmt*) { return e.binary(op, x, e.constant_int(type_of<Count>(), n)); };
    };
    c.add("shl by " + std::to_string(n), by(BinaryOp::shl), [=](T x, Count) { return shl(x, static_cast<Count>(n)); });
    c.add("shr by " + std::to_string(n), by(BinaryOp::shr), [=](T x, Count) { return shr(x, static_cast<Count>(n)); });
  }
  c.run_pairs(edges<T>(), {0, 1, 2, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 127, std::numeric_limits<Count>::max()});
}

TYPED_TEST(CodegenInteger, ShiftsBySameType) { test_shifts<TypeParam, TypeParam>(); }
TYPED_TEST(CodegenInteger, ShiftsByByte) { test_shifts<TypeParam, uint8_t>(); }
TYPED_TEST(CodegenInteger, ShiftsByInt) { test_shifts<TypeParam, int64_t>(); }

TYPED_TEST(CodegenInteger, Conversions) {
  using T = TypeParam;
  Columns<T> c("convert");
  auto to = [&]<class To>(To) {
    c.add(
        "to " + to_string(type_of<To>()), [](Emitter& e, Stmt* x, Stmt*) { return e.cast(x, type_of<To>()); },
        [](T x, T) { return static_cast<To>(x); });
  };
  to(int8_t{}), to(int16_t{}), to(int32_t{}), to(int64_t{}), to(uint8_t{}), to(uint16_t{}), to(uint32_t{});
  to(uint64_t{}), to(float{}), to(double{}), to(bool{});
  c.run(edges<T>(), edges<T>());
}

TEST(Codegen, BooleanOperators) {
  Columns<uint8_t> c("boolean");
  auto add = [&](BinaryOp op, auto want) {
    c.add(
        std::string(to_string(op)),
        [op](Emitter& e, Stmt* x, Stmt* y) { return e.binary(op, e.cast(x, u1()), e.cast(y, u1())); }, want);
  };
  add(BinaryOp::logic_and, [](bool x, bool y) { return x && y; });
  add(BinaryOp::logic_or, [](bool x, bool y) { return x || y; });
  add(BinaryOp::bit_xor, [](bool x, bool y) { return x != y; });
  add(BinaryOp::and_not, [](bool x, bool y) { return x && !y; });
  add(BinaryOp::eq, [](bool x, bool y) { return x == y; });
  add(BinaryOp::ne, [](bool x, bool y) { return x != y; });
  c.add(
      "not", [](Emitter& e, Stmt* x, Stmt*) { return e.unary(UnaryOp::logic_not, e.cast(x, u1())); },
      [](bool x, bool) { return !x; });
  c.add(
      "to i32", [](Emitter& e, Stmt* x, Stmt*) { return e.cast(e.cast(x, u1()), i32()); },
      [](bool x, bool) { return static_cast<int32_t>(x); });
  c.add(
      "to f64", [](Emitter& e, Stmt* x, Stmt*) { return e.cast(e.cast(x, u1()), f64()); },
      [](bool x, bool) { return static_cast<double>(x); });
  c.run_pairs({0, 1, 2, 255}, {0, 1, 2, 255});
}

}  // namespace
}  // namespace qd::codegen_test
