// Arrays that blocks gather in shared memory.
#include "tests/core/ptx_kernels.h"

namespace qd {
namespace {

class PtxPrivate : public PtxTest {
 protected:
  // bins[keys[i]] op= 1
  void count(AtomicOp op, int32_t type) {
    const int32_t bins = array("bins", type), keys = array("keys", kI32);
    const LabelId loop = range(b.dim(keys, 0));
    atomic(op, at(bins, to(at(keys, index(loop)), kI64)), type == kF32 ? f32(1) : type == kI64 ? i64(1) : i32(1));
    b.end_for();
  }
};

// Checked and unchecked updates of the copy and of the array; the copy's start and end are behind barriers.
TEST_F(PtxPrivate, HistogramsAreGathered) {
  count(AtomicOp::add, kI32);
  EXPECT_EQ(task().private_array.rank, 1);
  EXPECT_EQ(task().private_array.cell_size, 4);
  EXPECT_EQ(task().private_array.offset, 0);
  EXPECT_FALSE(task().strided);
  EXPECT_EQ(count_ptx(R"(\.extern \.shared \.align 16 \.b8 k_0_cells\[\])"), 1) << ptx();
  EXPECT_EQ(count_ptx(R"(bar(rier)?\.sync)"), 2) << ptx();
  EXPECT_EQ(task().private_array.width, 16);
  EXPECT_EQ(task().width, 4);
  EXPECT_EQ(count_ptx(R"(red\.shared\.add\.u32)"), 17) << ptx();  // four vectors, one by one
  EXPECT_EQ(count_ptx(R"(red\.global\.add\.u32)"), 6) << ptx();   // a vector, one by one, the flush
  const std::string& text = ptx();
  EXPECT_EQ(text.find("ret;"), text.rfind("ret;")) << text;  // failing threads come to the barrier
  EXPECT_GT(text.find("ret;"), text.rfind("bar.sync"));
}

// The keys of a tile are in flight together.
TEST_F(PtxPrivate, GatheringLoadsFourVectors) {
  count(AtomicOp::add, kI32);
  const std::string& text = ptx();
  size_t loads = 0;
  for (size_t at = 0, end = text.find("red.shared"); (at = text.find("ld.global.nc.v4.b32", at + 1)) < end;) ++loads;
  EXPECT_EQ(loads, 4u) << text;
}

// One test of the largest of a tile's sixteen keys.
TEST_F(PtxPrivate, KeysOf32BitsAreTestedTogether) {
  count(AtomicOp::add, kI32);
  EXPECT_EQ(count_ptx(R"(max\.u32)"), 15 + 3) << ptx();  // and of a vector's, where nothing is gathered
  EXPECT_EQ(count_ptx(R"(max\.u64)"), 0) << ptx();
}

TEST_F(PtxPrivate, EveryUpdateHasANeutralStart) {
  count(AtomicOp::min, kI64);
  EXPECT_EQ(task().private_array.cell_size, 8);
  // As an operand, or through a register.
  EXPECT_EQ(count_ptx(R"((st\.shared\.b64\s+\[%rd[0-9]+\]|mov\.[bu]64\s+%rd[0-9]+), 9223372036854775807)"), 1) << ptx();
  EXPECT_EQ(count_ptx(R"(red\.shared\.min\.s64)"), 17) << ptx();
  EXPECT_EQ(count_ptx(R"(red\.global\.min\.s64)"), 6) << ptx();
}

TEST_F(PtxPrivate, SubtractionsAreFlushedBySums) {
  count(AtomicOp::sub, kF32);
  EXPECT_EQ(count_ptx(R"((st\.shared\.b32\s+\[%rd[0-9]+\]|mov\.[bfu]32\s+%[rf][0-9]+), (-2147483648|0f80000000))"), 1)
      << ptx();
  EXPECT_EQ(count_ptx(R"(red\.shared\.add\.f32)"), 17) << ptx();
}

TEST_F(PtxPrivate, OverlappingArraysAreNot) {
  options.may_alias = true;
  count(AtomicOp::add, kI32);
  EXPECT_EQ(task().private_array.rank, 0);
  EXPECT_EQ(count_ptx("shared"), 0) << ptx();
}

TEST_F(PtxPrivate, FloatsHaveNoAtomicMinimum) {
  count(AtomicOp::min, kF32);
  EXPECT_EQ(task().private_array.rank, 0);
}

TEST_F(PtxPrivate, ArraysThatAreReadAreNot) {
  const int32_t bins = array("bins", kI32), keys = array("keys", kI32);
  const LabelId loop = range(b.dim(keys, 0));
  atomic(AtomicOp::add, at(bins, to(at(keys, index(loop)), kI64)), at(bins, i64(0)));
  b.end_for();
  EXPECT_EQ(task().private_array.rank, 0);
}

TEST_F(PtxPrivate, TwoOperationsAreNotGathered) {
  const int32_t bins = array("bins", kI32), keys = array("keys", kI32);
  const LabelId loop = range(b.dim(keys, 0));
  atomic(AtomicOp::add, at(bins, to(at(keys, index(loop)), kI64)), i32(1));
  atomic(AtomicOp::max, at(bins, to(at(keys, index(loop)), kI64)), i32(7));
  b.end_for();
  EXPECT_EQ(task().private_array.rank, 0);
}

}  // namespace
}  // namespace qd
