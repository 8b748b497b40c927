// Tasks as a whole: chunks, arguments, failures, the shape of the code.
#include <atomic>
#include <thread>

#include "tests/core/codegen_kernel.h"

namespace qd::codegen_test {
namespace {

// y[i] = a * x[i] + y[i]
TestKernel saxpy() {
  TestKernel k("saxpy");
  const int32_t x = k.param(f32(), 1), y = k.param(f32(), 1), a = k.param(f32());
  OffloadedStmt* task = k.task_over(y);
  Emitter e = k.in(task);
  Stmt* i = e.loop_index(task, 0);
  Stmt* target = k.element(e, y, {i});
  Stmt* product = e.binary(BinaryOp::mul, e.arg_load(a, f32()), e.load(k.element(e, x, {i})));
  e.store(target, e.binary(BinaryOp::add, product, e.load(target)));
  return k;
}

TEST(Codegen, Saxpy) {
  TestKernel k = saxpy();
  k.compile();
  std::vector<float> x(1000), y(1000), want(1000);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 0.5f;
    want[i] = 2.0f * x[i] + y[i];
  }
  k.set_array(0, x);
  k.set_array(1, y);
  k.set(2, 2.0f);
  k.run(77);
  EXPECT_EQ(y, want);
}

// Every iteration runs once, with its indices, however the range is cut.
void test_indices(std::vector<std::pair<int64_t, int64_t>> axes) {
  TestKernel k;
  const int32_t out = k.param(i64(), 1), seen = k.param(i32(), 1);
  OffloadedStmt* task = k.range_task(static_cast<int32_t>(axes.size()));
  std::vector<int32_t> params;
  for (size_t i = 0; i < 2 * axes.size(); ++i) params.push_back(k.param(i64()));
  Emitter bounds = k.in(task, offloaded_block::bounds);
  for (int32_t p : params) task->operands.push_back(bounds.arg_load(p, i64()));
  Emitter e = k.in(task);
  Stmt* flat = e.constant_int(i64(), 0);
  Stmt* code = flat;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    Stmt* index = e.loop_index(task, static_cast<int32_t>(axis));
    Stmt* begin = e.arg_load(params[2 * axis], i64());
    Stmt* extent = e.binary(BinaryOp::sub, e.arg_load(params[2 * axis + 1], i64()), begin);
    flat = e.binary(BinaryOp::add, e.binary(BinaryOp::mul, flat, extent), e.binary(BinaryOp::sub, index, begin));
    code = e.binary(BinaryOp::add, e.binary(BinaryOp::mul, code, e.constant_int(i64(), 1000)), index);
  }
  e.store(k.element(e, out, {flat}), code);
  e.atomic(AtomicOp::add, k.element(e, seen, {flat}), e.constant_int(i32(), 1));
  k.compile();
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    k.set(params[2 * axis], axes[axis].first);
    k.set(params[2 * axis + 1], axes[axis].second);
  }
  const auto count = static_cast<size_t>(k.iterations(0));
  std::vector<int64_t> want(count);
  std::vector<int64_t> at;
  for (auto [begin, end] : axes) at.push_back(begin);
  for (int64_t& w : want) {
    for (int64_t index : at) w = 1000 * w + index;
    for (size_t axis = axes.size(); axis-- > 0;) {
      if (++at[axis] < axes[axis].second) break;
      at[axis] = axes[axis].first;
    }
  }
  for (int64_t chunk : {1, 2, 3, 5, 7, 11, 100, 0}) {
    std::vector<int64_t> got(count, -1);
    std::vector<int32_t> times(count);
    k.set_array(out, got);
    k.set_array(seen, times);
    k.run(chunk);
    EXPECT_EQ(got, want) << "chunk " << chunk;
    EXPECT_EQ(times, std::vector<int32_t>(count, 1)) << "chunk " << chunk;
    k.run_chunk(0, 0, 0);  // an empty chunk does nothing, even of an empty range
    EXPECT_EQ(times, std::vector<int32_t>(count, 1));
  }
}

TEST(Codegen, ChunksOfOneAxis) {
  test_indices({{0, 23}});
  test_indices({{-5, 6}});
  test_indices({{7, 3}});
}
TEST(Codegen, ChunksOfTwoAxes) {
  test_indices({{0, 4}, {0, 5}});
  test_indices({{-2, 3}, {10, 17}});
  test_indices({{0, 9}, {3, 4}});
  test_indices({{0, 0}, {0, 5}});
  test_indices({{0, 5}, {2, -2}});
}
TEST(Codegen, ChunksOfThreeAxes) {
  test_indices({{0, 3}, {0, 4}, {0, 5}});
  test_indices({{-1, 2}, {5, 7}, {-3, 4}});
  test_indices({{0, 2}, {0, 1}, {0, 3}});
  test_indices({{0, 4}, {0, 3}, {9, 10}});
}

