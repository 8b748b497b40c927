// Launches on a device that queues, in many orders: what comes after what, and what is kept for how long.
#include <atomic>
#include <chrono>
#include <functional>
#include <set>
#include <thread>

#include "tests/core/queue_fixture.h"

namespace qd {
namespace {

constexpr uint64_t kSeeds = 200;
constexpr int64_t kGroups = 3;

void for_each_seed(int32_t streams, const std::function<void(SimulatedQueue&)>& test) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SimulatedQueue sim({.seed = seed, .group_streams = streams});
    test(sim);
    if (testing::Test::HasFailure()) return;
  }
}

// Cell 0, or the cell of group G.
void set_first(void* block, int64_t, int64_t) { args_of(block).cells[0] = args_of(block).value; }
template <int64_t G>
void copy_first(void* block, int64_t, int64_t) {
  args_of(block).cells[G] = args_of(block).cells[0] + G;
}
template <int64_t G>
void double_own(void* block, int64_t, int64_t) {
  auto& cell = reinterpret_cast<uint64_t&>(args_of(block).cells[G]);  // what was freed overflows
  cell *= 2;
}
void sum_groups(void* block, int64_t, int64_t) {
  auto* cells = reinterpret_cast<uint64_t*>(args_of(block).cells);
  cells[0] = 0;
  for (int64_t g = 1; g <= kGroups; ++g) cells[0] += cells[g];
}
void hundred(void*, int64_t* bounds) { bounds[0] = 0, bounds[1] = 100; }

std::vector<CompiledTask> copy_and_double() {
  return {serial_task(copy_first<1>, 1), serial_task(double_own<1>, 1), serial_task(copy_first<2>, 2),
          serial_task(double_own<2>, 2), serial_task(copy_first<3>, 3), serial_task(double_own<3>, 3)};
}

TEST(LaunchQueue, ARegionStartsAfterWhatWasBeforeAndWhatFollowsWaitsForIt) {
  const QueueKernel before({serial_task(set_first)}), region(copy_and_double()), after({serial_task(sum_groups)});
  for (const int32_t streams : {4, 2, 1, 0}) {
    for_each_seed(streams, [&](SimulatedQueue& sim) {
      int64_t expected = 0;
      for (int64_t round = 0; round < 4; ++round) {
        sim.launch(before, 10 + round);
        sim.launch(region);
        sim.launch(after);
        expected = 2 * (3 * (10 + round) + 1 + 2 + 3);
      }
      EXPECT_EQ(sim.read()[0], expected);
      EXPECT_LE(sim.groups.made(), streams);
    });
  }
}

TEST(LaunchQueue, TheSameWithinOneKernel) {
  std::vector<CompiledTask> tasks = copy_and_double();
  tasks.insert(tasks.begin(), serial_task(set_first));
  tasks.push_back(serial_task(sum_groups));
  const QueueKernel kernel(tasks);
  for_each_seed(4, [&](SimulatedQueue& sim) {
    for (int64_t value = 1; value < 5; ++value) sim.launch(kernel, value);
    EXPECT_EQ(sim.read()[0], 2 * (3 * 4 + 6));
  });
}

// What crosses tasks, and the arguments, belong to one launch.
TEST(LaunchQueue, LaunchesOnTwoStreamsShareNothing) {
  const auto keep_value = [](void* block, int64_t, int64_t) { temps_of(block)[0] += args_of(block).value; };
  const auto use_value = [](void* block, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) args_of(block).cells[args_of(block).value] += temps_of(block)[0] * i;
  };
  const auto to_ten = [](void*, int64_t* bounds) { bounds[0] = 0, bounds[1] = 10; };
  const QueueKernel kernel({serial_task(keep_value), range_task(use_value, to_ten)});
  for_each_seed(2, [&](SimulatedQueue& sim) {
    rhi::Stream stream = sim.device.create_stream();
    {
      LaunchQueue other(sim.device, stream, sim.groups);
      for (int64_t value = 0; value < 20; value += 2) {
        sim.launch(sim.queue, kernel, value);
        sim.launch(other, kernel, value + 1);
      }
      other.drain();
      const std::vector<int64_t> cells = sim.read();
      for (int64_t value = 0; value < 20; ++value) EXPECT_EQ(cells[static_cast<size_t>(value)], value * 45);
    }
    sim.device.destroy_stream(stream);
  });
}

