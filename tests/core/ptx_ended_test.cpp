// Tasks that must not do anything in a launch that an earlier task has ended.
#include "tests/core/ptx_kernels.h"

namespace qd {
namespace {

class PtxEnded : public PtxTest {
 protected:
  // x[at[i]] = 1, which can fail.
  void failing_task(int32_t x, int32_t places) {
    const LabelId loop = range(b.dim(places, 0));
    b.assign(at(x, at(places, index(loop))), f32(1));
    b.end_for();
  }
  // The PTX of the second task.
  std::string second() {
    const std::string& text = ptx();
    return text.substr(text.rfind(".visible .entry"));
  }
  static size_t find(const std::string& text, const char* what) {
    const size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what << " in " << text;
    return at;
  }
};

// What the iteration reads is asked for before the answer is awaited; what it writes comes after.
TEST_F(PtxEnded, LoadsDoNotWait) {
  const int32_t x = array("x", kF32), y = array("y", kF32), places = array("places", kI64);
  failing_task(x, places);
  const LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), add(at(y, index(loop)), at(x, index(loop))));
  b.end_for();
  const std::string text = second();
  const size_t ended = find(text, "ld.global.b64"), read = find(text, "ld.global.nc.v4"),
               write = find(text, "st.global.v4");
  EXPECT_LT(ended, read) << text;
  EXPECT_LT(read, write) << text;
  EXPECT_EQ(text.substr(ended, read - ended).find("setp.ne.b64"), std::string::npos) << text;
  EXPECT_EQ(text.substr(ended, read - ended).find("setp.eq.b64"), std::string::npos) << text;
  const std::string between = text.substr(read, write - read);
  EXPECT_NE(between.find("bra"), std::string::npos) << text;
}

// An index that an earlier task may have left unwritten leads nowhere before that is known.
TEST_F(PtxEnded, LoadsAtReadIndicesWait) {
  const int32_t x = array("x", kF32), y = array("y", kF32), places = array("places", kI64);
  options.checks = false;
  failing_task(x, places);
  b.begin_if(op(BinaryOp::eq, at(places, i64(0)), i64(7)));
  b.return_();
  b.end_if();
  const LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), at(x, at(places, index(loop))));
  b.end_for();
  const std::string text = second();
  const size_t ended = find(text, "ld.global.b64"), place = find(text, "ld.global.nc.v2.b64");
  EXPECT_LT(ended, place) << text;
  const std::string rest = text.substr(place);
  EXPECT_LT(find(rest, "bra"), find(rest, "ld.global.nc.b32")) << text;
}

}  // namespace
}  // namespace qd
