#include "core/ir/error.h"
#include "tests/core/ptx_kernels.h"

namespace qd {
namespace {

using Ptx = PtxTest;

// Four floats a thread in one access each, x through the read-only path.
TEST_F(Ptx, MapsTakeSixteenBytesAThread) {
  saxpy(kF32);
  EXPECT_EQ(task().width, 4);
  EXPECT_FALSE(task().strided);
  EXPECT_TRUE(task().bounds_on_host);
  EXPECT_EQ(task().wide_arrays.size(), 2u);
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc\.v4\.b32)"), 1) << ptx();
  EXPECT_EQ(count_ptx(R"(ld\.global\.v4\.b32)"), 1);
  EXPECT_EQ(count_ptx(R"(st\.global\.v4\.b32)"), 1);
}

TEST_F(Ptx, DoublesGoInPairs) {
  saxpy(kF64);
  EXPECT_EQ(task().width, 2);
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc\.v2\.b64)"), 1) << ptx();
  EXPECT_EQ(count_ptx(R"(st\.global\.v2\.b64)"), 1);
}

// Iterations may run in any order, so wide accesses need no claim about distinct arrays; the read-only path does.
TEST_F(Ptx, OverlappingArraysAreNotReadOnly) {
  saxpy(kF32);
  options.may_alias = true;
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc)"), 0) << ptx();
  EXPECT_EQ(count_ptx(R"(ld\.global\.v4\.b32)"), 2);
}

// The loads of a row are one access and one neighbour at each end; threads at the edge go one by one.
TEST_F(Ptx, LanesAgreeAboutConditions) {
  relax();
  EXPECT_EQ(task().width, 4);
  EXPECT_EQ(count_ptx(R"(st\.global\.v4\.b32)"), 2 + 4) << ptx();  // of the edge, of the inside; rows of it
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc\.v4\.b32)"), 4 + 6 - kSplit) << ptx();  // one there, three here; rows
  EXPECT_EQ(count_ptx(R"((div|rem)\.[us](64|32))"), 0) << ptx();
}

TEST_F(Ptx, LanesDoNotRunLoops) {
  const int32_t x = array("x", kF32), n = scalar("n", kI64);
  const LabelId loop = range(b.dim(x, 0));
  const LabelId inner = b.begin_for({i64(0), b.param(n)}, {});
  b.assign(at(x, index(loop)), mul(at(x, index(loop)), f32(1.5)));
  b.end_for();
  (void)inner;
  b.end_for();
  EXPECT_EQ(task().width, 1);
}

// A division's branches stand in no load's way: the unrolled iterations load first.
TEST_F(Ptx, LoadsComeBeforeDivisions) {
  const int32_t out = array("out", kF32), x = array("x", kF32);
  const LabelId loop = range(b.dim(out, 0));
  const ExprId sum = b.local("sum", kF32, -1);
  const LabelId inner = range(b.dim(x, 0));
  b.assign(sum, add(sum, op(BinaryOp::div, f32(1), at(x, index(inner)))));
  b.end_for();
  b.assign(at(out, index(loop)), sum);
  b.end_for();
  EXPECT_GE(count_ptx(R"((ld\.global\.nc[^\n]*\n\s*){4})"), 1) << ptx();
  // Four together, tested once: the exact ones stand behind that test.
  EXPECT_GE(count_ptx(R"((rcp\.approx\.ftz\.f32[^;]*;[^@]*){4}@)"), 1) << ptx();
  EXPECT_GE(count_ptx(R"((rcp\.rn[^\n]*\n\s*){4})"), 1);
}

// One alone is as quick with the assembler's own branch.
TEST_F(Ptx, LoneDivisionsStayAsTheyAre) {
  const int32_t x = array("x", kF32);
  b.assign(at(x, i64(0)), op(BinaryOp::div, at(x, i64(1)), at(x, i64(2))));
  EXPECT_EQ(count_ptx(R"(div\.rn\.f32)"), 1) << ptx();
  EXPECT_EQ(count_ptx(R"(approx)"), 0) << ptx();
}

// An estimate may lead anywhere, so nothing is read where it says before it has been tested.
TEST_F(Ptx, NoLoadFollowsAnEstimate) {
  options.checks = false;  // which would stand in between
  const int32_t out = array("out", kF32), x = array("x", kF32);
  const LabelId loop = range(b.dim(out, 0));
  ExprId value = b.bind(at(x, index(loop)));
  for (int step = 0; step < 3; ++step) {
    const ExprId first = b.bind(op(BinaryOp::div, f32(1), value));
    const ExprId second = b.bind(op(BinaryOp::div, f32(1), add(first, f32(1))));
    value = b.bind(at(x, to(second, kI64)));
  }
  b.assign(at(out, index(loop)), value);
  b.end_for();
  EXPECT_GE(count_ptx(R"(rcp\.approx)"), 2) << ptx();
  // Between an estimate and the next load stands a branch.
  EXPECT_EQ(count_ptx(R"(rcp\.approx[^@]*ld\.global)"), 0) << ptx();
}