// A stream that does not follow the launching one may still be anywhere when the host reads.
TEST(LaunchQueue, EventsAreWhatOrdersStreams) {
  const QueueKernel set({serial_task(set_first)}), region(copy_and_double()), sum({serial_task(sum_groups)});
  int64_t wrong_without = 0;
  for (const bool with : {true, false}) {
    for_each_seed(2, [&](SimulatedQueue& sim) {
      rhi::Stream stream = sim.device.create_stream();
      rhi::Event event = sim.device.create_event();
      {
        LaunchQueue other(sim.device, stream, sim.groups);
        sim.launch(sim.queue, set, 5);
        sim.device.record(event, nullptr);
        if (with) sim.device.wait(stream, event);
        sim.launch(other, region);
        sim.device.record(event, stream);
        if (with) sim.device.wait(nullptr, event);
        sim.launch(sim.queue, sum);
        const int64_t got = sim.read()[0];
        if (with) {
          EXPECT_EQ(got, 2 * (3 * 5 + 6));
        }
        if (got != 2 * (3 * 5 + 6)) ++wrong_without;
      }
      sim.device.destroy_event(event);
      sim.device.destroy_stream(stream);
    });
  }
  EXPECT_GT(wrong_without, static_cast<int64_t>(kSeeds / 4)) << "the simulation is too kind";
}

// A later record that is reached sooner releases nobody who waits for the earlier one.
TEST(LaunchQueue, WhoWaitsForARecordWaitsForThatOne) {
  const QueueKernel set({serial_task(set_first)}), region(copy_and_double());
  for_each_seed(2, [&](SimulatedQueue& sim) {
    rhi::Stream idle = sim.device.create_stream(), waiter = sim.device.create_stream();
    rhi::Event event = sim.device.create_event();
    {
      LaunchQueue other(sim.device, waiter, sim.groups);
      sim.launch(sim.queue, set, 5);
      sim.device.record(event, nullptr);
      sim.device.wait(waiter, event);
      sim.device.record(event, idle);
      sim.launch(other, region);
      other.drain();
      EXPECT_EQ(sim.read()[1], 12);
    }
    sim.device.destroy_event(event);
    sim.device.destroy_stream(waiter);
    sim.device.destroy_stream(idle);
  });
}