// out[i][j] and out[i][j][k] lie where Go's rows do.
TEST(Codegen, ElementsOfSeveralAxes) {
  TestKernel k;
  const int32_t out = k.param(i64(), 3), n = k.param(i64(), 2);
  OffloadedStmt* task = k.task_over(out);
  Emitter e = k.in(task);
  Stmt* at[] = {e.loop_index(task, 0), e.loop_index(task, 1), e.loop_index(task, 2)};
  e.store(k.element(e, out, {at[0], at[1], at[2]}), e.load(k.element(e, n, {at[1], at[2]})));
  k.compile();
  std::vector<int64_t> small{1, 2, 3, 4, 5, 6}, big(24), want(24);
  for (size_t i = 0; i < want.size(); ++i) want[i] = small[i % 6];
  k.set_array(out, big.data(), {4, 2, 3});
  k.set_array(n, small.data(), {2, 3});
  k.run(5);
  EXPECT_EQ(big, want);
}

// A sum with a thread-local accumulator: prologue, body, epilogue; one atomic a chunk.
TestKernel reduction(BinaryOp combine, bool reassociate) {
  TestKernel k("reduction");
  const int32_t x = k.param(f32(), 1), out = k.param(f32(), 1);
  OffloadedStmt* task = k.task_over(x);
  Emitter prologue = k.in(task, offloaded_block::prologue);
  Stmt* accumulator = prologue.alloca_of(f32(), "accumulator");
  Emitter e = k.in(task);
  auto* sum = as<BinaryStmt>(e.binary(combine, e.load(accumulator), e.load(k.element(e, x, {e.loop_index(task, 0)}))));
  sum->reassociate = reassociate;
  e.store(accumulator, sum);
  Emitter epilogue = k.in(task, offloaded_block::epilogue);
  Stmt* cell = k.element(epilogue, out, {epilogue.constant_int(i64(), 0)});
  epilogue.atomic(AtomicOp::add, cell, epilogue.load(accumulator));
  return k;
}

TEST(Codegen, ReductionAddsOncePerChunk) {
  TestKernel k = reduction(BinaryOp::add, true);
  k.compile();
  std::vector<float> x(1000, 1.0f), out(1);
  k.set_array(0, x);
  k.set_array(1, out);
  k.run(99);
  EXPECT_EQ(out[0], 1000.0f);
}

