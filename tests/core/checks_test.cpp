// insert_checks and hoist_checks: which tests are made, which are proved, which move to the guard.
#include "tests/core/pass_fixture.h"

namespace qd {
namespace {

class Checks : public PassTest {
 protected:
  int checks(size_t task = 0, size_t block = offloaded_block::body) { return count(task, StmtKind::check, block); }
  bool guarded(size_t task = 0) {
    return !compile().root->statements.at(task)->blocks[offloaded_block::guard]->statements.empty();
  }
  ExprId compare(BinaryOp how, ExprId x, ExprId y) { return op(how, x, y); }
};

// ---- insert_checks ----

TEST_F(Checks, AnIndexIsTestedOnEveryAxis) {
  int32_t m = array("m", kF32, 2), n = scalar("n", kI64);
  b.assign(at(m, b.param(n), i64(2)), f32(1));
  EXPECT_EQ(after("insert_checks"), R"(%0 = arg_load n : i64
%1 = constant 2 : i64
%2 = array_dim m axis=0 : i64
check index %0, %2 name="m"
%3 = array_dim m axis=1 : i64
check index %1, %3 axis=1 name="m"
%4 = element_ptr m %0, %1 check=false : *f32
%5 = constant 1 : f32
store %4, %5
)");
}

TEST_F(Checks, AnIndexIntoAnArrayValueIsTestedAgainstItsLength) {
  int32_t n = scalar("n", kI64), v = array("v", b.array_type(kF32, 3));
  b.assign(b.item(at(v, i64(0)), b.param(n), true), f32(1));
  EXPECT_NE(after("insert_checks").find("constant 3 : i64\ncheck index %3, %4 name=\"v\"\n"), std::string::npos)
      << stages["insert_checks"];
}

TEST_F(Checks, DivisorsAndCountsAreTested) {
  int32_t x = array("x", kI32), n = scalar("n", kI32), u = scalar("u", kU8);
  b.assign(at(x, i64(0)), op(BinaryOp::shl, op(BinaryOp::div, i32(100), b.param(n)), b.param(n)));
  b.assign(at(x, i64(1)), op(BinaryOp::shl, op(BinaryOp::rem, i32(100), i32(7)), b.param(u)));
  const std::string text = after("insert_checks");
  EXPECT_NE(text.find("check nonzero"), std::string::npos);
  EXPECT_NE(text.find("check shift"), std::string::npos);
  // A constant divisor and an unsigned count need none.
  EXPECT_EQ(text.find("check nonzero", text.find("check nonzero") + 1), std::string::npos);
  EXPECT_EQ(text.find("check shift", text.find("check shift") + 1), std::string::npos);
}

// Unchecked code must not trap either: a divisor of zero becomes one, and the result 0.
TEST_F(Checks, UncheckedDivisionByZeroGivesZero) {
  int32_t x = array("x", kI32), n = scalar("n", kI32);
  b.assign(at(x, i64(0)), op(BinaryOp::div, i32(100), b.param(n)));
  options.checks = false;
  EXPECT_EQ(after("insert_checks"), R"(%0 = constant 0 : i64
%1 = element_ptr x %0 check=false : *i32
%2 = constant 100 : i32
%3 = arg_load n : i32
%4 = constant 0 : i32
%5 = binary eq %3, %4 : u1
%6 = constant 1 : i32
%7 = select %5, %6, %3 : i32
%8 = binary div %2, %7 : i32
%9 = constant 0 : i32
%10 = select %5, %9, %8 : i32
store %1, %10
)");
}

TEST_F(Checks, UncheckedKernelsHaveNoAssertions) {
  int32_t n = scalar("n", kI64), x = array("x", kI64);
  b.check(CheckKind::assertion, {compare(BinaryOp::lt, b.param(n), i64(5))}, "", "n is small");
  b.assign(at(x, b.checked_index(b.param(n), i64(5), "x")), i64(1));
  options.checks = false;
  EXPECT_EQ(after("insert_checks").find("check "), std::string::npos) << stages["insert_checks"];
}

// ---- proofs ----

TEST_F(Checks, ALoopOverAnArrayNeedsNone) {
  int32_t y = array("y", kF32);
  LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), f32(1));
  b.end_for();
  EXPECT_EQ(checks(), 0);
  EXPECT_FALSE(guarded());
}

