// demote_atomics and make_thread_local: which atomics are plain, which become reductions.
#include "tests/core/pass_fixture.h"

namespace qd {
namespace {

class Atomics : public PassTest {
 protected:
  Atomics() { options.checks = false; }

  struct Kinds {
    int atomic = 0, plain = 0, epilogue = 0;
    friend bool operator==(const Kinds&, const Kinds&) = default;
    friend void PrintTo(const Kinds& kinds, std::ostream* out) {
      *out << kinds.atomic << " atomic, " << kinds.plain << " plain, " << kinds.epilogue << " in the epilogue";
    }
  };
  Kinds kinds(size_t task) {
    Kinds found;
    const Stmt* stmt = compile().root->statements.at(task).get();
    walk(static_cast<const Block*>(stmt->blocks[offloaded_block::body].get()), [&](const Stmt* inner) {
      if (const auto* atomic = as<AtomicStmt>(inner)) (atomic->plain ? found.plain : found.atomic)++;
    });
    found.epilogue = count(task, StmtKind::atomic, offloaded_block::epilogue);
    return found;
  }
};

TEST_F(Atomics, SaxpyIsPlain) {
  int32_t x = array("x", kF32), y = array("y", kF32);
  LabelId loop = range(b.dim(y, 0));
  atomic(AtomicOp::add, at(y, index(loop)), at(x, index(loop)));
  b.end_for();
  EXPECT_EQ(after("demote_atomics"), R"(%0 = offloaded range_for %1, %2 dims=1
  bounds:
    %1 = constant 0 : i64
    %2 = array_dim y axis=0 : i64
  body:
    %3 = loop_index %0 axis=0 : i64
    %4 = element_ptr y %3 check=false : *f32
    %5 = loop_index %0 axis=0 : i64
    %6 = element_ptr x %5 check=false : *f32
    %7 = load %6 : f32
    %8 = atomic add %4, %7 plain : f32
)");
}

// x may be y: then y[i] += x[i] still meets no other iteration's writes, for x is only read.
TEST_F(Atomics, SaxpyIsPlainThoughArraysMayOverlap) {
  int32_t x = array("x", kF32), y = array("y", kF32);
  LabelId loop = range(b.dim(y, 0));
  atomic(AtomicOp::add, at(y, index(loop)), at(x, index(loop)));
  b.end_for();
  options.may_alias = true;
  EXPECT_EQ(kinds(0), (Kinds{0, 1, 0}));
}

TEST_F(Atomics, TwoWrittenArraysThatMayOverlapStayAtomic) {
  int32_t x = array("x", kF32), y = array("y", kF32);
  LabelId loop = range(b.dim(y, 0));
  atomic(AtomicOp::add, at(y, index(loop)), f32(1));
  atomic(AtomicOp::add, at(x, add(index(loop), i64(1))), f32(1));
  b.end_for();
  options.may_alias = true;
  EXPECT_EQ(kinds(0), (Kinds{2, 0, 0}));
}

TEST_F(Atomics, TwoWrittenDistinctArraysArePlain) {
  int32_t x = array("x", kF32), y = array("y", kF32);
  LabelId loop = range(b.dim(y, 0));
  atomic(AtomicOp::add, at(y, index(loop)), f32(1));
  atomic(AtomicOp::add, at(x, add(index(loop), i64(1))), f32(1));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{0, 2, 0}));
}

TEST_F(Atomics, AHistogramStaysAtomic) {
  int32_t hist = array("hist", kI32), data = array("data", kI64);
  LabelId loop = range(b.dim(data, 0));
  atomic(AtomicOp::add, at(hist, at(data, index(loop))), i32(1));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
}

TEST_F(Atomics, TwoElementsOfOneArrayStayAtomic) {
  int32_t y = array("y", kF32);
  LabelId loop = range(b.dim(y, 0));
  atomic(AtomicOp::add, at(y, index(loop)), f32(1));
  atomic(AtomicOp::add, at(y, sub(sub(b.dim(y, 0), i64(1)), index(loop))), f32(1));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{2, 0, 0}));
}

TEST_F(Atomics, AStoreToAnotherElementKeepsThemAtomic) {
  int32_t y = array("y", kF32);
  LabelId loop = range(b.dim(y, 0));
  atomic(AtomicOp::add, at(y, index(loop)), f32(1));
  b.assign(at(y, i64(3)), f32(1));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
}

TEST_F(Atomics, HalvedIndicesMeet) {
  int32_t y = array("y", kF32);
  LabelId loop = range(b.dim(y, 0));
  atomic(AtomicOp::add, at(y, op(BinaryOp::div, index(loop), i64(2))), f32(1));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
}