// The guard chooses per chunk; a failure in the checked body leaves the epilogue out.
TEST(Codegen, GuardChoosesTheBody) {
  TestKernel k;
  const int32_t out = k.param(i32(), 1), fast = k.param(u1()), limit = k.param(i64());
  OffloadedStmt* task = k.task_between({0, 10});
  Emitter guard = k.in(task, offloaded_block::guard);
  guard.binary(BinaryOp::logic_and, guard.arg_load(fast, u1()), guard.constant_bool(true));
  auto fill = [&](Emitter e, int value, bool checked) {
    Stmt* i = e.loop_index(task, 0);
    if (checked) k.check(e, CheckKind::index, {i, e.arg_load(limit, i64())});
    e.store(k.element(e, out, {i}), e.constant_int(i32(), value));
  };
  fill(k.in(task), 1, false);
  fill(k.in(task, offloaded_block::checked_body), 2, true);
  Emitter epilogue = k.in(task, offloaded_block::epilogue);
  epilogue.store(k.element(epilogue, out, {epilogue.constant_int(i64(), 10)}), epilogue.constant_int(i32(), 7));
  k.compile();
  std::vector<int32_t> data(11);
  k.set_array(out, data);
  k.set(fast, true);
  k.run();
  EXPECT_EQ(data, (std::vector<int32_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7}));
  data.assign(11, 0);
  k.set(fast, false);
  k.set(limit, int64_t{4});
  k.run();
  EXPECT_EQ(data, (std::vector<int32_t>{2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(k.header().state, static_cast<int32_t>(LaunchState::failed));
  EXPECT_EQ(static_cast<int64_t>(k.header().values[0]), 4);
}

// The text of one stage of every task.
std::string dump_of(TestKernel& k, const std::string& wanted) {
  std::string result;
  k.options.dump = [&](const char* stage, const std::string& text) {
    if (stage == wanted) result += text;
  };
  k.compile();
  return result;
}

// Alias facts are why there is one vector loop and no test at run time whether the arrays overlap.
TEST(Codegen, SaxpyVectorisesWithoutAliasChecks) {
  TestKernel k = saxpy();
  const std::string text = dump_of(k, "llvm-opt");
  EXPECT_NE(text.find("vector.body"), std::string::npos) << text;
  EXPECT_EQ(text.find("vector.memcheck"), std::string::npos) << text;
}

TEST(Codegen, OverlapIsRespectedWhereItMayBe) {
  TestKernel k = saxpy();
  k.options.may_alias = true;
  EXPECT_NE(dump_of(k, "llvm-opt").find("vector.memcheck"), std::string::npos);
  std::vector<float> data(100, 1.0f), want(100, 1.0f);
  for (size_t i = 0; i < 99; ++i) want[i + 1] = 2.0f * want[i] + want[i + 1];
  k.set_array(0, data.data(), {99});
  k.set_array(1, data.data() + 1, {99});
  k.set(2, 2.0f);
  k.run();
  EXPECT_EQ(data, want);
}

TEST(Codegen, ReductionsVectorise) {
  TestKernel sum = reduction(BinaryOp::add, true);
  EXPECT_NE(dump_of(sum, "llvm-opt").find("vector.reduce.fadd"), std::string::npos);
  TestKernel ordered = reduction(BinaryOp::add, false);
  EXPECT_EQ(dump_of(ordered, "llvm-opt").find("fadd reassoc"), std::string::npos);
  TestKernel largest = reduction(BinaryOp::max, false);
  EXPECT_NE(dump_of(largest, "llvm-opt").find("vector.reduce.fmaximum"), std::string::npos);
}

TEST(Codegen, DumpsHaveEveryStageOnceATask) {
  TestKernel k;
  for (int i = 0; i < 3; ++i) {
    Emitter e = k.in(k.serial_task());
    e.alloca_of(i64());
  }
  k.threads = 3;
  std::vector<std::string> stages;
  k.options.dump = [&](const char* stage, const std::string& text) {
    stages.push_back(std::string(stage) + (text.empty() ? " empty" : ""));
  };
  k.compile();
  EXPECT_EQ(stages, (std::vector<std::string>{"llvm", "llvm", "llvm", "llvm-opt", "llvm-opt", "llvm-opt", "asm", "asm",
                                              "asm"}));
}

// Task descriptions and check ids do not depend on which thread compiles what.
TEST(Codegen, ParallelCompilationIsDeterministic) {
  for (int threads : {1, 4}) {
    TestKernel k("many");
    const int32_t out = k.param(i64(), 1);
    for (int t = 0; t < 12; ++t) {
      OffloadedStmt* task = k.serial_task();
      task->pos = t;
      task->group = t / 4;
      if (t == 5) task->options.name = "named";
      Emitter e = k.in(task);
      CheckStmt* check = k.check(e, CheckKind::nonzero, {e.array_dim(out, 0)});
      check->pos = 100 + t;
      e.store(k.element(e, out, {e.constant_int(i64(), t)}), e.constant_int(i64(), t * t));
    }
    k.threads = threads;
    CompiledKernel& compiled = k.compile();
    std::vector<int64_t> data(12);
    k.set_array(out, data);
    k.run();
    for (int t = 0; t < 12; ++t) {
      const auto at = static_cast<size_t>(t);
      EXPECT_EQ(data[at], t * t);
      EXPECT_EQ(compiled.tasks[at].task.group, t / 4);
      EXPECT_EQ(compiled.checks[at].pos, 100 + t);
    }
    EXPECT_EQ(compiled.tasks[4].task.name, "many_4_serial");
    EXPECT_EQ(compiled.tasks[5].task.name, "named");
  }
}

// An array that is only read must be usable from memory that cannot be written; here: it simply stays as it was, and
// kernels compiled, run and freed by many threads at once do not disturb each other.
TEST(Codegen, ThreadsCompileRunAndFree) {
  std::vector<std::jthread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      for (int round = 0; round < 3; ++round) {
        TestKernel k = saxpy();
        k.compile();
        std::vector<float> x(50, 1.0f), y(50, static_cast<float>(t));
        k.set_array(0, x);
        k.set_array(1, y);
        k.set(2, static_cast<float>(round));
        k.run(9);
        for (float v : y) wrong += v != static_cast<float>(t + round);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(Codegen, EmptyKernel) {
  TestKernel k;
  EXPECT_TRUE(k.compile().tasks.empty());
}

TEST(Codegen, Info) {
  const CodegenInfo info = codegen_info();
  EXPECT_GE(std::stoi(info.llvm_version), 19);
  EXPECT_FALSE(info.cpu.empty());
  EXPECT_NE(info.features.find("+sse2"), std::string::npos);
}

}  // namespace
}  // namespace qd::codegen_test
