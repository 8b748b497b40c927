// The PTX of a few kernels, whole. A change here changes every user's kernels: read the difference, then run with
// QD_UPDATE_GOLDEN=1 from the repository's root.
#include <llvm/Config/llvm-config.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/core/ptx_kernels.h"

namespace qd {
namespace {

class PtxGolden : public PtxTest {
 protected:
  void expect_golden(const std::string& name) {
#if LLVM_VERSION_MAJOR == 22
    const std::string path = "tests/core/testdata/" + name + ".ptx";
    if (std::getenv("QD_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path) << ptx();
      return;
    }
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    std::stringstream want;
    want << file.rdbuf();
    EXPECT_EQ(ptx(), want.str()) << "run with QD_UPDATE_GOLDEN=1 if this is meant";
#else
    GTEST_SKIP() << name << ": the files are LLVM 22's";
#endif
  }
};

TEST_F(PtxGolden, Saxpy) {
  saxpy(kF32);
  expect_golden("saxpy");
}

TEST_F(PtxGolden, Total) {
  reduce(kF32, AtomicOp::add);
  expect_golden("total");
}

TEST_F(PtxGolden, Relax) {
  relax();
  expect_golden("relax");
}

TEST_F(PtxGolden, Histogram) {
  const int32_t counts = array("counts", kI32), keys = array("keys", kU8);
  const LabelId loop = range(b.dim(keys, 0));
  atomic(AtomicOp::add, at(counts, to(at(keys, index(loop)), kI64)), i32(1));
  b.end_for();
  expect_golden("histogram");
}

// Scopes of one serial task each, and one of a loop.
TEST_F(PtxGolden, Scopes) {
  const int32_t x = array("x", kI64), y = array("y", kF32);
  for (const int64_t place : {3, 1, 2}) {
    b.begin_stream_parallel();
    b.assign(at(x, i64(place)), mul(at(x, i64(place)), i64(10 * place)));
    b.end_stream_parallel();
  }
  b.begin_stream_parallel();
  const LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), f32(1));
  b.end_for();
  b.end_stream_parallel();
  expect_golden("scopes");
}

// Tasks that follow one that may fail; a bound read from memory; a value that crosses.
TEST_F(PtxGolden, Crossing) {
  const int32_t out = array("out", kI64), n = array("n", kI32);
  const ExprId sum = b.local("sum", kI64, -1);
  const LabelId first = range(to(at(n, i64(0)), kI64));
  atomic(AtomicOp::add, sum, index(first));
  b.end_for();
  const LabelId second = range(b.dim(out, 0));
  b.assign(at(out, index(second)), add(sum, index(second)));
  b.end_for();
  expect_golden("crossing");
}

}  // namespace
}  // namespace qd
