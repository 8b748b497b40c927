// Tasks of two and three axes, whose threads take some neighbouring rows of a large range in lockstep.
#include "tests/core/ptx_kernels.h"

namespace qd {
namespace {

class PtxRows : public PtxTest {
 protected:
  LabelId loop = 0;
  int32_t out = 0, in = 0;

  // for i, j over out, with arrays of that type
  void begin(int32_t type) {
    out = array("out", type, 2);
    in = array("in", type, 2);
    loop = b.begin_for({i64(0), b.dim(out, 0), i64(0), b.dim(out, 1)}, {});
  }
  void copy() { b.assign(at(out, i(), j()), at(in, i(), j())); }
  ExprId i() { return index(loop, 0); }
  ExprId j() { return index(loop, 1); }
  // if condition { out[i][j] = in[i][j] }
  int32_t rows_where(BinaryOp compare, ExprId x, ExprId y) {
    b.begin_if(op(compare, x, y));
    copy();
    b.end_if();
    b.end_for();
    return task().rows;
  }
};

// What is below one row and above the next but one is loaded once: six rows for four, three for one, and the edge.
TEST_F(PtxRows, RowsShareTheirNeighbours) {
  relax();
  EXPECT_EQ(task().rows, 4);
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc\.v4\.b32)"), 6 + 3 + 1 - kSplit) << ptx();
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc\.b32)"), 4 * 2 + 2 + 5 + 2 * kSplit) << ptx();  // left and right; one by one
  EXPECT_EQ(count_ptx(R"(st\.global\.v4\.b32)"), 4 + 1 + 1) << ptx();
}

TEST_F(PtxRows, DoublesGoInPairs) {
  begin(kF64);
  copy();
  b.end_for();
  EXPECT_EQ(task().width, 2);
  EXPECT_EQ(task().rows, 4);
  EXPECT_EQ(count_ptx(R"(st\.global\.v2\.b64)"), 4 + 1) << ptx();
}

// Sixteen items a thread are many.
TEST_F(PtxRows, BytesTakeOneRow) {
  begin(kU8);
  copy();
  b.end_for();
  EXPECT_EQ(task().width, 16);
  EXPECT_EQ(task().rows, 1);
}

TEST_F(PtxRows, ThreeAxes) {
  const int32_t x = array("x", kF32, 3);
  loop = b.begin_for({i64(0), b.dim(x, 0), i64(0), b.dim(x, 1), i64(0), b.dim(x, 2)}, {});
  const auto cell = [&] { return b.element(x, {index(loop, 0), index(loop, 1), index(loop, 2)}, true); };
  b.assign(cell(), mul(cell(), f32(2)));
  b.end_for();
  EXPECT_EQ(task().rows, 4);
  EXPECT_EQ(count_ptx(R"(st\.global\.v4\.b32)"), 4 + 1) << ptx();
}

TEST_F(PtxRows, OneAxisHasNone) {
  saxpy(kF32);
  EXPECT_EQ(task().rows, 1);
}

// Rows agree about where they are in the range, but for those at an edge or a diagonal.
TEST_F(PtxRows, ConditionsOfPlaces) {
  begin(kF32);
  EXPECT_EQ(rows_where(BinaryOp::lt, i(), sub(b.dim(out, 0), i64(2))), 4) << ptx();
}

TEST_F(PtxRows, ConditionsOfDiagonals) {
  begin(kF32);
  EXPECT_EQ(rows_where(BinaryOp::eq, i(), j()), 4) << ptx();
  // Four neighbours are never all on it.
  EXPECT_EQ(count_ptx(R"(st\.global\.v4\.b32)"), 0) << ptx();
}

// Where rows part ways all over the range, one row a thread is better.
TEST_F(PtxRows, ConditionsOfNumbersTakeOneRow) {
  begin(kF32);
  EXPECT_EQ(rows_where(BinaryOp::gt, at(in, i(), j()), f32(0)), 1);
}

TEST_F(PtxRows, ConditionsOfEveryOtherRowTakeOneRow) {
  begin(kF32);
  EXPECT_EQ(rows_where(BinaryOp::eq, op(BinaryOp::bit_and, i(), i64(1)), i64(0)), 1);
}

TEST_F(PtxRows, LocalArraysTakeOneRow) {
  begin(kF32);
  const ExprId local = b.local("local", b.array_type(kF32, 16), -1);
  b.assign(at(out, i(), j()), b.item(local, j(), true));
  b.end_for();
  EXPECT_EQ(task().rows, 1);
}

// A loop over tiles has its own ways to keep loads in flight.
TEST_F(PtxRows, LoopsOverTilesTakeOneRow) {
  const int32_t sum = array("sum", kF32);
  begin(kF32);
  atomic(AtomicOp::add, at(sum, i64(0)), at(in, i(), j()));
  b.end_for();
  EXPECT_TRUE(task().strided);
  EXPECT_EQ(task().rows, 1);
  EXPECT_EQ(task().width, 16);
}

TEST_F(PtxRows, GatheringTakesOneRow) {
  const int32_t counts = array("counts", kI32);
  begin(kI32);
  atomic(AtomicOp::add, at(counts, to(at(in, i(), j()), kI64)), i32(1));
  b.end_for();
  EXPECT_EQ(task().private_array.rank, 1);
  EXPECT_EQ(task().private_array.width, 16);
  EXPECT_EQ(task().rows, 1);
}

}  // namespace
}  // namespace qd
