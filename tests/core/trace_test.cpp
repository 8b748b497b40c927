// Traces: what is kept and dropped, and what the CPU device says of tasks that run at the same time.
#include "core/rhi/trace.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/ir/error.h"
#include "core/rhi/device.h"
#include "core/runtime/launcher.h"

namespace qd {
namespace {

using rhi::Trace;
using rhi::TraceClock;
using rhi::TraceRecord;
using rhi::TraceSpan;

TraceSpan span(int32_t worker, TraceClock::time_point start) {
  return {.label = nullptr, .launch = 0, .stream = 0, .worker = worker, .start = start, .end = TraceClock::now()};
}

Code code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.code;
  }
  return Code::ok;
}

TEST(Trace, KeepsWhatItIsOnFor) {
  Trace trace;
  EXPECT_FALSE(trace.on());
  trace.add(span(1, TraceClock::now()));
  const auto before = TraceClock::now();
  trace.start(10);
  EXPECT_TRUE(trace.on());
  trace.add(span(2, before));  // begun when it was off
  const auto first = TraceClock::now();
  trace.add(span(4, first + std::chrono::seconds(1)));
  trace.add(span(3, first));
  const TraceRecord record = trace.stop();
  EXPECT_FALSE(trace.on());
  trace.add(span(5, TraceClock::now()));
  ASSERT_EQ(record.spans.size(), 2U);
  EXPECT_EQ(record.spans[0].worker, 3);
  EXPECT_EQ(record.spans[1].worker, 4);
  EXPECT_EQ(record.dropped, 0);
  EXPECT_GE(record.begun, before);
  EXPECT_LE(record.begun, first);
  trace.start(10);
  EXPECT_TRUE(trace.stop().spans.empty());
}

TEST(Trace, RefusesCallsOutOfTurn) {
  Trace trace;
  EXPECT_EQ(code_of([&] { trace.stop(); }), Code::invalid);
  EXPECT_EQ(code_of([&] { trace.start(-1); }), Code::invalid);
  trace.start(1);
  EXPECT_EQ(code_of([&] { trace.start(1); }), Code::invalid);
  trace.stop();
  EXPECT_EQ(code_of([&] { trace.stop(); }), Code::invalid);
}

TEST(Trace, DropsAndCountsBeyondTheLimit) {
  Trace trace;
  for (int64_t most : {0, 1, 1000}) {
    trace.start(most);
    std::vector<std::thread> threads;
    for (int32_t t = 0; t < 8; ++t) {
      threads.emplace_back([&trace, t] {
        for (int i = 0; i < 500; ++i) trace.add(span(t, TraceClock::now()));
      });
    }
    for (std::thread& thread : threads) thread.join();
    const TraceRecord record = trace.stop();
    EXPECT_EQ(static_cast<int64_t>(record.spans.size()), most);
    EXPECT_EQ(record.dropped, 8 * 500 - most);
  }
}

