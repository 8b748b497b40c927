// Whether a task depends on the launch's number, which lets a device launch it again as it is.
#include <gtest/gtest.h>

#include <string>

#include "tests/core/ptx_kernels.h"

namespace qd {
namespace {

class PtxNumber : public PtxTest {
 protected:
  // Loads of CudaLaunch::launch, alone or with the field before it.
  int loads() {
    constexpr size_t kLaunch = offsetof(CudaLaunch, launch);
    return count_ptx("ld\\.param[^;]*\\+" + std::to_string(kLaunch) + "\\]") +
           count_ptx("ld\\.param\\.v2[^;]*\\+" + std::to_string(kLaunch - 8) + "\\]");
  }
};

TEST_F(PtxNumber, ATaskThatCannotFailDoesNotReadIt) {
  saxpy(kF32);
  options.checks = false;
  EXPECT_FALSE(task().reads_number);
  EXPECT_EQ(loads(), 0);
}

TEST_F(PtxNumber, ATaskThatCanFailReadsIt) {
  const int32_t y = array("y", kI64), x = array("x", kI64);
  const LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), op(BinaryOp::div, i64(7), at(x, index(loop))));
  b.end_for();
  EXPECT_TRUE(task().reads_number);
  EXPECT_GT(loads(), 0);
}

// It does nothing where the task before it failed.
TEST_F(PtxNumber, ATaskAfterOneThatCanFailReadsIt) {
  const int32_t y = array("y", kI64);
  b.assign(at(y, i64(0)), i64(1));
  const LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), i64(2));
  b.end_for();
  ASSERT_EQ(module().tasks.size(), 2U);
  EXPECT_TRUE(task(0).reads_number);
  EXPECT_TRUE(task(1).reads_number);
}

TEST_F(PtxNumber, RandomNumbersDependOnIt) {
  const int32_t y = array("y", kF32);
  const LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), b.random(kF32));
  b.end_for();
  options.checks = false;
  EXPECT_TRUE(task().reads_number);
  EXPECT_GT(loads(), 0);
}

// ---- whether another launch with the same arguments may have the same number

TEST_F(PtxNumber, ArgumentsDecideWhetherAGivenElementIsThere) {
  const int32_t y = array("y", kI64), n = scalar("n", kI64);
  b.assign(at(y, i64(3)), i64(1));
  const LabelId loop = range(b.param(n));
  b.assign(at(y, add(index(loop), i64(1))), i64(2));
  b.end_for();
  EXPECT_TRUE(module().keeps_number);
  EXPECT_TRUE(task(1).reads_number);
}

TEST_F(PtxNumber, ArgumentsDecideAboutALoopOfGivenLength) {
  const int32_t y = array("y", kI64), n = scalar("n", kI64);
  const LabelId loop = range(i64(8));
  const LabelId inner = range(b.param(n));
  b.begin_if(op(BinaryOp::lt, index(inner), index(loop)));
  b.assign(at(y, index(inner)), i64(2));
  b.end_if();
  b.end_for();
  b.end_for();
  EXPECT_TRUE(module().keeps_number);
}

// A kernel over y, with a body in a loop that is not sure to fail or not.
class PtxNumberDepends : public PtxNumber, public testing::WithParamInterface<const char*> {};

TEST_P(PtxNumberDepends, OnMoreThanArguments) {
  const std::string what = GetParam();
  const int32_t y = array("y", kI64);
  const ExprId bound = what == "bound" ? at(y, i64(0)) : b.dim(y, 0);
  if (what == "bound") options.checks = false;
  const LabelId loop = range(bound);
  const auto i = [&] { return index(loop); };
  const auto positive = [&] { return op(BinaryOp::gt, at(y, i()), i64(0)); };
  if (what == "index") {
    b.assign(at(y, at(y, i())), i64(1));
  } else if (what == "divisor") {
    b.assign(at(y, i()), op(BinaryOp::div, i64(7), at(y, i())));
  } else if (what == "condition") {
    b.begin_if(positive());
    b.assign(at(y, i64(5)), i64(1));
    b.end_if();
  } else if (what == "continue") {
    b.begin_if(positive());
    b.continue_(loop);
    b.end_if();
    b.assign(at(y, i64(5)), i64(1));
  } else if (what == "length of an inner loop") {
    const LabelId inner = range(at(y, i()));
    b.assign(at(y, index(inner)), i64(1));
    b.end_for();
  } else if (what == "random number") {
    b.assign(at(y, i()), b.random(kI64));
  } else {
    b.assign(at(y, i()), i64(1));
  }
  b.end_for();
  EXPECT_FALSE(module().keeps_number);
}

INSTANTIATE_TEST_SUITE_P(All, PtxNumberDepends,
                         testing::Values("index", "divisor", "condition", "continue", "length of an inner loop",
                                         "random number", "bound"));

}  // namespace
}  // namespace qd