// c[i][j] = Σ a[i][k] * b[k][j]: four of a's elements in one access, in a version for where its rows allow that.
TEST_F(Ptx, UnrolledLoopsReadSixteenBytes) {
  const int32_t c = array("c", kF32, 2), left = array("a", kF32, 2), right = array("b", kF32, 2);
  const LabelId loop = b.begin_for({i64(0), b.dim(c, 0), i64(0), b.dim(c, 1)}, {});
  const ExprId sum = b.local("sum", kF32, -1);
  const LabelId inner = range(b.dim(right, 0));
  const ExprId product = mul(at(left, index(loop, 0), index(inner)), at(right, index(inner), index(loop, 1)));
  b.assign(sum, add(sum, product));
  b.end_for();
  b.assign(at(c, index(loop, 0), index(loop, 1)), sum);
  b.end_for();
  EXPECT_EQ(task().width, 1);
  ASSERT_EQ(task().wide_arrays.size(), 1u);
  EXPECT_EQ(task().wide_arrays[0].offset, compile().params[1].offset);
  EXPECT_EQ(task().wide_arrays[0].items, 4);
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc\.v4\.b32)"), 1) << ptx();
}

// Three floats each: four elements are three accesses.
TEST_F(Ptx, UnrolledLoopsReadVectorsOfElements) {
  const int32_t out = array("out", kF32), x = array("x", b.array_type(kF32, 3));
  const LabelId loop = range(b.dim(out, 0));
  const ExprId sum = b.local("sum", kF32, -1);
  const LabelId inner = range(b.dim(x, 0));
  for (const int64_t part : {0, 1, 2}) b.assign(sum, add(sum, b.item(at(x, index(inner)), i64(part), false)));
  b.end_for();
  b.assign(at(out, index(loop)), sum);
  b.end_for();
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc\.v4\.b32)"), 3) << ptx();
}

// for x[i] > 1 { x[i] = x[i] * 0.5 }, over a local
TEST_F(Ptx, ShortLoopsAreUnrolled) {
  const int32_t x = array("x", kF32);
  const LabelId loop = range(b.dim(x, 0));
  const ExprId value = b.local("value", kF32, at(x, index(loop)));
  const LabelId halve = b.begin_loop();
  b.begin_if(op(BinaryOp::le, value, f32(1)));
  b.break_(halve);
  b.end_if();
  b.assign(value, mul(value, f32(0.5)));
  b.end_loop();
  b.assign(at(x, index(loop)), value);
  b.end_for();
  EXPECT_GE(count_ptx(R"(mul\.(rn\.)?f32)"), 4) << ptx();
}

// Lanes, then shuffles, then shared memory behind one barrier; the block adds to the cell once.
TEST_F(Ptx, ReductionsMeetInTheBlock) {
  reduce(kF32, AtomicOp::add);
  EXPECT_TRUE(task().strided);
  EXPECT_EQ(task().width, 16);
  EXPECT_EQ(task().vector, 4);
  EXPECT_EQ(task().shared_bytes, 32 * 4);
  EXPECT_EQ(count_ptx(R"(ld\.global\.nc\.v4\.b32)"), 4) << ptx();
  EXPECT_EQ(count_ptx(R"(shfl\.sync\.down\.b32)"), 10) << ptx();
  EXPECT_EQ(count_ptx(R"(bar(rier)?\.sync)"), 1) << ptx();
  EXPECT_EQ(count_ptx(R"((atom|red)\.[a-z.]*add\.f32)"), 1) << ptx();
}

TEST_F(Ptx, LongReductionsShuffleHalves) {
  reduce(kI64, AtomicOp::max);
  EXPECT_EQ(count_ptx(R"(shfl\.sync\.down\.b32)"), 20) << ptx();
  EXPECT_EQ(count_ptx(R"((atom|red)\.[a-z.]*max\.s64)"), 1) << ptx();
}

// Every shuffle of the block's threads comes after the loops, at one place that all of them reach.
TEST_F(Ptx, FailingThreadsComeToTheBarrier) {
  const int32_t sum = array("sum", kF32), x = array("x", kF32), at_index = array("at", kI64);
  const LabelId loop = range(b.dim(at_index, 0));
  atomic(AtomicOp::add, at(sum, i64(0)), at(x, at(at_index, index(loop))));
  b.end_for();
  const std::string& text = ptx();
  const size_t barrier = text.find("shfl.sync");
  ASSERT_NE(barrier, std::string::npos);
  EXPECT_EQ(text.find("ret;"), text.rfind("ret;")) << text;  // one way out, behind the barrier
  EXPECT_GT(text.find("ret;"), barrier);
}

