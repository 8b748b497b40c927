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

}  // namespace
}  // namespace qd
