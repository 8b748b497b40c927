// Which accesses of two scopes are surely, never or possibly to one element.
#include "tests/core/scopes_fixture.h"

namespace qd {
namespace {

// A scope that does one thing in a loop over a range, or without a loop.
using Range = std::function<std::pair<ExprId, ExprId>(Scopes&)>;
using Index = std::function<ExprId(Scopes&, ExprId)>;
Part writes(const Range& range, const Index& index) {
  return [=](Scopes& s) {
    const auto [begin, end] = range(s);
    s.loop(begin, end, [&](ExprId i) { s.write(s.in_a(index(s, i))); });
  };
}
Part writes(const std::function<ExprId(Scopes&)>& index) {
  return [=](Scopes& s) { s.write(s.in_a(index(s))); };
}

Range to(const std::function<ExprId(Scopes&)>& end) {
  return [=](Scopes& s) { return std::pair(s.i64(0), end(s)); };
}
Range to(int64_t end) {
  return to([=](Scopes& s) { return s.i64(end); });
}
Range between(int64_t begin, int64_t end) {
  return [=](Scopes& s) { return std::pair(s.i64(begin), s.i64(end)); };
}
Range between(const std::function<ExprId(Scopes&)>& begin, const std::function<ExprId(Scopes&)>& end) {
  return [=](Scopes& s) {
    const ExprId from = begin(s);
    return std::pair(from, end(s));
  };
}
ExprId itself(Scopes&, ExprId i) { return i; }
ExprId length(Scopes& s) { return s.length(); }
ExprId n(Scopes& s) { return s.get_n(); }
ExprId k(Scopes& s) { return s.get_k(); }
Index plus(int64_t c) {
  return [=](Scopes& s, ExprId i) { return s.add(i, s.i64(c)); };
}
Index times(int64_t factor, int64_t c) {
  return [=](Scopes& s, ExprId i) { return s.add(s.mul(i, s.i64(factor)), s.i64(c)); };
}
std::function<ExprId(Scopes&)> constant(int64_t c) {
  return [=](Scopes& s) { return s.i64(c); };
}
std::function<ExprId(Scopes&)> n_plus(int64_t c) {
  return [=](Scopes& s) { return s.add(s.get_n(), s.i64(c)); };
}
std::function<ExprId(Scopes&)> length_minus(int64_t c) {
  return [=](Scopes& s) { return s.sub(s.length(), s.i64(c)); };
}
std::function<ExprId(Scopes&)> half(const std::function<ExprId(Scopes&)>& of) {
  return [=](Scopes& s) { return s.div(of(s), 2); };
}

// ---- certain -----------------------------------------------------------------------------------------------------

TEST(ElementOverlap, OverlappingRangesAreErrors) {
  EXPECT_EQ(of(writes(constant(3)), writes(constant(3))), Verdict::error);
  EXPECT_EQ(of(writes(n), writes(n)), Verdict::error);
  EXPECT_EQ(of(writes(to(8), itself), writes(between(4, 12), itself)), Verdict::error);
  EXPECT_EQ(of(writes(to(n), itself), writes(to(n), itself)), Verdict::error);
  EXPECT_EQ(of(writes(to(n), itself), writes(to(k), itself)), Verdict::error) << "both write a[0]";
  EXPECT_EQ(of(writes(to(n), itself), writes(between(k, n), itself)), Verdict::error) << "both write a[n-1]";
  EXPECT_EQ(of(writes(to(n), itself), writes(to(length), itself)), Verdict::error);
  EXPECT_EQ(of(writes(to(n), itself), writes(between(constant(5), n), itself)), Verdict::error);
  EXPECT_EQ(of(writes(to(n), itself), writes(constant(0))), Verdict::error);
  EXPECT_EQ(of(writes(to(length), itself), writes(constant(7))), Verdict::error)
      << "a[7] exists, so the loop gets there";
  EXPECT_EQ(of(writes(to(length), itself), writes(length_minus(1))), Verdict::error);
  EXPECT_EQ(of(writes(to(n), itself), writes(n_plus(-1))), Verdict::error);
  EXPECT_EQ(of(writes(to(n), times(2, 0)), writes(to(n), itself)), Verdict::error);
  EXPECT_EQ(of(writes(to(n), times(3, 1)), writes(to(n), times(3, 1))), Verdict::error);
  EXPECT_EQ(of(writes(to(length_minus(1)), plus(1)), writes(to(length), itself)), Verdict::error) << "at the last one";
  EXPECT_EQ(of(writes(to(16), times(2, 0)), writes(constant(30))), Verdict::error);
}

TEST(ElementOverlap, EqualArithmeticIsAnError) {
  const Index eighth = [](Scopes& s, ExprId i) { return s.rem(i, 8); };
  EXPECT_EQ(of(writes(to(n), eighth), writes(to(n), eighth)), Verdict::error);
  const Part rows = [](Scopes& s) {
    s.loop(s.get_n(),
           [&](ExprId i) { s.loop(s.get_k(), [&](ExprId j) { s.write(s.in_a(s.add(s.mul(i, s.get_k()), j))); }); });
  };
  EXPECT_EQ(of(rows, rows), Verdict::error);
  const Part triangle = [](Scopes& s) {
    s.loop(s.get_n(), [&](ExprId i) { s.loop(i, [&](ExprId j) { s.write(s.in_m(i, j)); }); });
  };
  EXPECT_EQ(of(triangle, triangle), Verdict::error);
  const Part scatter = [](Scopes& s) {
    s.loop(s.b.dim(s.idx, 0), [&](ExprId i) { s.write(s.in_a(s.b.element(s.idx, {i}, true))); });
  };
  EXPECT_EQ(of(scatter, scatter), Verdict::error) << "idx is not written";
  EXPECT_EQ(of(scatter, writes(to(length), itself)), Verdict::error) << "all of a is written";
}

TEST(ElementOverlap, RowsAndColumnsMeet) {
  const Part row = [](Scopes& s) { s.loop(s.b.dim(s.m, 1), [&](ExprId j) { s.write(s.in_m(s.i64(2), j)); }); };
  const Part column = [](Scopes& s) { s.loop(s.b.dim(s.m, 0), [&](ExprId i) { s.write(s.in_m(i, s.i64(3))); }); };
  const Part diagonal = [](Scopes& s) { s.loop(s.get_n(), [&](ExprId i) { s.write(s.in_m(i, i)); }); };
  const Part whole = [](Scopes& s) {
    const LabelId label = s.b.begin_for({s.i64(0), s.b.dim(s.m, 0), s.i64(0), s.b.dim(s.m, 1)}, {});
    s.write(s.in_m(s.index(label, 0), s.index(label, 1)));
    s.b.end_for();
  };
  EXPECT_EQ(of(row, column), Verdict::error);
  EXPECT_EQ(of(row, whole), Verdict::error);
  EXPECT_EQ(of(whole, column), Verdict::error);
  EXPECT_EQ(of(diagonal, whole), Verdict::error);
  EXPECT_EQ(of(diagonal, row), Verdict::warning) << "n may be 2";
}

// ---- never -------------------------------------------------------------------------------------------------------

TEST(ElementOverlap, RangesApartAreFine) {
  EXPECT_EQ(of(writes(constant(3)), writes(constant(4))), Verdict::none);
  EXPECT_EQ(of(writes(n), writes(n_plus(1))), Verdict::none);
  EXPECT_EQ(of(writes(to(8), itself), writes(between(8, 12), itself)), Verdict::none);
  EXPECT_EQ(of(writes(to(n), itself), writes(between(n, k), itself)), Verdict::none);
  EXPECT_EQ(of(writes(between(n, k), itself), writes(to(n), itself)), Verdict::none);
  EXPECT_EQ(of(writes(to(half(length)), itself), writes(between(half(length), length), itself)), Verdict::none);
  EXPECT_EQ(of(writes(to(half(n)), itself), writes(between(half(n), n), itself)), Verdict::none);
  EXPECT_EQ(of(writes(to(n), itself), writes(n)), Verdict::none);
  EXPECT_EQ(of(writes(to(length_minus(2)), plus(1)), writes(constant(0))), Verdict::none);
  EXPECT_EQ(of(writes(to(length_minus(2)), plus(1)), writes(length_minus(1))), Verdict::none);
  EXPECT_EQ(of(writes(to(n_plus(-2)), plus(1)), writes(n_plus(-1))), Verdict::none);
  const Index beyond = [](Scopes& s, ExprId i) { return s.add(i, s.get_n()); };
  EXPECT_EQ(of(writes(to(n), itself), writes(to(n), beyond)), Verdict::none);
}

TEST(ElementOverlap, StridesApartAreFine) {
  EXPECT_EQ(of(writes(to(n), times(2, 0)), writes(to(n), times(2, 1))), Verdict::none);
  EXPECT_EQ(of(writes(to(n), times(3, 0)), writes(to(k), times(6, 4))), Verdict::none);
  EXPECT_EQ(of(writes(to(n), times(4, 1)), writes(constant(2))), Verdict::none);
}

TEST(ElementOverlap, RowsApartAreFine) {
  const auto row = [](int64_t i) -> Part {
    return [=](Scopes& s) { s.loop(s.b.dim(s.m, 1), [&](ExprId j) { s.write(s.in_m(s.i64(i), j)); }); };
  };
  EXPECT_EQ(of(row(0), row(1)), Verdict::none);
}

TEST(ElementOverlap, PartsApartAreFine) {
  const auto set = [](int32_t field, int64_t item) -> Part {
    return [=](Scopes& s) {
      s.loop(s.b.dim(s.p, 0), [&](ExprId i) {
        const ExprId place = s.b.field(s.b.element(s.p, {i}, true), field);
        s.write(item < 0 ? place : s.b.item(place, s.i64(item), true));
      });
    };
  };
  const Part any = [](Scopes& s) {
    s.loop(s.b.dim(s.p, 0), [&](ExprId i) {
      s.write(s.b.item(s.b.field(s.b.element(s.p, {i}, true), 1), s.b.cast(0, s.rem(s.get_n(), 3), kI64), true));
    });
  };
  const Part all = [](Scopes& s) {
    s.loop(s.b.dim(s.p, 0),
           [&](ExprId i) { s.b.assign(s.b.element(s.p, {i}, true), s.b.local("zero", s.particle, -1)); });
  };
  EXPECT_EQ(of(set(0, -1), set(2, -1)), Verdict::none);
  EXPECT_EQ(of(set(1, 0), set(1, 2)), Verdict::none);
  EXPECT_EQ(of(set(1, 1), set(1, 1)), Verdict::error);
  EXPECT_EQ(of(any, set(0, -1)), Verdict::none);
  EXPECT_EQ(of(any, set(2, -1)), Verdict::none);
  EXPECT_EQ(of(any, set(1, 1)), Verdict::warning);
  EXPECT_EQ(of(all, set(1, 1)), Verdict::error);
  EXPECT_EQ(of(any, all), Verdict::error);
}

TEST(ElementOverlap, WhatNeverRunsIsFine) {
  EXPECT_EQ(of(writes(between(4, 4), itself), writes(to(8), itself)), Verdict::none);
  EXPECT_EQ(of(writes(between(n, n), itself), writes(to(n), itself)), Verdict::none);
  const auto minus_n = [](Scopes& s) { return s.neg(s.get_n()); };
  EXPECT_EQ(of(writes(to(n), itself), writes(to(minus_n), itself)), Verdict::none) << "one of the loops is empty";
}

// ---- unknown -----------------------------------------------------------------------------------------------------

TEST(ElementOverlap, WhatDependsOnArgumentsIsAWarning) {
  EXPECT_EQ(of(writes(n), writes(k)), Verdict::warning);
  EXPECT_EQ(of(writes(to(n), itself), writes(constant(5))), Verdict::warning);
  EXPECT_EQ(of(writes(to(n), itself), writes(between(constant(5), k), itself)), Verdict::warning);
  EXPECT_EQ(of(writes(to(n), times(2, 0)), writes(to(n), times(3, 1))), Verdict::warning);
  const Index shifted = [](Scopes& s, ExprId i) { return s.add(i, s.get_k()); };
  EXPECT_EQ(of(writes(to(n), itself), writes(to(n), shifted)), Verdict::warning);
}

// 3 n is 1 for one n, modulo 2^64, although no sum of three equal integers is.
TEST(ElementOverlap, WrappingProvesNothing) {
  const auto tripled = [](Scopes& s) { return s.add(s.add(s.get_n(), s.get_n()), s.get_n()); };
  EXPECT_EQ(of(writes(tripled), writes(constant(1))), Verdict::warning);
  const Index narrow = [](Scopes& s, ExprId i) { return s.to(s.add(s.to(i, kU8), s.b.constant_int(kU8, 200)), kI64); };
  EXPECT_EQ(of(writes(to(n), narrow), writes(constant(3))), Verdict::warning) << "59 + 200 is 3";
}

TEST(ElementOverlap, WhatIsWrittenIsNotTheSameTwice) {
  const Part scatter = [](Scopes& s) {
    s.loop(s.get_n(), [&](ExprId i) { s.write(s.in_a(s.b.element(s.idx, {i}, true))); });
  };
  const Part both = [&](Scopes& s) {
    s.loop(s.get_n(), [&](ExprId i) { s.b.assign(s.b.element(s.idx, {s.add(i, s.get_n())}, true), s.i64(0)); });
    scatter(s);
  };
  EXPECT_EQ(of(scatter, both), Verdict::warning);
}

TEST(ElementOverlap, ConditionsMakeItAWarning) {
  const Part sometimes = [](Scopes& s) {
    s.when(s.op(BinaryOp::gt, s.get_n(), s.get_k()), [&] { s.write(s.in_a(s.i64(0))); });
  };
  EXPECT_EQ(of(sometimes, writes(constant(0))), Verdict::warning);
  EXPECT_EQ(of(sometimes, writes(constant(1))), Verdict::none);
  const Part some = [](Scopes& s) {
    s.loop(s.length(), [&](ExprId i) { s.when(s.op(BinaryOp::lt, i, s.get_n()), [&] { s.write(s.in_a(i)); }); });
  };
  EXPECT_EQ(of(some, writes(to(length), itself)), Verdict::warning);
  EXPECT_EQ(of(some, writes(between(n, length), itself)), Verdict::none) << "the condition holds where a is written";
}

TEST(ElementOverlap, JumpsMakeItAWarning) {
  const Part skipping = [](Scopes& s) {
    const LabelId label = s.b.begin_for({s.i64(0), s.length()}, {});
    s.when(s.op(BinaryOp::lt, s.index(label), s.get_n()), [&] { s.b.continue_(label); });
    s.write(s.in_a(s.index(label)));
    s.b.end_for();
  };
  EXPECT_EQ(of(skipping, writes(to(length), itself)), Verdict::warning);
  EXPECT_EQ(of(skipping, writes(to(n), itself)), Verdict::none) << "the loop goes on only where i >= n";

  const auto stopping = [](int64_t index) -> Part {
    return [=](Scopes& s) {
      const LabelId label = s.b.begin_for({s.i64(0), s.i64(9)}, {.serialize = true, .name = {}});
      s.write(s.in_a(s.index(label)));
      s.when(s.op(BinaryOp::gt, s.get_n(), s.index(label)), [&] { s.b.break_(label); });
      s.b.end_for();
      s.write(s.in_a(s.i64(index)));
    };
  };
  EXPECT_EQ(of(stopping(20), writes(constant(0))), Verdict::error) << "the first iteration comes before any break";
  EXPECT_EQ(of(stopping(20), writes(constant(1))), Verdict::warning);
  EXPECT_EQ(of(stopping(20), writes(constant(20))), Verdict::error) << "the break ends the loop alone";

  const Part leaving = [](Scopes& s) {
    const LabelId outer = s.b.begin_scope();
    const LabelId label = s.b.begin_for({s.i64(0), s.i64(9)}, {});
    s.when(s.op(BinaryOp::gt, s.get_n(), s.index(label)), [&] { s.b.break_(outer); });
    s.b.end_for();
    s.write(s.in_a(s.i64(20)));
    s.b.end_scope();
    s.write(s.in_a(s.i64(21)));
  };
  EXPECT_EQ(of(leaving, writes(constant(20))), Verdict::warning);
  EXPECT_EQ(of(leaving, writes(constant(21))), Verdict::error);
}

TEST(ElementOverlap, LoopsWithoutBoundsAreUnknown) {
  const Part search = [](Scopes& s) {
    const ExprId i = s.b.local("i", kI64, s.i64(0));
    const LabelId label = s.b.begin_loop();
    s.write(s.in_a(i));
    s.when(s.op(BinaryOp::gt, i, s.get_n()), [&] { s.b.break_(label); });
    s.b.assign(i, s.add(i, s.i64(1)));
    s.b.end_loop();
  };
  EXPECT_EQ(of(search, writes(constant(0))), Verdict::warning);
  EXPECT_EQ(of(search, writes(to(length), itself)), Verdict::error) << "wherever it writes, all of a is written";
}

// An inner loop may be empty for the first index of the outer one.
TEST(ElementOverlap, TrianglesMayBeEmpty) {
  const Part triangle = [](Scopes& s) {
    s.loop(s.get_n(), [&](ExprId i) { s.loop(i, [&](ExprId j) { s.write(s.in_a(j)); }); });
  };
  EXPECT_EQ(of(triangle, writes(constant(0))), Verdict::warning);
}

}  // namespace
}  // namespace qd