// The boundary test and its continue prove every read of cur; only next's shape is open, and tested before the loop.
TEST_F(Checks, TheStencilReadsUnchecked) {
  int32_t next = array("next", kF32, 2), cur = array("cur", kF32, 2);
  LabelId loop = b.begin_for({i64(0), b.dim(cur, 0), i64(0), b.dim(cur, 1)}, {});
  const auto i = [&] { return index(loop, 0); };
  const auto j = [&] { return index(loop, 1); };
  const auto last = [&](int32_t axis) { return sub(b.dim(cur, axis), i64(1)); };
  ExprId edge = compare(BinaryOp::eq, i(), i64(0));
  edge = op(BinaryOp::logic_or, edge, compare(BinaryOp::eq, j(), i64(0)));
  edge = op(BinaryOp::logic_or, edge, compare(BinaryOp::eq, i(), last(0)));
  edge = op(BinaryOp::logic_or, edge, compare(BinaryOp::eq, j(), last(1)));
  b.begin_if(edge);
  b.assign(at(next, i(), j()), at(cur, i(), j()));
  b.continue_(loop);
  b.end_if();
  ExprId sum = add(at(cur, sub(i(), i64(1)), j()), at(cur, add(i(), i64(1)), j()));
  sum = add(sum, add(at(cur, i(), sub(j(), i64(1))), at(cur, i(), add(j(), i64(1)))));
  b.assign(at(next, i(), j()), mul(f32(0.25), sum));
  b.end_for();
  EXPECT_EQ(checks(), 0);
  EXPECT_EQ(checks(0, offloaded_block::checked_body), 4);  // next's two axes, at each of its two stores
  EXPECT_EQ(stages["hoist_checks"].find("name=\"cur\""), std::string::npos);
}

// The same without the test of the last row: the read below it can fail, and nothing else.
TEST_F(Checks, AForgottenEdgeKeepsItsCheck) {
  int32_t cur = array("cur", kF32);
  LabelId loop = range(b.dim(cur, 0));
  b.begin_if(compare(BinaryOp::eq, index(loop), i64(0)));
  b.continue_(loop);
  b.end_if();
  b.assign(at(cur, index(loop)), add(at(cur, sub(index(loop), i64(1))), at(cur, add(index(loop), i64(1)))));
  b.end_for();
  EXPECT_EQ(checks(), 1);
  EXPECT_NE(stages["hoist_checks"].find("check index"), std::string::npos);
}

TEST_F(Checks, ConditionsProve) {
  int32_t x = array("x", kF32), n = scalar("n", kI64);
  b.begin_if(op(BinaryOp::logic_and, compare(BinaryOp::ge, b.param(n), i64(0)),
                compare(BinaryOp::lt, b.param(n), b.dim(x, 0))));
  b.assign(at(x, b.param(n)), f32(1));
  b.end_if();
  EXPECT_EQ(checks(), 0);
}

TEST_F(Checks, ConditionsHoldOnTheirSideOnly) {
  int32_t x = array("x", kF32), n = scalar("n", kI64);
  b.begin_if(op(BinaryOp::logic_or, compare(BinaryOp::lt, b.param(n), i64(0)),
                compare(BinaryOp::ge, b.param(n), b.dim(x, 0))));
  b.assign(at(x, b.param(n)), f32(1));
  b.begin_else();
  b.assign(at(x, b.param(n)), f32(2));
  b.end_if();
  EXPECT_EQ(checks(), 1);
}

// && evaluates its right side only after its left: the index there is proved, and so is one inside the if.
TEST_F(Checks, ShortCircuitsProve) {
  int32_t x = array("x", kI64);
  LabelId loop = range(b.dim(x, 0));
  ExprId inside = compare(BinaryOp::lt, add(index(loop), i64(1)), b.dim(x, 0));
  b.begin_if(op(BinaryOp::logic_and, inside, compare(BinaryOp::gt, at(x, add(index(loop), i64(1))), i64(0))));
  b.assign(at(x, add(index(loop), i64(1))), i64(1));
  b.end_if();
  b.end_for();
  EXPECT_EQ(checks(), 0);
}

TEST_F(Checks, ASecondTestOfTheSameIndexIsRedundant) {
  int32_t x = array("x", kI64), n = scalar("n", kI64);
  b.assign(at(x, b.param(n)), add(at(x, b.param(n)), op(BinaryOp::div, i64(1), b.param(n))));
  b.assign(at(x, i64(0)), op(BinaryOp::div, i64(2), b.param(n)));
  EXPECT_EQ(checks(), 2);  // n in x, n not zero: then x is not empty
}