// 2^32 iterations later a 32-bit index comes round again.
TEST_F(Atomics, NarrowedIndicesMeet) {
  int32_t y = array("y", kF32), n = scalar("n", kI64);
  LabelId loop = range(b.param(n));
  atomic(AtomicOp::add, at(y, to(to(index(loop), kI32), kI64)), f32(1));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
}

// An axis of the task that the index lacks runs over the same elements again.
TEST_F(Atomics, AllAxesMustBeInTheIndex) {
  int32_t c = array("c", kF32, 2), n = scalar("n", kI64);
  LabelId loop = b.begin_for({i64(0), b.param(n), i64(0), b.param(n), i64(0), b.param(n)}, {});
  atomic(AtomicOp::add, at(c, index(loop, 0), index(loop, 1)), f32(1));
  b.end_for();
  LabelId second = b.begin_for({i64(0), b.param(n), i64(0), b.param(n)}, {});
  atomic(AtomicOp::add, at(c, index(second, 1), index(second, 0)), f32(1));
  b.end_for();
  LabelId third = b.begin_for({i64(0), b.param(n), i64(0), b.param(n)}, {});
  atomic(AtomicOp::add, at(c, index(third, 1), index(third, 1)), f32(1));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
  EXPECT_EQ(kinds(1), (Kinds{0, 1, 0}));
  EXPECT_EQ(kinds(2), (Kinds{1, 0, 0}));
}

// Each iteration owns a row, whatever it does in it.
TEST_F(Atomics, ARowOfItsOwnIsPlain) {
  int32_t c = array("c", kF32, 2), n = scalar("n", kI64);
  LabelId loop = range(b.param(n));
  LabelId inner = range(b.param(n));
  atomic(AtomicOp::add, at(c, index(loop), index(inner)), f32(1));
  atomic(AtomicOp::add, at(c, index(loop), i64(0)), f32(1));
  b.end_for();
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{0, 2, 0}));
}

TEST_F(Atomics, PartsOfAnElementCountAsTheElement) {
  int32_t vec = b.array_type(kF32, 2);
  int32_t v = array("v", vec), n = scalar("n", kI64);
  LabelId loop = range(b.param(n));
  atomic(AtomicOp::add, b.item(at(v, index(loop)), i64(0), true), f32(1));
  atomic(AtomicOp::add, b.item(at(v, index(loop)), i64(1), true), f32(1));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{0, 2, 0}));
}

TEST_F(Atomics, LocalsAndSerialTasksArePlain) {
  int32_t y = array("y", kF32), n = scalar("n", kI64);
  atomic(AtomicOp::add, at(y, i64(0)), f32(1));
  LabelId loop = range(b.param(n));
  ExprId s = b.local("s", kF32, -1);
  atomic(AtomicOp::add, s, f32(1));
  b.assign(at(y, index(loop)), s);
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{0, 1, 0}));
  EXPECT_EQ(kinds(1), (Kinds{0, 1, 0}));
}

// y[i] is the iteration's own in each group, but not in the region.
TEST_F(Atomics, AnotherGroupsWritesKeepThemAtomic) {
  int32_t y = array("y", kF32), z = array("z", kF32);
  for (int round = 0; round < 2; round++) {
    b.begin_stream_parallel();
    LabelId loop = range(b.dim(y, 0));
    atomic(AtomicOp::add, at(y, index(loop)), f32(1));
    if (round == 0) atomic(AtomicOp::add, at(z, index(loop)), f32(1));
    b.end_for();
    b.end_stream_parallel();
  }
  EXPECT_EQ(kinds(0), (Kinds{1, 1, 0}));
  EXPECT_EQ(kinds(1), (Kinds{1, 0, 0}));
}

TEST_F(Atomics, SerialTasksOfTwoGroupsMeet) {
  int32_t y = array("y", kF32), z = array("z", kF32);
  for (int32_t other : {y, z}) {
    b.begin_stream_parallel();
    atomic(AtomicOp::add, at(y, i64(0)), f32(1));
    if (other == z) atomic(AtomicOp::add, at(z, i64(0)), f32(1));
    b.end_stream_parallel();
  }
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
  EXPECT_EQ(kinds(1), (Kinds{1, 1, 0}));
}

// ---- reductions ----

