// The launcher on the CPU device, with tasks written by hand in place of compiled ones.
#include "core/runtime/launcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "core/ir/error.h"
#include "core/runtime/array_arguments.h"
#include "core/runtime/launch_failure.h"

namespace qd {
namespace {

constexpr int64_t kArgs = 16;  // a pointer to a record, and a length

struct Record {
  std::vector<int32_t> order;
  std::atomic<int64_t> sum{0};
  std::atomic<int32_t> inside{0};
};
Record& record(void* block) {
  Record* r = nullptr;
  std::memcpy(&r, static_cast<char*>(block) + kHeaderSize, sizeof r);
  return *r;
}
int64_t length(void* block) {
  int64_t n = 0;
  std::memcpy(&n, static_cast<char*>(block) + kHeaderSize + 8, sizeof n);
  return n;
}
int64_t* temps(void* block) { return reinterpret_cast<int64_t*>(static_cast<char*>(block) + temps_offset(kArgs)); }

void fail(void* block, int32_t check, uint64_t value) {
  auto* header = static_cast<LaunchHeader*>(block);
  int32_t running = 0;
  if (!__atomic_compare_exchange_n(&header->state, &running, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  header->check = check;
  header->values[0] = value;
  __atomic_store_n(&header->state, 2, __ATOMIC_RELEASE);
}

CompiledTask serial(TaskFunction function, GroupId group = 0) {
  CompiledTask task;
  task.task.type = TaskType::serial;
  task.task.group = group;
  task.function = function;
  return task;
}
CompiledTask range(TaskFunction function, BoundsFunction bounds, int64_t cost, GroupId group = 0) {
  CompiledTask task = serial(function, group);
  task.task.type = TaskType::range_for;
  task.task.dims = 1;
  task.task.cost = cost;
  task.bounds = bounds;
  return task;
}
void whole_length(void* block, int64_t* bounds) { bounds[0] = 0, bounds[1] = length(block); }
void add_indices(void* block, int64_t begin, int64_t end) {
  int64_t sum = 0;
  for (int64_t i = begin; i < end; ++i) sum += i;
  record(block).sum.fetch_add(sum);
}

class LauncherTest : public testing::Test {
 protected:
  LaunchOutcome run(const std::vector<CompiledTask>& tasks, int64_t length = 0, int64_t temps_size = 64,
                    rhi::Stream stream = nullptr) {
    struct {
      Record* record;
      int64_t length;
    } args{&record_, length};
    static_assert(sizeof args == kArgs);
    std::vector<OffloadedTask> offloaded;
    for (const CompiledTask& task : tasks) offloaded.push_back(task.task);
    const LaunchPlan plan = plan_launch(offloaded);
    const rhi::StreamUse use(*device_, stream);
    return launch(*device_, stream, blocks_,
                  {.tasks = tasks,
                   .plan = plan,
                   .args = &args,
                   .args_size = kArgs,
                   .temps_size = temps_size,
                   .seed = 7,
                   .launch = 11});
  }
  std::unique_ptr<rhi::Device> device_ = rhi::make_cpu_device({.threads = 4});
  LaunchBlockPool blocks_;
  Record record_;
};

TEST_F(LauncherTest, RunsTasksInOrderAndPassesTemporaries) {
  const auto first = [](void* block, int64_t, int64_t) {
    record(block).order.push_back(1);
    temps(block)[0] += 1000;  // zero at the start
  };
  const auto bounds = [](void* block, int64_t* b) { b[0] = 10, b[1] = temps(block)[0]; };
  const auto last = [](void* block, int64_t, int64_t) { record(block).order.push_back(3); };
  for (int64_t temps_size : {int64_t{64}, int64_t{100'000}}) {
    for (int round = 0; round < 3; ++round) {
      record_.order.clear();
      record_.sum = 0;
      const LaunchOutcome outcome =
          run({serial(first), range(add_indices, bounds, 10'000), serial(last)}, 0, temps_size);
      EXPECT_EQ(outcome.state, LaunchState::running);
      EXPECT_EQ(record_.sum, 990 * 989 / 2);  // flattened: [0, 990)
      EXPECT_EQ(record_.order, (std::vector<int32_t>{1, 3}));
    }
  }
}

TEST_F(LauncherTest, HeaderHoldsSeedAndLaunch) {
  const auto look = [](void* block, int64_t, int64_t) {
    const auto* header = static_cast<LaunchHeader*>(block);
    record(block).order = {static_cast<int32_t>(header->seed), static_cast<int32_t>(header->launch)};
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0U);
  };
  run({serial(look)});
  EXPECT_EQ(record_.order, (std::vector<int32_t>{7, 11}));
}

TEST_F(LauncherTest, FailureEndsTheLaunch) {
  const auto failing = [](void* block, int64_t begin, int64_t end) {
    if (begin <= 500 && 500 < end) fail(block, 3, 500);
  };
  const auto never = [](void* block, int64_t, int64_t) { record(block).order.push_back(1); };
  const LaunchOutcome outcome = run({range(failing, whole_length, 1'000'000), serial(never)}, 1000);
  EXPECT_EQ(outcome.state, LaunchState::failed);
  EXPECT_EQ(outcome.check, 3);
  EXPECT_EQ(outcome.values[0], 500U);
  EXPECT_TRUE(record_.order.empty());
}

TEST_F(LauncherTest, StopEndsTheLaunch) {
  const auto stop = [](void* block, int64_t, int64_t) {
    static_cast<LaunchHeader*>(block)->state = static_cast<int32_t>(LaunchState::stopped);
  };
  const auto never = [](void* block, int64_t, int64_t) { record(block).order.push_back(1); };
  EXPECT_EQ(run({serial(stop), serial(never)}).state, LaunchState::stopped);
  EXPECT_TRUE(record_.order.empty());
}

TEST_F(LauncherTest, EmptyRangesAndSerializedLoops) {
  const auto never = [](void*, int64_t, int64_t) { FAIL(); };
  EXPECT_EQ(run({range(never, whole_length, 1)}, 0).state, LaunchState::running);
  EXPECT_EQ(run({range(never, whole_length, 1)}, -3).state, LaunchState::running);
  CompiledTask whole =
      range([](void* block, int64_t begin,
               int64_t end) { record(block).order = {static_cast<int32_t>(begin), static_cast<int32_t>(end)}; },
            whole_length, 1'000'000'000);
  whole.task.options.serialize = true;
  run({whole}, 1000);
  EXPECT_EQ(record_.order, (std::vector<int32_t>{0, 1000}));
}

TEST_F(LauncherTest, TooManyIterations) {
  const auto never = [](void*, int64_t, int64_t) { FAIL(); };
  const auto bounds = [](void*, int64_t* b) {
    b[0] = b[2] = 0;
    b[1] = b[3] = int64_t{1} << 40;
  };
  CompiledTask task = range(never, bounds, 1);
  task.task.dims = 2;
  task.task.pos = 5;
  const LaunchOutcome outcome = run({task});
  ASSERT_EQ(outcome.state, LaunchState::failed);
  const LaunchFailure failure = describe_failure(outcome, {});
  EXPECT_FALSE(failure.has_check);
  EXPECT_EQ(failure.pos, 5);
  EXPECT_NE(failure.message.find("too many iterations"), std::string::npos);
}

// Each of the groups waits until all three are inside: in order, they would never end.
TEST_F(LauncherTest, GroupsRunAtTheSameTimeAndJoin) {
  const auto meet = [](void* block, int64_t, int64_t) {
    Record& r = record(block);
    r.inside.fetch_add(1);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (r.inside.load() < 3) {
      if (std::chrono::steady_clock::now() > deadline) return fail(block, 0, 0);
      std::this_thread::yield();
    }
  };
  const auto after = [](void* block, int64_t, int64_t) {
    record(block).order.push_back(record(block).sum == 3 * 4950);
  };
  const LaunchOutcome outcome = run({serial(meet, 1), serial(meet, 2), range(add_indices, whole_length, 100'000, 1),
                                     range(add_indices, whole_length, 100'000, 2), serial(meet, 3),
                                     range(add_indices, whole_length, 1, 3), serial(after)},
                                    100);
  EXPECT_EQ(outcome.state, LaunchState::running);
  EXPECT_EQ(record_.order, std::vector<int32_t>{1});
}

TEST_F(LauncherTest, AFailingGroupLetsTheOthersEndFirst) {
  const auto failing = [](void* block, int64_t, int64_t) { fail(block, 2, 9); };
  const auto slow = [](void* block, int64_t, int64_t) {
    record(block).inside = 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    record(block).inside = 2;
  };
  for (int round = 0; round < 5; ++round) {
    record_.inside = 0;
    const LaunchOutcome outcome = run({serial(failing, 1), serial(slow, 2)});
    EXPECT_EQ(outcome.state, LaunchState::failed);
    EXPECT_EQ(outcome.check, 2);
    EXPECT_NE(record_.inside, 1);
  }
}

TEST_F(LauncherTest, LaunchesOfManyThreadsDoNotMix) {
  std::vector<std::thread> threads;
  std::atomic<int32_t> wrong{0};
  for (int t = 0; t < 20; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) {
        Record own;
        struct {
          Record* record;
          int64_t length;
        } args{&own, t * 10};
        const std::vector<CompiledTask> tasks = {range(add_indices, whole_length, 10'000)};
        const LaunchPlan plan = plan_launch({tasks[0].task});
        const rhi::StreamUse use(*device_, nullptr);
        launch(*device_, nullptr, blocks_, {.tasks = tasks, .plan = plan, .args = &args, .args_size = kArgs});
        if (own.sum != t * 10 * (t * 10 - 1) / 2) wrong.fetch_add(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(LauncherTest, OnAStreamOfItsOwn) {
  const rhi::Stream stream = device_->create_stream();
  EXPECT_EQ(device_->leaks().streams, 1);
  run({range(add_indices, whole_length, 10'000)}, 1000, 64, stream);
  EXPECT_EQ(record_.sum, 499'500);
  device_->destroy_stream(stream);
  EXPECT_EQ(device_->leaks().streams, 0);
}

Param array(const char* name, Primitive element, int32_t rank) {
  Param param;
  param.name = name;
  param.type = scalar_type(element);
  param.rank = rank;
  return param;
}

TEST(ArrayArguments, FindsOverlapOfWrittenArrays) {
  std::vector<Param> params = {array("a", Primitive::f32, 1), array("b", Primitive::f32, 1),
                               array("c", Primitive::f32, 1)};
  ASSERT_EQ(layout_params(params), 48);
  const auto overlap = [&](std::vector<bool> written, std::vector<uint64_t> args) {
    return ArrayArguments(params, written).overlap(args.data());
  };
  const std::vector<uint64_t> apart = {4096, 10, 4136, 10, 4176, 10}, shared = {4096, 10, 4132, 10, 8192, 10};
  EXPECT_FALSE(overlap({true, true, true}, apart));
  EXPECT_TRUE(overlap({true, false, false}, shared));
  EXPECT_TRUE(overlap({false, true, false}, shared));
  EXPECT_FALSE(overlap({false, false, true}, shared));
  EXPECT_FALSE(overlap({true, true, true}, {4096, 10, 4100, 0, 0, 0}));
}

TEST(ArrayArguments, NamesMalformedArrays) {
  std::vector<Param> params = {array("a", Primitive::i64, 2)};
  layout_params(params);
  const ArrayArguments arrays(params, {true});
  const auto message = [&](std::vector<int64_t> args) -> std::string {
    try {
      arrays.overlap(args.data());
    } catch (const Error& e) {
      EXPECT_EQ(e.code, Code::invalid);
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message({4096, 2, 3}), "");
  EXPECT_EQ(message({0, 0, 3}), "");
  EXPECT_EQ(message({4096, 2, -3}), "argument a has a negative length");
  EXPECT_EQ(message({0, 2, 3}), "argument a has elements but no data");
  EXPECT_EQ(message({4100, 2, 3}), "argument a is not aligned to its element type");
  EXPECT_EQ(message({4096, int64_t{1} << 40, int64_t{1} << 40}), "argument a has more elements than memory can hold");
}

}  // namespace
}  // namespace qd