TEST_F(Checks, ClampedAndPeriodicIndicesAreProved) {
  int32_t x = array("x", kF32);
  LabelId loop = range(b.dim(x, 0));
  const auto i = [&] { return index(loop); };
  b.assign(at(x, i()), at(x, op(BinaryOp::min, add(i(), i64(1)), sub(b.dim(x, 0), i64(1)))));
  b.assign(at(x, i()), at(x, op(BinaryOp::max, sub(i(), i64(1)), i64(0))));
  b.assign(at(x, i()), at(x, op(BinaryOp::rem, add(i(), i64(1)), b.dim(x, 0))));
  b.assign(at(x, i()), at(x, op(BinaryOp::rem, add(sub(i(), i64(1)), b.dim(x, 0)), b.dim(x, 0))));
  b.end_for();
  EXPECT_EQ(checks(), 0);
  EXPECT_FALSE(guarded());
}

TEST_F(Checks, TrianglesAreProved) {
  int32_t m = array("m", kF32, 2);
  LabelId loop = range(b.dim(m, 0));
  LabelId inner = b.begin_for({add(index(loop), i64(1)), b.dim(m, 0)}, {});
  b.assign(at(m, index(inner), i64(0)), at(m, sub(index(inner), index(loop)), i64(0)));
  b.end_for();
  b.end_for();
  EXPECT_EQ(checks(), 0);
  EXPECT_EQ(checks(0, offloaded_block::checked_body), 1);  // column 0 exists
}

// A cast to 32 bits and back changes a large index: it proves nothing.
TEST_F(Checks, NarrowingIsNotTransparent) {
  int32_t x = array("x", kF32);
  b.begin_if(compare(BinaryOp::gt, b.dim(x, 0), i64(0)));
  LabelId loop = b.begin_for({i64(0), b.dim(x, 0)}, {});
  b.assign(at(x, to(to(index(loop), kI32), kI64)), f32(1));
  b.end_for();
  b.end_if();
  EXPECT_EQ(checks(), 1);
}

// n - 1 wraps for the least n: that 0 < n - 1 says nothing of n.
TEST_F(Checks, WrappingArithmeticProvesNothing) {
  int32_t x = array("x", kF32), n = scalar("n", kI64);
  b.begin_if(op(BinaryOp::logic_and, compare(BinaryOp::ge, sub(b.param(n), i64(1)), i64(0)),
                compare(BinaryOp::lt, b.param(n), b.dim(x, 0))));
  b.assign(at(x, b.param(n)), f32(1));
  b.end_if();
  EXPECT_EQ(checks(), 1);
}

// ---- the guard ----

TEST_F(Checks, ShiftedReadsMoveToTheGuard) {
  int32_t dst = array("dst", kI32), src = array("src", kI32), by = scalar("by", kI64);
  LabelId loop = range(b.dim(dst, 0));
  b.assign(at(dst, index(loop)), at(src, add(index(loop), b.param(by))));
  b.end_for();
  EXPECT_EQ(after("hoist_checks"), R"(%0 = offloaded range_for %1, %2 dims=1
  bounds:
    %1 = constant 0 : i64
    %2 = array_dim dst axis=0 : i64
  body:
    %3 = loop_index %0 axis=0 : i64
    %4 = array_dim dst axis=0 : i64
    %5 = element_ptr dst %3 check=false : *i32
    %6 = loop_index %0 axis=0 : i64
    %7 = arg_load by : i64
    %8 = binary add %6, %7 : i64
    %9 = array_dim src axis=0 : i64
    %10 = element_ptr src %8 check=false : *i32
    %11 = load %10 : i32
    store %5, %11
  guard:
    %12 = constant 0 : i64
    %13 = array_dim dst axis=0 : i64
    %14 = constant 1 : i64
    %15 = binary sub %13, %14 : i64
    %16 = arg_load by : i64
    %17 = constant 1152921504606846976 : i64
    %18 = binary le %16, %17 : u1
    %19 = constant -1152921504606846976 : i64
    %20 = binary le %19, %16 : u1
    %21 = binary logic_and %18, %20 : u1
    %22 = binary add %12, %16 : i64
    %23 = binary add %15, %16 : i64
    %24 = array_dim src axis=0 : i64
    %25 = constant 0 : i64
    %26 = binary le %25, %22 : u1
    %27 = binary logic_and %21, %26 : u1
    %28 = binary lt %23, %24 : u1
    %29 = binary logic_and %27, %28 : u1
  checked_body:
    %30 = loop_index %0 axis=0 : i64
    %31 = array_dim dst axis=0 : i64
    %32 = element_ptr dst %30 check=false : *i32
    %33 = loop_index %0 axis=0 : i64
    %34 = arg_load by : i64
    %35 = binary add %33, %34 : i64
    %36 = array_dim src axis=0 : i64
    check index %35, %36 name="src"
    %37 = element_ptr src %35 check=false : *i32
    %38 = load %37 : i32
    store %32, %38
)");
}