TEST_F(Atomics, ASumToAnElementBecomesAReduction) {
  int32_t out = array("out", kF32), x = array("x", kF32);
  LabelId loop = range(b.dim(x, 0));
  atomic(AtomicOp::add, at(out, i64(0)), at(x, index(loop)));
  b.end_for();
  EXPECT_EQ(after("make_thread_local"), R"(%0 = offloaded range_for %1, %2 dims=1
  bounds:
    %1 = constant 0 : i64
    %2 = array_dim x axis=0 : i64
  prologue:
    %3 = alloca "accumulator" : *f32
    %4 = constant -0 : f32
    store %3, %4
  body:
    %5 = constant 0 : i64
    %6 = element_ptr out %5 check=false : *f32
    %7 = loop_index %0 axis=0 : i64
    %8 = element_ptr x %7 check=false : *f32
    %9 = load %8 : f32
    %10 = load %3 : f32
    %11 = binary add %10, %9 reassociate : f32
    store %3, %11
  epilogue:
    %12 = load %3 : f32
    %13 = constant -0 : f32
    %14 = cast bits %12 : u32
    %15 = cast bits %13 : u32
    %16 = binary ne %14, %15 : u1
    if %16
      %17 = constant 0 : i64
      %18 = element_ptr out %17 check=false : *f32
      %19 = atomic add %18, %12 : f32
)");
}

// The index is tested where the iterations are; the epilogue touches the cell only if one came that far.
TEST_F(Atomics, TheCheckStaysInTheBody) {
  int32_t out = array("out", kI64), n = scalar("n", kI64);
  LabelId loop = range(b.param(n));
  b.begin_if(op(BinaryOp::gt, index(loop), i64(5)));
  atomic(AtomicOp::max, at(out, b.param(n)), index(loop));
  b.end_if();
  b.end_for();
  options.checks = true;
  EXPECT_EQ(kinds(0), (Kinds{0, 0, 1}));
  EXPECT_EQ(count(0, StmtKind::check, offloaded_block::epilogue), 0);
  EXPECT_EQ(count(0, StmtKind::if_, offloaded_block::epilogue), 1);
  EXPECT_NE(stages["make_thread_local"].find("check index"), std::string::npos);
  EXPECT_NE(stages["make_thread_local"].find("constant -9223372036854775808 : i64"), std::string::npos);
}

TEST_F(Atomics, ASumToALocalBecomesAReduction) {
  int32_t out = array("out", kI64), n = scalar("n", kI64);
  ExprId s = b.local("s", kI64, -1);
  LabelId loop = range(b.param(n));
  atomic(AtomicOp::sub, s, index(loop));
  b.end_for();
  b.assign(at(out, i64(0)), s);
  EXPECT_EQ(kinds(0), (Kinds{0, 0, 1}));
  // Differences add up in the accumulator and are subtracted once.
  EXPECT_NE(stages["make_thread_local"].find("binary add"), std::string::npos);
  EXPECT_NE(stages["make_thread_local"].find("atomic sub"), std::string::npos);
}

TEST_F(Atomics, AUsedResultIsNoReduction) {
  int32_t out = array("out", kI64), x = array("x", kI64);
  LabelId loop = range(b.dim(x, 0));
  b.assign(at(x, index(loop)), atomic(AtomicOp::add, at(out, i64(0)), i64(1)));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
}

TEST_F(Atomics, AReadOfTheArrayIsNoReduction) {
  int32_t out = array("out", kI64), n = scalar("n", kI64);
  LabelId loop = range(b.param(n));
  atomic(AtomicOp::add, at(out, i64(0)), at(out, add(index(loop), i64(1))));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
}

TEST_F(Atomics, DifferentOperatorsOnOneArrayAreNoReduction) {
  int32_t out = array("out", kI64), n = scalar("n", kI64);
  LabelId loop = range(b.param(n));
  atomic(AtomicOp::add, at(out, i64(0)), i64(1));
  atomic(AtomicOp::max, at(out, i64(0)), index(loop));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{2, 0, 0}));
}

TEST_F(Atomics, TwoArraysThatMayOverlapAreNoReduction) {
  int32_t out = array("out", kI64), x = array("x", kI64);
  LabelId loop = range(b.dim(x, 0));
  atomic(AtomicOp::add, at(out, i64(0)), at(x, index(loop)));
  b.end_for();
  options.may_alias = true;
  EXPECT_EQ(kinds(0), (Kinds{1, 0, 0}));
}

TEST_F(Atomics, TwoCellsHaveTwoAccumulators) {
  int32_t out = array("out", kF64), x = array("x", kF64);
  LabelId loop = range(b.dim(x, 0));
  for (int64_t cell : {0, 1, 0}) atomic(AtomicOp::add, at(out, i64(cell)), at(x, index(loop)));
  b.end_for();
  EXPECT_EQ(kinds(0), (Kinds{0, 0, 2}));
  EXPECT_EQ(count(0, StmtKind::alloca_, offloaded_block::prologue), 2);
}

}  // namespace
}  // namespace qd
