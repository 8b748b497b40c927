// Control flow, failed checks, early returns and printing.
#include "tests/core/codegen_kernel.h"

namespace qd::codegen_test {
namespace {

RangeForStmt* range_for(Emitter& e, std::vector<Stmt*> bounds) {
  const auto dims = static_cast<int32_t>(bounds.size() / 2);
  auto* loop = e.emit<RangeForStmt>(none_type(), std::move(bounds), 1);
  loop->dims = dims;
  return loop;
}

void jump(Emitter& e, Stmt* target, bool out) {
  if (out) {
    e.emit<BreakStmt>(none_type(), {target});
  } else {
    e.emit<ContinueStmt>(none_type(), {target});
  }
}

// sum over i < n, odd i skipped, up to and without 7; in the kernel's own loop statements.
TEST(CodegenControl, BreakAndContinueOfRangeFor) {
  TestKernel k;
  const int32_t out = k.param(i64(), 1), n = k.param(i64());
  Emitter e = k.in(k.serial_task());
  Stmt* sum = e.alloca_of(i64());
  RangeForStmt* loop = range_for(e, {e.constant_int(i64(), 0), e.arg_load(n, i64())});
  Emitter b(k.ir.types, loop->blocks[0].get());
  Stmt* i = b.loop_index(loop, 0);
  IfStmt* stop = b.if_else(b.binary(BinaryOp::eq, i, b.constant_int(i64(), 7)));
  Emitter yes(k.ir.types, stop->blocks[0].get());
  jump(yes, loop, true);
  IfStmt* odd = b.if_else(b.cast(b.binary(BinaryOp::bit_and, i, b.constant_int(i64(), 1)), u1()));
  Emitter skip(k.ir.types, odd->blocks[0].get());
  jump(skip, loop, false);
  b.store(sum, b.binary(BinaryOp::add, b.load(sum), i));
  e.store(k.element(e, out, {e.constant_int(i64(), 0)}), e.load(sum));
  k.compile();
  std::vector<int64_t> data(1);
  k.set_array(out, data);
  for (auto [count, want] : {std::pair<int64_t, int64_t>{-5, 0}, {0, 0}, {1, 0}, {5, 6}, {7, 12}, {100, 12}}) {
    k.set(n, count);
    k.run();
    EXPECT_EQ(data[0], want) << count;
  }
}

// Continue goes to the innermost axis, break leaves all of them.
TEST(CodegenControl, RangeForOfTwoAxes) {
  TestKernel k;
  const int32_t out = k.param(i64(), 1), limit = k.param(i64());
  Emitter e = k.in(k.serial_task());
  Stmt* count = e.alloca_of(i64());
  auto c = [&](Emitter& at, int64_t v) { return at.constant_int(i64(), v); };
  RangeForStmt* loop = range_for(e, {c(e, -1), c(e, 2), c(e, 5), c(e, 9)});
  Emitter b(k.ir.types, loop->blocks[0].get());
  IfStmt* six = b.if_else(b.binary(BinaryOp::eq, b.loop_index(loop, 1), c(b, 6)));
  Emitter skip(k.ir.types, six->blocks[0].get());
  jump(skip, loop, false);
  b.store(count, b.binary(BinaryOp::add, b.load(count), c(b, 1)));
  IfStmt* full = b.if_else(b.binary(BinaryOp::eq, b.load(count), b.arg_load(limit, i64())));
  Emitter leave(k.ir.types, full->blocks[0].get());
  jump(leave, loop, true);
  e.store(k.element(e, out, {c(e, 0)}), e.load(count));
  k.compile();
  std::vector<int64_t> data(1);
  k.set_array(out, data);
  for (auto [at_most, want] : {std::pair<int64_t, int64_t>{100, 9}, {4, 4}, {9, 9}}) {
    k.set(limit, at_most);
    k.run();
    EXPECT_EQ(data[0], want) << at_most;
  }
}

// loop { body, post } with continue to post, inside a labelled scope that is left from within.
TEST(CodegenControl, LoopAndScope) {
  TestKernel k;
  const int32_t out = k.param(i64(), 1);
  Emitter e = k.in(k.serial_task());
  auto c = [&](Emitter& at, int64_t v) { return at.constant_int(i64(), v); };
  Stmt* i = e.alloca_of(i64());
  Stmt* sum = e.alloca_of(i64());
  auto* scope = e.emit<ScopeStmt>(none_type(), {}, 1);
  Emitter s(k.ir.types, scope->blocks[0].get());
  auto* loop = s.emit<LoopStmt>(none_type(), {}, 2);
  Emitter b(k.ir.types, loop->blocks[0].get());
  IfStmt* three = b.if_else(b.binary(BinaryOp::eq, b.load(i), c(b, 3)));
  Emitter skip(k.ir.types, three->blocks[0].get());
  jump(skip, loop, false);
  IfStmt* ten = b.if_else(b.binary(BinaryOp::eq, b.load(i), c(b, 10)));
  Emitter leave(k.ir.types, ten->blocks[0].get());
  jump(leave, scope, true);
  b.store(sum, b.binary(BinaryOp::add, b.load(sum), b.load(i)));
  Emitter post(k.ir.types, loop->blocks[1].get());
  post.store(i, post.binary(BinaryOp::add, post.load(i), c(post, 1)));
  e.store(k.element(e, out, {c(e, 0)}), e.load(sum));
  k.compile();
  std::vector<int64_t> data(1);
  k.set_array(out, data);
  k.run();
  EXPECT_EQ(data[0], 45 - 3);
}

TEST(CodegenControl, StopEndsTheKernelUnlessItFailed) {
  TestKernel k;
  const int32_t out = k.param(i64(), 1), stop = k.param(u1());
  Emitter e = k.in(k.serial_task());
  IfStmt* condition = e.if_else(e.arg_load(stop, u1()));
  Emitter yes(k.ir.types, condition->blocks[0].get());
  yes.emit<StopStmt>(none_type());
  e.store(k.element(e, out, {e.constant_int(i64(), 0)}), e.constant_int(i64(), 1));
  k.compile();
  std::vector<int64_t> data(1);
  k.set_array(out, data);
  k.set(stop, true);
  k.run();
  EXPECT_EQ(k.header().state, static_cast<int32_t>(LaunchState::stopped));
  EXPECT_EQ(data[0], 0);
  k.header().state = static_cast<int32_t>(LaunchState::failed);
  k.run();
  EXPECT_EQ(k.header().state, static_cast<int32_t>(LaunchState::failed));
  k.header().state = 0;
  k.set(stop, false);
  k.run();
  EXPECT_EQ(k.header().state, 0);
  EXPECT_EQ(data[0], 1);
}

struct Outcome {
  bool failed;
  std::vector<int64_t> values;
};

// One check of the operands given, as i64.
Outcome run_check(CheckKind kind, const std::vector<int64_t>& operands) {
  TestKernel k;
  std::vector<int32_t> params;
  for (size_t i = 0; i < operands.size(); ++i) params.push_back(k.param(i64()));
  const int32_t after = k.param(i64(), 1);
  Emitter e = k.in(k.serial_task());
  std::vector<Stmt*> values;
  for (int32_t p : params) values.push_back(e.arg_load(p, i64()));
  k.check(e, kind, values);
  e.store(k.element(e, after, {e.constant_int(i64(), 0)}), e.constant_int(i64(), 1));
  k.compile();
  for (size_t i = 0; i < operands.size(); ++i) k.set(params[i], operands[i]);
  std::vector<int64_t> reached(1);
  k.set_array(after, reached);
  k.run();
  const bool failed = k.header().state == static_cast<int32_t>(LaunchState::failed);
  EXPECT_EQ(reached[0], failed ? 0 : 1);
  Outcome outcome{failed, {}};
  if (failed) {
    for (size_t i = 0; i < operands.size(); ++i) {
      outcome.values.push_back(static_cast<int64_t>(k.header().values[i]));
    }
  }
  return outcome;
}

TEST(CodegenControl, EveryKindOfCheck) {
  struct Case {
    CheckKind kind;
    std::vector<int64_t> operands;
    bool holds;
  };
  const std::vector<Case> cases = {
      {CheckKind::index, {0, 1}, true},      {CheckKind::index, {4, 5}, true},
      {CheckKind::index, {5, 5}, false},     {CheckKind::index, {-1, 5}, false},
      {CheckKind::index, {0, 0}, false},     {CheckKind::index, {INT64_MIN, 5}, false},
      {CheckKind::slice, {0, 0, 0}, true},   {CheckKind::slice, {1, 3, 3}, true},
      {CheckKind::slice, {2, 1, 3}, false},  {CheckKind::slice, {0, 4, 3}, false},
      {CheckKind::slice, {-1, 2, 3}, false}, {CheckKind::slice, {-2, -1, 3}, false},
      {CheckKind::nonzero, {1}, true},       {CheckKind::nonzero, {0}, false},
      {CheckKind::shift, {0}, true},         {CheckKind::shift, {-1}, false},
      {CheckKind::length, {3, 3}, true},     {CheckKind::length, {2, 3}, false},
  };
  for (const Case& c : cases) {
    const Outcome outcome = run_check(c.kind, c.operands);
    EXPECT_EQ(outcome.failed, !c.holds) << static_cast<int>(c.kind) << " of " << c.operands[0];
    if (outcome.failed) {
      EXPECT_EQ(outcome.values, c.operands);
    }
  }
}

// The first failure is kept; its site and values are those of that check; nothing runs after it in the chunk.
TEST(CodegenControl, FailureRecordsSiteAndValues) {
  TestKernel k;
  const int32_t data = k.param(f32(), 1);
  OffloadedStmt* task = k.task_between({0, 100});
  Emitter e = k.in(task);
  Stmt* i = e.loop_index(task, 0);
  CheckStmt* divisor = k.check(e, CheckKind::nonzero, {e.constant_int(i64(), 1)});  // always holds
  divisor->pos = 3;
  Stmt* length = e.array_dim(data, 0);
  CheckStmt* index = k.check(e, CheckKind::index, {i, length});
  index->pos = 4;
  index->axis = 0;
  index->name = "data";
  Stmt* place = k.element(e, data, {i});
  CheckStmt* assertion =
      k.check(e, CheckKind::assertion,
              {e.binary(BinaryOp::ge, e.load(place), e.constant_float(f32(), 0)), e.load(place), e.cast(i, i32()),
               e.constant_bool(true), e.constant(scalar_type(Primitive::u8), 200)});
  assertion->message = "%v at %v";
  e.store(place, e.constant_float(f32(), 9));
  k.compile();
  ASSERT_EQ(k.compiled().checks.size(), 3u);
  EXPECT_EQ(k.compiled().checks[1].pos, 4);
  EXPECT_EQ(k.compiled().checks[1].name, "data");
  EXPECT_EQ(k.compiled().checks[2].message, "%v at %v");
  EXPECT_EQ(k.compiled().checks[2].types, (std::vector<const Type*>{f32(), i32(), u1(), scalar_type(Primitive::u8)}));

  std::vector<float> values(10, 1.0f);
  values[7] = -2.5f;
  k.set_array(data, values);
  k.run_chunk(0, 0, 100);
  EXPECT_EQ(k.header().state, static_cast<int32_t>(LaunchState::failed));
  EXPECT_EQ(k.header().check, 2);
  double reported = 0;
  std::memcpy(&reported, &k.header().values[0], 8);
  EXPECT_EQ(reported, -2.5);
  EXPECT_EQ(k.header().values[1], 7u);
  EXPECT_EQ(k.header().values[2], 1u);
  EXPECT_EQ(k.header().values[3], 200u);
  EXPECT_EQ(values[6], 9.0f);
  EXPECT_EQ(values[8], 1.0f);

  k.run_chunk(0, 9, 100);  // fails at index 10, too late to be recorded
  EXPECT_EQ(k.header().check, 2);
  EXPECT_EQ(values[9], 9.0f);
}

struct Printed {
  std::vector<std::pair<int32_t, std::vector<uint64_t>>> lines;
  static void print(void* context, int32_t site, const uint64_t* values, int32_t count) {
    static_cast<Printed*>(context)->lines.push_back({site, {values, values + count}});
  }
};

TEST(CodegenControl, Print) {
  TestKernel k;
  OffloadedStmt* task = k.task_between({5, 7});
  Emitter e = k.in(task);
  auto* first = e.emit<PrintStmt>(none_type());
  first->format = "hello";
  auto* second = e.emit<PrintStmt>(none_type(), {e.cast(e.loop_index(task, 0), i32()), e.constant_int(i32(), -1),
                                                 e.constant_float(f32(), 0.5), e.constant_bool(true)});
  second->format = "%v %v %v %v";
  second->to_stderr = true;
  k.compile();
  ASSERT_EQ(k.compiled().prints.size(), 2u);
  EXPECT_EQ(k.compiled().prints[1].types, (std::vector<const Type*>{i32(), i32(), f32(), u1()}));
  EXPECT_TRUE(k.compiled().prints[1].to_stderr);
  Printed printed;
  HostServices host{Printed::print, &printed};
  k.header().host = &host;
  k.run();
  ASSERT_EQ(printed.lines.size(), 4u);
  EXPECT_EQ(printed.lines[0].first, 0);
  EXPECT_TRUE(printed.lines[0].second.empty());
  EXPECT_EQ(printed.lines[3].first, 1);
  EXPECT_EQ(printed.lines[3].second, (std::vector<uint64_t>{6, static_cast<uint64_t>(-1), 0x3fe0000000000000, 1}));
}

}  // namespace
}  // namespace qd::codegen_test