TEST_F(Checks, MatrixMultiplicationMovesAllToTheGuard) {
  int32_t a = array("a", kF32, 2), w = array("b", kF32, 2), c = array("c", kF32, 2), n = scalar("n", kI64);
  LabelId loop = b.begin_for({i64(0), b.param(n), i64(0), b.param(n)}, {});
  ExprId s = b.local("s", kF32, -1);
  LabelId k = range(b.param(n));
  b.assign(s, add(s, mul(at(a, index(loop, 0), index(k)), at(w, index(k), index(loop, 1)))));
  b.end_for();
  b.assign(at(c, index(loop, 0), index(loop, 1)), s);
  b.end_for();
  EXPECT_EQ(checks(), 0);
  EXPECT_EQ(checks(0, offloaded_block::checked_body), 6);
  EXPECT_TRUE(guarded());
}

TEST_F(Checks, FlattenedMatricesMoveToTheGuard) {
  int32_t a = array("a", kF32), n = scalar("n", kI32), m = scalar("m", kI64);
  LabelId loop = b.begin_for({i64(0), to(b.param(n), kI64), i64(0), b.param(m)}, {});
  b.assign(at(a, add(mul(index(loop, 0), b.param(m)), index(loop, 1))), f32(1));
  b.end_for();
  EXPECT_EQ(checks(), 0);
  EXPECT_TRUE(guarded());
}

TEST_F(Checks, AnInvariantDivisorMovesToTheGuard) {
  int32_t x = array("x", kI32), by = scalar("by", kI32);
  LabelId loop = range(b.dim(x, 0));
  b.assign(at(x, index(loop)), op(BinaryOp::div, i32(100), b.param(by)));
  b.end_for();
  EXPECT_EQ(checks(), 0);
  EXPECT_EQ(checks(0, offloaded_block::checked_body), 1);
}

TEST_F(Checks, AnIndexFromMemoryStays) {
  int32_t x = array("x", kI64), hist = array("hist", kI64);
  LabelId loop = range(b.dim(x, 0));
  atomic(AtomicOp::add, at(hist, at(x, index(loop))), i64(1));
  b.end_for();
  EXPECT_EQ(checks(), 1);
  EXPECT_FALSE(guarded());
}

// What a byte can index is known before it is read.
TEST_F(Checks, AByteFromMemoryMovesToTheGuard) {
  int32_t x = array("x", kU8), hist = array("hist", kI64);
  LabelId loop = range(b.dim(x, 0));
  atomic(AtomicOp::add, at(hist, to(at(x, index(loop)), kI64)), i64(1));
  b.end_for();
  EXPECT_EQ(checks(), 0);
  EXPECT_TRUE(guarded());
}

// A temporary that the task itself changes cannot be part of the guard.
TEST_F(Checks, AChangingTemporaryStays) {
  int32_t x = array("x", kI64), n = scalar("n", kI64);
  ExprId s = b.local("s", kI64, b.param(n));
  range(b.param(n));
  b.assign(at(x, atomic(AtomicOp::add, s, i64(1))), i64(1));
  b.assign(at(x, s), i64(1));
  b.end_for();
  EXPECT_EQ(checks(1), 2);
  EXPECT_FALSE(guarded(1));
}

// The body must not be doubled without bound.
TEST_F(Checks, AHugeBodyIsNotDoubled) {
  int32_t x = array("x", kF32), y = array("y", kF32);
  LabelId loop = range(b.dim(x, 0));
  for (int i = 0; i < 600; i++) b.assign(at(x, index(loop)), at(y, index(loop)));
  b.end_for();
  EXPECT_FALSE(guarded());
  EXPECT_EQ(checks(), 1);
}

}  // namespace
}  // namespace qd