// In virtual time: groups of equal work take the time of one where there are streams for them.
TEST(LaunchQueue, GroupsOverlapAsFarAsThereAreStreams) {
  const auto nothing = [](void*, int64_t, int64_t) {};
  const auto seconds = [&](int32_t groups, int32_t streams) {
    std::vector<CompiledTask> tasks;
    for (int32_t g = 1; g <= groups; ++g) tasks.push_back(range_task(nothing, hundred, g, 100'000));
    const QueueKernel kernel(tasks);
    SimulatedQueue sim({.seed = 3, .group_streams = streams});
    rhi::Event from = sim.device.create_event(), to = sim.device.create_event();
    sim.device.record(from, nullptr);
    sim.launch(kernel);
    sim.device.record(to, nullptr);
    const double elapsed = sim.device.elapsed_seconds(from, to);
    sim.device.destroy_event(from);
    sim.device.destroy_event(to);
    EXPECT_LE(sim.groups.made(), streams);
    return elapsed;
  };
  const double one = seconds(1, 8);
  EXPECT_NEAR(seconds(8, 8) / one, 1, 0.01);
  EXPECT_NEAR(seconds(2, 1) / one, 1, 0.01);
  EXPECT_NEAR(seconds(64, 7) / one, 8, 0.01);  // eight lanes with the launching stream
  EXPECT_NEAR(seconds(5, 0) / one, 5, 0.01);
}

// Times of tasks come from events on their own streams: groups overlap in the trace, and as they do without one.
TEST(LaunchQueue, ATraceHasTheTimesOfTasksAndSerialisesNothing) {
  const auto nothing = [](void*, int64_t, int64_t) {};
  std::vector<CompiledTask> tasks;
  for (int32_t g = 1; g <= 3; ++g) tasks.push_back(range_task(nothing, hundred, g, 100'000));
  const QueueKernel kernel(tasks);
  SimulatedQueue sim({.seed = 3, .group_streams = 4});
  rhi::Event from = sim.device.create_event(), to = sim.device.create_event();
  const auto launch_twice = [&] {
    sim.device.record(from, nullptr);
    sim.launch(kernel);
    sim.launch(kernel);
    sim.device.record(to, nullptr);
    return sim.device.elapsed_seconds(from, to);
  };
  const double without = launch_twice();
  sim.device.start_trace(100);
  sim.launch(kernel);
  EXPECT_NEAR(launch_twice(), without, 1e-9);
  sim.queue.drain();
  const rhi::TraceRecord record = sim.device.stop_trace();
  ASSERT_EQ(record.spans.size(), 9U);
  for (const rhi::TraceSpan& span : record.spans) {
    EXPECT_NEAR(std::chrono::duration<double>(span.end - span.start).count(), without / 2, 1e-6);
  }
  for (size_t launch = 0; launch < 9; launch += 3) {
    std::set<int32_t> lanes;
    for (size_t i = launch; i < launch + 3; ++i) {
      EXPECT_EQ(record.spans[i].launch, record.spans[launch].launch);
      EXPECT_EQ(record.spans[i].start, record.spans[launch].start) << "groups start together";
      lanes.insert(record.spans[i].worker);
    }
    EXPECT_EQ(lanes.size(), 3U);
  }
  EXPECT_GT(record.spans[3].launch, record.spans[0].launch);
  sim.launch(kernel);
  sim.queue.drain();
  sim.device.destroy_event(from);
  sim.device.destroy_event(to);
}

TEST(LaunchQueue, LanesOfOneStreamAreTakenAgainAndOthersStayApart) {
  const QueueKernel region(copy_and_double());
  SimulatedQueue sim({.seed = 1, .group_streams = 64});
  rhi::Stream stream = sim.device.create_stream();
  {
    LaunchQueue other(sim.device, stream, sim.groups);
    for (int i = 0; i < 50; ++i) sim.launch(sim.queue, region);
    EXPECT_EQ(sim.groups.made(), kGroups - 1) << "its own lanes are ordered with the stream anyway";
    for (int i = 0; i < 50; ++i) sim.launch(other, region);
    EXPECT_LE(sim.groups.made(), 2 * (kGroups - 1));
  }
  sim.device.destroy_stream(stream);
}

TEST(LaunchQueue, FailuresAreKeptAndStopTheirOwnLaunchAlone) {
  const auto may_fail = [](void* block, int64_t, int64_t) {
    if (args_of(block).value < 0) fail_check(block, 7);
  };
  const auto add = [](void* block, int64_t, int64_t) { args_of(block).cells[9] += 1; };
  const QueueKernel kernel({serial_task(may_fail), serial_task(add)});
  for_each_seed(2, [&](SimulatedQueue& sim) {
    const auto first = std::make_shared<int>(1), second = std::make_shared<int>(2), third = std::make_shared<int>(3);
    sim.launch(kernel, 1);
    sim.launch(kernel, -1, first);
    for (int i = 0; i < 200; ++i) sim.launch(kernel, 1);
    sim.launch(kernel, -1, second);
    sim.queue.drain();
    EXPECT_EQ(sim.queue.failed_launch(), 2U);
    const std::optional<LaunchQueue::Failure> failure = sim.queue.take_failure();
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->failed.number, 2U);
    EXPECT_EQ(failure->failed.check, 7);
    EXPECT_EQ(failure->failed.values[0], 2U);
    EXPECT_EQ(failure->launched, first);
    EXPECT_FALSE(sim.queue.take_failure()) << "only the first";
    EXPECT_EQ(sim.read()[9], 201);
    sim.launch(kernel, -1, third);
    sim.queue.drain();
    const std::optional<LaunchQueue::Failure> next = sim.queue.take_failure();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->launched, third);
  });
}

// Tells when it is let go.
struct Kept {
  explicit Kept(std::atomic<int>& count) : alive(count) { alive.fetch_add(1); }
  ~Kept() { alive.fetch_sub(1); }
  std::atomic<int>& alive;
};

// What was queued before runs; nothing is queued after.
TEST(LaunchQueue, AClosedQueueTakesNoLaunch) {
  const QueueKernel kernel({serial_task(set_first)});
  SimulatedQueue sim({.seed = 1});
  sim.launch(kernel, 1);
  sim.queue.close();
  std::atomic<int> alive{0};
  try {
    sim.launch(kernel, 2, std::make_shared<Kept>(alive));
    ADD_FAILURE() << "the launch was queued";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Code::closed);
  }
  EXPECT_EQ(alive, 0);
  sim.queue.drain();
  EXPECT_EQ(sim.read()[0], 1);
}

TEST(LaunchQueue, TooManyIterationsFailTheLaunch) {
  const auto all = [](void*, int64_t* bounds) { bounds[0] = INT64_MIN, bounds[1] = INT64_MAX; };
  const QueueKernel kernel({range_task(set_first, all)});
  SimulatedQueue sim({.seed = 1});
  sim.launch(kernel);
  sim.queue.drain();
  const std::optional<LaunchQueue::Failure> failure = sim.queue.take_failure();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->failed.check, kTooManyIterations);
}