// Where a bound is read from memory, the device computes it, and counts.
TEST_F(Ptx, BoundsOfMemoryStayOnTheDevice) {
  const int32_t x = array("x", kF32), n = array("n", kI32);
  const LabelId loop = range(to(at(n, i64(0)), kI64));
  b.assign(at(x, index(loop)), f32(1));
  b.end_for();
  ASSERT_EQ(module().tasks.size(), 2u);
  EXPECT_EQ(task(0).task.type, TaskType::serial);
  EXPECT_FALSE(task(1).bounds_on_host);
  EXPECT_TRUE(task(1).strided);
  EXPECT_EQ(task(1).bounds, nullptr);
  EXPECT_FALSE(module().zero_temps);  // the first task does
  EXPECT_EQ(count_ptx(R"(\.visible \.entry)"), 2);
  EXPECT_EQ(count_ptx(R"(\.version)"), 1);
}

// 64-bit divisions of two axes' indices are the host's: the device multiplies.
TEST_F(Ptx, AxesCostNoDivision) {
  const int32_t x = array("x", kI32, 3);
  const LabelId loop = b.begin_for({i64(0), b.dim(x, 0), i64(0), b.dim(x, 1), i64(0), b.dim(x, 2)}, {});
  b.assign(b.element(x, {index(loop, 0), index(loop, 1), index(loop, 2)}, true), to(index(loop, 1), kI32));
  b.end_for();
  EXPECT_EQ(count_ptx(R"((div|rem)\.)"), 0) << ptx();
}

TEST_F(Ptx, IntegerDivisionChecksItsDivisor) {
  const int32_t x = array("x", kI32), y = array("y", kI32);
  const LabelId loop = range(b.dim(x, 0));
  b.assign(at(x, index(loop)), op(BinaryOp::div, at(x, index(loop)), at(y, index(loop))));
  b.end_for();
  EXPECT_EQ(count_ptx(R"(atom\.[a-z.]*cas\.b64)"), 1) << ptx();  // all checks claim the record in one place
  EXPECT_EQ(count_ptx(R"((fence\.sc\.sys|membar\.sys))"), 1);
  EXPECT_EQ(ptx().find("call"), std::string::npos);
  EXPECT_EQ(module().checks.size(), 3u);  // of the divisor; in the checked copy, of y's index as well
}

TEST_F(Ptx, AtomicsOfFloats) {
  const int32_t f = array("f", kF32), d = array("d", kF64), i = array("i", kI32);
  const LabelId loop = range(b.dim(i, 0));
  const auto cell = [&](int32_t p) { return at(p, to(at(i, index(loop)), kI64)); };
  atomic(AtomicOp::add, cell(f), f32(1));
  atomic(AtomicOp::sub, cell(d), b.constant_float(kF64, 1));
  atomic(AtomicOp::min, cell(f), f32(0));
  b.end_for();
  // Four lanes, and the way of single iterations.
  EXPECT_EQ(count_ptx(R"((atom|red)\.[a-z.]*add\.f32)"), 5) << ptx();
  EXPECT_EQ(count_ptx(R"((atom|red)\.[a-z.]*add\.f64)"), 5);
  EXPECT_EQ(count_ptx(R"(atom\.[a-z.]*cas\.b32)"), 5);
}

// Where the old value is used the instruction returns it, elsewhere not.
TEST_F(Ptx, AtomicsReturnWhatIsRead) {
  const int32_t counts = array("counts", kI32), x = array("x", kI32);
  const LabelId loop = range(b.dim(x, 0));
  b.assign(at(x, index(loop)), atomic(AtomicOp::add, at(counts, i64(0)), i32(1)));
  atomic(AtomicOp::bit_or, at(counts, i64(1)), i32(4));
  b.end_for();
  EXPECT_GT(count_ptx(R"(atom\.[a-z.]*add\.[us]32)"), 0) << ptx();
  EXPECT_EQ(count_ptx(R"(red\.[a-z.]*add)"), 0);
  EXPECT_GT(count_ptx(R"(red\.[a-z.]*or\.b32)"), 0);
  EXPECT_EQ(count_ptx(R"(atom\.[a-z.]*or\.b32)"), 0);
}

TEST_F(Ptx, PrintsGoToTheBuffer) {
  const int32_t x = array("x", kF32);
  const LabelId loop = range(b.dim(x, 0));
  b.print({at(x, index(loop)), index(loop)}, "%v %v\n", false);
  b.end_for();
  EXPECT_EQ(count_ptx(R"((atom|red)\.[a-z.]*add\.(u64|s64) .*, 4;)"), 1) << ptx();  // two words and two values
  EXPECT_EQ(module().prints.size(), 1u);
}

