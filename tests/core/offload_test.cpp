#include "core/ir/error.h"
#include "tests/core/pass_fixture.h"

namespace qd {
namespace {

using Offload = PassTest;

TEST_F(Offload, AnEmptyKernelHasNoTask) { EXPECT_EQ(after("offload"), ""); }

TEST_F(Offload, BoundsOfArgumentsNeedNoSerialTask) {
  int32_t x = array("x", kI64), n = scalar("n", kI32);
  LabelId loop = b.begin_for({i64(1), mul(to(b.param(n), kI64), i64(2))}, {});
  b.assign(at(x, index(loop)), index(loop));
  b.end_for();
  options.checks = false;
  EXPECT_EQ(after("offload"), R"(%0 = offloaded range_for %1, %5 dims=1
  bounds:
    %1 = constant 1 : i64
    %2 = arg_load n : i32
    %3 = cast value %2 : i64
    %4 = constant 2 : i64
    %5 = binary mul %3, %4 : i64
  body:
    %6 = loop_index %0 axis=0 : i64
    %7 = element_ptr x %6 check=false : *i64
    %8 = loop_index %0 axis=0 : i64
    store %7, %8
)");
}

// A bound read from memory is read by a serial task and crosses through a temporary.
TEST_F(Offload, DynamicBoundsCross) {
  int32_t x = array("x", kI64), size = array("size", kI32);
  LabelId loop = range(to(at(size, i64(0)), kI64));
  b.assign(at(x, index(loop)), i64(7));
  b.continue_(loop);
  b.end_for();
  options.checks = false;
  EXPECT_EQ(after("offload"), R"(offloaded serial
  body:
    %0 = constant 0 : i64
    %1 = element_ptr size %0 check=false : *i32
    %2 = load %1 : i32
    %3 = cast value %2 : i64
    %4 = temp_ptr offset=0 : *i64
    store %4, %3
%5 = offloaded range_for %6, %8 dims=1
  bounds:
    %6 = constant 0 : i64
    %7 = temp_ptr offset=0 : *i64
    %8 = load %7 : i64
  body:
    %9 = loop_index %5 axis=0 : i64
    %10 = element_ptr x %9 check=false : *i64
    %11 = constant 7 : i64
    store %10, %11
    continue %5
)");
  EXPECT_EQ(compile().temps_size, 8);
}

// The local lives in the launch block, which starts as zero: no task is made to clear it.
TEST_F(Offload, ASumIsReadByALaterLoop) {
  int32_t out = array("out", kI64), n = scalar("n", kI64);
  ExprId s = b.local("s", kI64, i64(0));
  LabelId first = range(b.param(n));
  atomic(AtomicOp::add, s, index(first));
  b.end_for();
  LabelId second = range(i64(10));
  b.assign(at(out, index(second)), s);
  b.end_for();
  options.checks = false;
  EXPECT_EQ(after("offload"), R"(%0 = offloaded range_for %1, %2 dims=1
  bounds:
    %1 = constant 0 : i64
    %2 = arg_load n : i64
  body:
    %3 = temp_ptr offset=0 : *i64
    %4 = loop_index %0 axis=0 : i64
    %5 = atomic add %3, %4 : i64
%6 = offloaded range_for %7, %8 dims=1
  bounds:
    %7 = constant 0 : i64
    %8 = constant 10 : i64
  body:
    %9 = temp_ptr offset=0 : *i64
    %10 = loop_index %6 axis=0 : i64
    %11 = element_ptr out %10 check=false : *i64
    %12 = load %9 : i64
    store %11, %12
)");
}

// Only the first use may be dropped: a later reset is work of its own.
TEST_F(Offload, ALaterZeroIsKept) {
  int32_t out = array("out", kI64), n = scalar("n", kI64);
  ExprId s = b.local("s", kI64, i64(0));
  for (int round = 0; round < 2; round++) {
    LabelId loop = range(b.param(n));
    atomic(AtomicOp::add, s, index(loop));
    b.end_for();
    b.assign(at(out, i64(round)), s);
    b.assign(s, i64(0));
  }
  EXPECT_EQ(compile().root->statements.size(), 4u);
  EXPECT_EQ(count(1, StmtKind::store), 2);
}

TEST_F(Offload, ANonZeroStartIsStored) {
  int32_t n = scalar("n", kI64), out = array("out", kF32);
  ExprId s = b.local("s", kF32, f32(-0.0));
  range(b.param(n));
  atomic(AtomicOp::add, s, f32(1));
  b.end_for();
  b.assign(at(out, b.param(n)), s);
  EXPECT_EQ(compile().root->statements.size(), 3u);
  EXPECT_EQ(count(0, StmtKind::store), 1);
}

TEST_F(Offload, ALocalOfOneSerialTaskStaysLocal) {
  int32_t x = array("x", kI64), n = scalar("n", kI64);
  ExprId s = b.local("s", kI64, b.param(n));
  b.begin_if(op(BinaryOp::lt, s, i64(0)));
  b.assign(s, i64(1));
  b.end_if();
  b.assign(at(x, i64(0)), s);
  EXPECT_EQ(compile().root->statements.size(), 1u);
  EXPECT_EQ(count(0, StmtKind::alloca_), 1);
  EXPECT_EQ(count(0, StmtKind::temp_ptr), 0);
  EXPECT_EQ(compile().temps_size, 0);
}

TEST_F(Offload, GroupsNeverShareATask) {
  int32_t x = array("x", kI64), y = array("y", kI64), size = array("size", kI64);
  for (int32_t target : {x, y}) {
    b.begin_stream_parallel();
    LabelId loop = range(at(size, i64(target)));
    b.assign(at(target, index(loop)), index(loop));
    b.end_for();
    b.end_stream_parallel();
  }
  options.checks = false;
  EXPECT_EQ(after("offload"), R"(offloaded serial group=1
  body:
    %0 = constant 0 group=1 : i64
    %1 = element_ptr size %0 check=false group=1 : *i64
    %2 = load %1 group=1 : i64
    %3 = temp_ptr offset=0 group=1 : *i64
    store %3, %2 group=1
%4 = offloaded range_for %5, %7 dims=1 group=1
  bounds:
    %5 = constant 0 group=1 : i64
    %6 = temp_ptr offset=0 group=1 : *i64
    %7 = load %6 group=1 : i64
  body:
    %8 = loop_index %4 axis=0 group=1 : i64
    %9 = element_ptr x %8 check=false group=1 : *i64
    %10 = loop_index %4 axis=0 group=1 : i64
    store %9, %10 group=1
offloaded serial group=2
  body:
    %11 = constant 1 group=2 : i64
    %12 = element_ptr size %11 check=false group=2 : *i64
    %13 = load %12 group=2 : i64
    %14 = temp_ptr offset=8 group=2 : *i64
    store %14, %13 group=2
%15 = offloaded range_for %16, %18 dims=1 group=2
  bounds:
    %16 = constant 0 group=2 : i64
    %17 = temp_ptr offset=8 group=2 : *i64
    %18 = load %17 group=2 : i64
  body:
    %19 = loop_index %15 axis=0 group=2 : i64
    %20 = element_ptr y %19 check=false group=2 : *i64
    %21 = loop_index %15 axis=0 group=2 : i64
    store %20, %21 group=2
)");
}

TEST_F(Offload, AnEmptyScopeHasNoTask) {
  b.begin_stream_parallel();
  b.end_stream_parallel();
  b.begin_stream_parallel();
  b.end_stream_parallel();
  EXPECT_TRUE(compile().root->statements.empty());
}

// A division that may fail is made once, by the task that checks it.
TEST_F(Offload, ADivisionIsNotCopied) {
  int32_t x = array("x", kI64), n = scalar("n", kI64);
  LabelId loop = range(op(BinaryOp::div, i64(100), b.param(n)));
  b.assign(at(x, index(loop)), i64(1));
  b.end_for();
  EXPECT_EQ(compile().root->statements.size(), 2u);
  EXPECT_EQ(count(0, StmtKind::check), 1);
  EXPECT_EQ(count(1, StmtKind::load, offloaded_block::bounds), 1);
  EXPECT_EQ(count(1, StmtKind::binary, offloaded_block::bounds), 0);
}

// Fields of a struct passed by value are arguments as any.
TEST_F(Offload, ABoundFromAByValueStructNeedsNoSerialTask) {
  int32_t type = b.struct_type({kI64, kI64}, {0, 8}, 16, 8);
  int32_t x = array("x", kI64), sim = scalar("sim", type);
  LabelId loop = range(b.field(b.param(sim), 1));
  b.assign(at(x, index(loop)), b.field(b.param(sim), 0));
  b.end_for();
  ASSERT_EQ(compile().root->statements.size(), 1u);
  EXPECT_EQ(count(0, StmtKind::arg_place, offloaded_block::bounds), 1);
}

TEST_F(Offload, AReturnStopsASerialTask) {
  int32_t x = array("x", kI64), n = scalar("n", kI64);
  b.begin_if(op(BinaryOp::lt, b.param(n), i64(0)));
  b.return_();
  b.end_if();
  LabelId loop = range(b.param(n));
  b.assign(at(x, index(loop)), i64(1));
  b.end_for();
  ASSERT_EQ(compile().root->statements.size(), 2u);
  EXPECT_EQ(count(0, StmtKind::stop), 1);
}

// Made by hand: the builder refuses it.
TEST(OffloadGroups, AVariableSharedByTwoGroupsIsRefused) {
  KernelIR kernel;
  Emitter emitter(kernel.types, kernel.root.get());
  Stmt* shared = emitter.alloca_of(scalar_type(Primitive::i64), "s");
  for (GroupId group : {1, 2}) {
    emitter.group = group;
    emitter.store(shared, emitter.constant_int(scalar_type(Primitive::i64), group));
  }
  try {
    offload(kernel);
    FAIL() << "two groups share a variable";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Code::compile);
    EXPECT_STREQ(error.what(), "variable s is shared by two StreamParallel scopes");
  }
}

}  // namespace
}  // namespace qd