TEST(LaunchQueue, WhatALaunchUsesLivesUntilItHasPassed) {
  const QueueKernel kernel({serial_task(set_first)});
  for_each_seed(2, [&](SimulatedQueue& sim) {
    std::atomic<int> alive{0};
    for (int i = 0; i < 5; ++i) sim.launch(kernel, i, std::make_shared<Kept>(alive));
    EXPECT_EQ(alive, 5);
    sim.queue.drain();
    EXPECT_EQ(alive, 0);
  });
}

TEST(LaunchQueue, ManyLaunchesWithoutASyncDoNotPileUp) {
  const QueueKernel region(copy_and_double());
  SimulatedQueue sim({.seed = 5});
  std::atomic<int> alive{0};
  int most = 0;
  for (int i = 0; i < 20'000; ++i) {
    sim.launch(region, i, std::make_shared<Kept>(alive));
    most = std::max(most, alive.load());
  }
  EXPECT_LE(most, static_cast<int>(LaunchQueue::kBatch * (LaunchQueue::kMostBatches + 2)));
  sim.queue.drain();
  EXPECT_EQ(alive, 0);
}

// Memory that was freed is used by what is queued; keeping it for the stream is what helps.
TEST(LaunchQueue, FreedMemoryLivesUntilTheStreamHasPassed) {
  const QueueKernel region(copy_and_double());
  for (const bool kept : {true, false}) {
    int64_t noticed = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      rhi::SimDevice device({.seed = seed, .group_streams = 4});
      GroupStreams groups(device, 4);
      LaunchQueue queue(device, nullptr, groups);
      auto* cells = static_cast<int64_t*>(device.allocate(kCells * 8));
      const QueueArgs args{cells, 0};
      queue.launch({.tasks = region.tasks, .plan = region.plan, .args = &args, .args_size = sizeof args, .launch = 1},
                   {});
      if (kept) {
        queue.keep(std::shared_ptr<void>(cells, [&device](void* memory) { device.free(memory, kCells * 8); }));
      } else {
        device.free(cells, kCells * 8);
      }
      try {
        queue.drain();
      } catch (const Error& error) {
        EXPECT_EQ(error.code, Code::internal);
        ++noticed;
      }
      EXPECT_EQ(device.leaks().allocations, 0);
    }
    if (kept) {
      EXPECT_EQ(noticed, 0);
    } else {
      EXPECT_GT(noticed, static_cast<int64_t>(kSeeds / 4)) << "the simulation does not notice";
    }
  }
}

TEST(LaunchQueue, ThreadsLaunchOnStreamsOfTheirOwnAndOnOne) {
  const auto add = [](void* block, int64_t begin, int64_t end) {
    __atomic_fetch_add(&args_of(block).cells[args_of(block).value], end - begin, __ATOMIC_RELAXED);
  };
  const QueueKernel region({range_task(add, hundred, 1), range_task(add, hundred, 2), range_task(add, hundred, 3)});
  SimulatedQueue sim({.seed = 8, .group_streams = 3});
  std::atomic<uint64_t> number{0};
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      rhi::Stream stream = sim.device.create_stream();
      {
        LaunchQueue own(sim.device, stream, sim.groups);
        for (int i = 0; i < 50; ++i) {
          for (LaunchQueue* queue : {&own, &sim.queue}) {
            const QueueArgs args{sim.cells, queue == &own ? 1 + t : 0};
            queue->launch({.tasks = region.tasks,
                           .plan = region.plan,
                           .args = &args,
                           .args_size = sizeof args,
                           .launch = number.fetch_add(1) + 1},
                          {});
          }
        }
        own.drain();
      }
      sim.device.destroy_stream(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sim.read()[0], 4 * 50 * 300);
  for (size_t t = 1; t <= 4; ++t) EXPECT_EQ(sim.read()[t], 50 * 300);
}

}  // namespace
}  // namespace qd