TEST_F(Ptx, MathNeedsALibrary) {
  const int32_t x = array("x", kF32);
  const LabelId loop = range(b.dim(x, 0));
  b.assign(at(x, index(loop)), b.unary(static_cast<int32_t>(UnaryOp::sin), at(x, index(loop))));
  b.end_for();
  try {
    module();
    FAIL() << "compiled without sin";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Code::unsupported);
    EXPECT_NE(std::string(error.what()).find("sinf"), std::string::npos) << error.what();
  }
  target.libdevice = "not bitcode";
  try {
    module();
    FAIL() << "read nonsense";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("libdevice"), std::string::npos) << error.what();
  }
}

// Square roots and rounding are instructions, correctly rounded, subnormals kept.
TEST_F(Ptx, ExactMathNeedsNone) {
  const int32_t x = array("x", kF32);
  const LabelId loop = range(b.dim(x, 0));
  const ExprId root = b.bind(b.unary(static_cast<int32_t>(UnaryOp::sqrt), at(x, index(loop))));
  b.assign(at(x, index(loop)), op(BinaryOp::div, b.unary(static_cast<int32_t>(UnaryOp::floor), root), root));
  b.end_for();
  EXPECT_EQ(module().math, "");
  EXPECT_GT(count_ptx(R"(sqrt\.rn\.f32)"), 0) << ptx();
  EXPECT_GT(count_ptx(R"(div\.rn\.f32)"), 0) << ptx();
}

// A product that the source rounds is not fused, here as on the CPU.
TEST_F(Ptx, RoundedProductsAreNotFused) {
  const int32_t x = array("x", kF32);
  const LabelId loop = range(b.dim(x, 0));
  const ExprId value = b.bind(at(x, index(loop)));
  const ExprId product = b.cast(static_cast<int32_t>(CastOp::round), mul(value, value), kF32);
  b.assign(at(x, index(loop)), add(product, f32(3)));
  b.end_for();
  EXPECT_EQ(count_ptx(R"(fma)"), 0) << ptx();
  EXPECT_GT(count_ptx(R"(mul\.rn\.f32)"), 0) << ptx();
}

TEST_F(Ptx, BlockDimIsRoundedToWarps) {
  const int32_t x = array("x", kF32);
  const LabelId loop = b.begin_for({i64(0), b.dim(x, 0)}, {.block_dim = 100, .serialize = false, .name = "my step"});
  b.assign(at(x, index(loop)), f32(2));
  b.end_for();
  EXPECT_EQ(task().block_dim, 128);
  EXPECT_EQ(task().task.name, "my step");
  EXPECT_EQ(count_ptx(R"(\.maxntid 128)"), 1) << ptx();
}

TEST_F(Ptx, ArgumentsMustFit) {
  const int32_t bytes = b.array_type(kU8, 40000);
  b.param_value("large", bytes);
  const int32_t x = array("x", kF32);
  const LabelId loop = range(b.dim(x, 0));
  b.assign(at(x, index(loop)), f32(2));
  b.end_for();
  try {
    module();
    FAIL() << "40000 bytes of arguments";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Code::unsupported);
  }
}

CudaPtxVersion choose(int32_t sm, int32_t driver = 0) {
  return choose_ptx({.sm = sm, .driver_ptx = driver, .libdevice = {}, .libclc = {}});
}

TEST(PtxTarget, VersionsFitTheDeviceAndTheDriver) {
  EXPECT_EQ(choose(90).sm, 90);
  EXPECT_EQ(choose(90).ptx, 83);
  EXPECT_EQ(choose(60).sm, 60);
  EXPECT_EQ(choose(121).sm, LLVM_VERSION_MAJOR < 20 ? 90 : 120);  // runs what 120 runs, which LLVM 19 does not know
  EXPECT_EQ(choose(120, 83).sm, 90);                              // the driver knows no newer
  EXPECT_EQ(choose(75, 64).ptx, 64);
  EXPECT_THROW(choose(52), Error);
  EXPECT_THROW(choose(70, 60), Error);
}

// No target of the list may make LLVM give up.
TEST_F(Ptx, EveryTargetCompiles) {
  reduce(kF32, AtomicOp::min);
  const KernelIR& ir = compile();
  options.dump = nullptr;
  for (int32_t sm : {60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 120, 121}) {
    target.sm = sm;
    const auto made = compile_for_cuda(ir, options, target);
    const std::string want = ".target sm_" + std::to_string(choose(sm).sm);
    EXPECT_NE(made->ptx.find(want), std::string::npos) << sm;
  }
}

}  // namespace
}  // namespace qd
