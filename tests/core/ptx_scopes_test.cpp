// Scopes of one serial task each, as blocks of one kernel, and what a serial task gets of its launch.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/ptx_kernels.h"

namespace qd {
namespace {

class PtxScopes : public PtxTest {
 protected:
  const int32_t x = array("x", kI64);

  template <class F>
  void scope(F body) {
    b.begin_stream_parallel();
    body();
    b.end_stream_parallel();
  }
  void store(int64_t place) { b.assign(at(x, i64(place)), i64(place + 100)); }
  void scope_of_store(int64_t place) {
    scope([&] { store(place); });
  }
  int entries() { return count_ptx("\\.entry "); }
  int64_t parameter_bytes(const std::string& entry) {
    const std::string parameter = entry + "_param_0[";
    return std::stol(ptx().substr(ptx().find(parameter) + parameter.size()));
  }
};

TEST_F(PtxScopes, ScopesOfOneSerialTaskShareAnEntry) {
  for (int64_t i = 0; i < 5; ++i) scope_of_store(i);
  EXPECT_EQ(entries(), 1);
  ASSERT_EQ(module().tasks.size(), 5U);
  for (int32_t i = 0; i < 5; ++i) {
    const CudaTask& of = task(static_cast<size_t>(i));
    EXPECT_EQ(of.entry, task().entry);
    EXPECT_EQ(of.scope, i);
    EXPECT_EQ(of.scopes, 5);
    EXPECT_EQ(of.task.group, i + 1);
    EXPECT_EQ(of.block_dim, 1);
    EXPECT_EQ(count_ptx("10" + std::to_string(i) + ";"), 1) << ptx();
  }
  EXPECT_EQ(count_ptx("%ctaid\\.x"), 1);
}

TEST_F(PtxScopes, OtherScopesOfTheRegionHaveTheirOwn) {
  const int32_t y = array("y", kI64), z = array("z", kI64);
  scope_of_store(0);
  scope([&] {  // a range
    const LabelId loop = range(b.dim(y, 0));
    b.assign(at(y, index(loop)), i64(1));
    b.end_for();
  });
  scope_of_store(1);
  scope([&] {  // two tasks
    const LabelId loop = range(b.dim(z, 0));
    b.assign(at(z, index(loop)), i64(1));
    b.end_for();
    b.assign(at(z, i64(0)), i64(2));
  });
  EXPECT_EQ(entries(), 4) << ptx();
  std::vector<int32_t> scopes;
  for (const CudaTask& of : module().tasks) scopes.push_back(of.scopes);
  EXPECT_EQ(scopes, std::vector<int32_t>({2, 1, 2, 1, 1}));
  EXPECT_EQ(task(0).entry, task(2).entry);
  EXPECT_EQ(task(2).scope, 1);
}

TEST_F(PtxScopes, AScopeAloneIsNoRegion) {
  scope_of_store(0);
  EXPECT_EQ(task().scopes, 1);
  EXPECT_EQ(count_ptx("%ctaid\\.x"), 0);
}

// Their numbers follow from the task's own place.
TEST_F(PtxScopes, RandomNumbersNeedAnEntryOfTheirOwn) {
  const int32_t y = array("y", kF32);
  scope([&] { b.assign(at(y, i64(0)), b.random(kF32)); });
  scope([&] { b.assign(at(y, i64(1)), b.random(kF32)); });
  EXPECT_EQ(entries(), 2);
}

TEST_F(PtxScopes, AnEntryHasNoRoomForLargeLocals) {
  for (int64_t i = 0; i < 2; ++i) {
    scope([&] {
      const ExprId local = b.local("table", b.array_type(kI64, 100), -1);
      b.assign(b.item(local, at(x, i64(i)), true), i64(1));
      b.assign(at(x, i64(i)), b.item(local, at(x, i64(i)), true));
    });
  }
  EXPECT_EQ(entries(), 2);
}

// What another scope does is no reason to leave.
TEST_F(PtxScopes, ScopesOfStoresDoNothingElse) {
  options.checks = false;
  for (int64_t i = 0; i < 2; ++i) scope_of_store(i);
  EXPECT_EQ(count_ptx("@%p[0-9]+ bra"), 2) << "two of the choice of a scope\n" << ptx();
  EXPECT_FALSE(task().reads_number);
}

TEST_F(PtxScopes, ALoopDoesNotAskWhetherAnotherScopeFailed) {
  const int32_t y = array("y", kF32);
  scope_of_store(0);  // has a check
  scope([&] {
    for (int i = 0; i < 2; ++i) {
      const LabelId loop = range(b.dim(y, 0));
      b.assign(at(y, index(loop)), f32(1));
      b.end_for();
      b.print({at(y, i64(0))}, "%v\n", false);  // and so has this
    }
  });
  ASSERT_EQ(module().tasks.size(), 5U);
  EXPECT_FALSE(task(1).reads_number);
  EXPECT_TRUE(task(3).reads_number) << "a check of its own scope comes before";
}

TEST_F(PtxScopes, AFailureOfOneNamesItsCheck) {
  for (int64_t i = 0; i < 3; ++i) scope_of_store(i);
  EXPECT_EQ(module().checks.size(), 3U);
  EXPECT_TRUE(task(2).reads_number);
  EXPECT_EQ(count_ptx("cas\\.b64"), 1) << "one place that records";
}

// A launch takes longer with more bytes.
TEST_F(PtxScopes, ASerialTaskGetsWhatItReadsOfItsLaunch) {
  store(0);
  const auto got = static_cast<int64_t>(sizeof(CudaLaunch) - offsetof(CudaLaunch, state));
  EXPECT_EQ(task().launch_begin, offsetof(CudaLaunch, state));
  EXPECT_EQ(parameter_bytes(task().entry), got + module().params_size);
}

TEST_F(PtxScopes, WhatIsReadOfALaunch) {
  const int32_t y = array("y", kF32);
  b.assign(at(y, i64(0)), b.random(kF32));
  const LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), f32(1));
  b.end_for();
  b.print({at(y, i64(0))}, "%v\n", false);
  ASSERT_EQ(module().tasks.size(), 3U);
  EXPECT_EQ(task(0).launch_begin, offsetof(CudaLaunch, seed));
  EXPECT_EQ(task(1).launch_begin, 0U);
  EXPECT_EQ(task(2).launch_begin, offsetof(CudaLaunch, prints));
}

TEST_F(PtxScopes, TemporariesAreReadWhereAValueCrosses) {
  const ExprId sum = b.local("sum", kI64, i64(5));
  const LabelId loop = range(b.dim(x, 0));
  atomic(AtomicOp::add, sum, at(x, index(loop)));
  b.end_for();
  b.assign(at(x, i64(0)), sum);
  ASSERT_EQ(module().tasks.size(), 3U);
  EXPECT_EQ(task(0).launch_begin, offsetof(CudaLaunch, temps));
  EXPECT_EQ(task(2).launch_begin, offsetof(CudaLaunch, temps));
}

}  // namespace
}  // namespace qd