// Under the thread sanitizer: threads add while the trace goes on and off.
TEST(Trace, GoesOnAndOffWhileThreadsAdd) {
  Trace trace;
  std::atomic<bool> done{false};
  const auto label = std::make_shared<TaskLabel>(TaskLabel{"kernel", "task", 0});
  std::vector<std::thread> threads;
  for (int32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      while (!done) {
        if (!trace.on()) continue;
        TraceSpan s = span(t, TraceClock::now());
        s.label = label;
        trace.add(std::move(s));
      }
    });
  }
  for (int round = 0; round < 50; ++round) {
    trace.start(100'000);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const TraceRecord record = trace.stop();
    TraceClock::time_point last = record.begun;
    for (const TraceSpan& s : record.spans) {
      ASSERT_GE(s.start, last);
      ASSERT_LE(s.start, s.end);
      ASSERT_EQ(s.label, label);
      last = s.start;
    }
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(label.use_count(), 1);
}

// The arguments of the tasks below.
struct Args {
  std::atomic<int32_t>* inside;
  int64_t length;
};
Args args_of(void* block) {
  Args args{};
  std::memcpy(&args, static_cast<char*>(block) + kHeaderSize, sizeof args);
  return args;
}

CompiledTask task(const char* name, TaskFunction function, GroupId group, BoundsFunction bounds = nullptr) {
  CompiledTask made;
  made.task.name = name;
  made.task.type = bounds == nullptr ? TaskType::serial : TaskType::range_for;
  made.task.group = group;
  made.task.dims = bounds == nullptr ? 0 : 1;
  made.task.cost = 1'000'000'000;
  made.function = function;
  made.bounds = bounds;
  made.label = std::make_shared<TaskLabel>(TaskLabel{"made", name, group});
  return made;
}

// Ends only when two are inside.
void meet(void* block, int64_t begin, int64_t end) {
  std::atomic<int32_t>& inside = *args_of(block).inside;
  inside.fetch_add(static_cast<int32_t>(end - begin));
  const auto deadline = TraceClock::now() + std::chrono::seconds(20);
  while (inside.load() < 2 && TraceClock::now() < deadline) std::this_thread::yield();
}
void two(void*, int64_t* bounds) { bounds[0] = 0, bounds[1] = 2; }
void none(void*, int64_t* bounds) { bounds[0] = 0, bounds[1] = 0; }

class DeviceTrace : public testing::Test {
 protected:
  void run(const std::vector<CompiledTask>& tasks, uint64_t number, rhi::Stream stream = nullptr) {
    std::atomic<int32_t> inside{0};
    const Args args{&inside, 0};
    std::vector<OffloadedTask> offloaded;
    for (const CompiledTask& t : tasks) offloaded.push_back(t.task);
    const LaunchPlan plan = plan_launch(offloaded);
    const rhi::StreamUse use(*device_, stream);
    launch(*device_, stream, blocks_,
           {.tasks = tasks, .plan = plan, .args = &args, .args_size = sizeof args, .launch = number});
    met_ = met_ && (inside == 2 || inside == 0);
  }
  std::unique_ptr<rhi::Device> device_ = rhi::make_cpu_device({.threads = 2});
  LaunchBlockPool blocks_;
  bool met_ = true;
};

bool overlap(const TraceSpan& a, const TraceSpan& b) { return a.start < b.end && b.start < a.end; }

TEST_F(DeviceTrace, ChainsOverlapOnTwoWorkers) {
  const std::vector<CompiledTask> tasks = {task("left", meet, 1), task("right", meet, 2)};
  run(tasks, 1);  // not traced
  device_->start_trace(100);
  run(tasks, 2);
  run(tasks, 3);
  const TraceRecord record = device_->stop_trace();
  run(tasks, 4);  // nor is this
  ASSERT_EQ(record.spans.size(), 4U);
  EXPECT_TRUE(met_);
  for (size_t i = 0; i < 4; i += 2) {
    const TraceSpan &a = record.spans[i], &b = record.spans[i + 1];
    EXPECT_TRUE(overlap(a, b));
    EXPECT_EQ(a.launch, 2 + i / 2);
    EXPECT_EQ(b.launch, a.launch);
    EXPECT_EQ((std::set{a.worker, b.worker}), (std::set<int32_t>{0, 1}));
    EXPECT_EQ((std::set{a.label->task, b.label->task}), (std::set<std::string>{"left", "right"}));
    EXPECT_EQ(a.label->group, a.label->task == "left" ? 1 : 2);
    EXPECT_EQ(a.stream, 0);
  }
  EXPECT_GE(record.spans[2].start, record.spans[0].end);
}

TEST_F(DeviceTrace, OneLoopHasASpanForEachWorker) {
  device_->start_trace(100);
  run({task("loop", meet, 0, two), task("empty", meet, 0, none)}, 7);
  const TraceRecord record = device_->stop_trace();
  ASSERT_EQ(record.spans.size(), 2U);
  EXPECT_TRUE(overlap(record.spans[0], record.spans[1]));
  EXPECT_NE(record.spans[0].worker, record.spans[1].worker);
  for (const TraceSpan& s : record.spans) {
    EXPECT_EQ(s.label->kernel, "made");
    EXPECT_EQ(s.label->task, "loop");
    EXPECT_EQ(s.launch, 7U);
  }
}

TEST_F(DeviceTrace, TellsStreamsApart) {
  const rhi::Stream first = device_->create_stream(), second = device_->create_stream();
  device_->start_trace(100);
  const auto nothing = [](void*, int64_t, int64_t) {};
  run({task("a", nothing, 0)}, 1, second);
  run({task("b", nothing, 0)}, 2, first);
  run({task("c", nothing, 0)}, 3);
  const TraceRecord record = device_->stop_trace();
  ASSERT_EQ(record.spans.size(), 3U);
  EXPECT_EQ(record.spans[0].stream, 2);
  EXPECT_EQ(record.spans[1].stream, 1);
  EXPECT_EQ(record.spans[2].stream, 0);
  device_->destroy_stream(first);
  device_->destroy_stream(second);
}

TEST_F(DeviceTrace, IsBounded) {
  device_->start_trace(3);
  const auto nothing = [](void*, int64_t, int64_t) {};
  for (uint64_t i = 0; i < 10; ++i) run({task("a", nothing, 0)}, i);
  const TraceRecord record = device_->stop_trace();
  ASSERT_EQ(record.spans.size(), 3U);
  EXPECT_EQ(record.spans[2].launch, 2U);
  EXPECT_EQ(record.dropped, 7);
}

}  // namespace
}  // namespace qd
