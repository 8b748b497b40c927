// The worker pool: every iteration runs exactly once whatever the number of threads, jobs and nesting.
#include "core/rhi/cpu/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <set>
#include <thread>
#include <vector>

#include "core/rhi/cpu/iteration_space.h"

namespace qd::rhi {
namespace {

struct Counts {
  std::vector<std::atomic<int32_t>> runs;
  explicit Counts(int64_t size) : runs(static_cast<size_t>(size)) {}
  static void add(void* context, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) static_cast<Counts*>(context)->runs[static_cast<size_t>(i)].fetch_add(1);
  }
  bool all_once() const {
    for (const auto& count : runs) {
      if (count.load() != 1) return false;
    }
    return true;
  }
};

TEST(ThreadPool, RunsEveryIterationOnce) {
  for (int32_t threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (int64_t count : {1, 2, 3, 7, 63, 64, 65, 1000, 4097, 100'003}) {
      for (int64_t cost : {0, 1, 100, 100'000, 1'000'000'000}) {
        Counts counts(count);
        pool.run({.function = Counts::add, .context = &counts, .count = count, .cost = cost});
        EXPECT_TRUE(counts.all_once()) << threads << " threads, " << count << " iterations of cost " << cost;
      }
    }
  }
}

TEST(ThreadPool, NothingToRun) {
  ThreadPool pool(2);
  const auto fail = [](void*, int64_t, int64_t) { FAIL(); };
  pool.run({.function = fail, .count = 0});
  pool.run({.function = fail, .count = -5});
}

TEST(ThreadPool, SmallTaskStaysOnTheCaller) {
  ThreadPool pool(4);
  struct Seen {
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<int32_t> elsewhere{0};
  } seen;
  const auto look = [](void* context, int64_t, int64_t) {
    auto* s = static_cast<Seen*>(context);
    if (std::this_thread::get_id() != s->caller) s->elsewhere.fetch_add(1);
  };
  constexpr int32_t kRounds = 1000;
  for (int i = 0; i < kRounds; ++i) pool.run({.function = look, .context = &seen, .count = 100, .cost = 10});
  // A caller that lost its core during the trial is right to ask for help.
  EXPECT_LT(seen.elsewhere, kRounds / 4);
  seen.elsewhere = 0;
  pool.run({.function = look, .context = &seen, .count = 1, .cost = 1'000'000'000});
  EXPECT_EQ(seen.elsewhere, 0);
}

// Ends only when `count` calls are inside at once.
struct Meeting {
  std::atomic<int32_t> inside{0};
  int32_t count;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::atomic<bool> late{false};
  void attend() {
    inside.fetch_add(1);
    while (inside.load() < count && !late) {
      if (std::chrono::steady_clock::now() > deadline) late = true;
      std::this_thread::yield();
    }
  }
};

TEST(ThreadPool, ExpensiveIterationsRunAtTheSameTime) {
  ThreadPool pool(4);
  for (int round = 0; round < 20; ++round) {
    Meeting meeting{.count = 4};
    const auto attend = [](void* context, int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) static_cast<Meeting*>(context)->attend();
    };
    pool.run({.function = attend, .context = &meeting, .count = 4, .chains = true});
    EXPECT_FALSE(meeting.late);
    // Parked workers wake too.
    if (round % 5 == 4) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(ThreadPool, UnderestimatedTaskIsSharedAfterItsTrial) {
  ThreadPool pool(2);
  Meeting meeting{.count = 2};
  const auto attend = [](void* context, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (i == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));  // what the trial measures
      } else {
        static_cast<Meeting*>(context)->attend();
      }
    }
  };
  pool.run({.function = attend, .context = &meeting, .count = 3, .cost = 1});
  EXPECT_FALSE(meeting.late);
}

TEST(ThreadPool, RememberedCostSkipsTheTrial) {
  ThreadPool pool(2);
  std::atomic<int64_t> remembered{1'000'000};
  Meeting meeting{.count = 2};
  const auto attend = [](void* context, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) static_cast<Meeting*>(context)->attend();
  };
  pool.run({.function = attend, .context = &meeting, .count = 2, .cost = 1, .remembered_cost = &remembered});
  EXPECT_FALSE(meeting.late);
  EXPECT_LT(remembered.load(), 1'000'000);
}

TEST(ThreadPool, JobsOfSeveralThreadsAndNestedJobs) {
  ThreadPool pool(3);
  std::vector<std::thread> threads;
  std::atomic<bool> good{true};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        struct Outer {
          ThreadPool& pool;
          std::atomic<bool>& good;
        } outer{pool, good};
        const auto nested = [](void* context, int64_t begin, int64_t end) {
          auto* o = static_cast<Outer*>(context);
          for (int64_t i = begin; i < end; ++i) {
            Counts counts(500);
            o->pool.run({.function = Counts::add, .context = &counts, .count = 500, .cost = 100'000});
            if (!counts.all_once()) o->good = false;
          }
        };
        pool.run({.function = nested, .context = &outer, .count = 5, .chains = true});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(good);
}

TEST(ThreadPool, MoreJobsThanSlots) {
  ThreadPool pool(2);
  std::vector<std::thread> threads;
  std::atomic<bool> good{true};
  for (int t = 0; t < 80; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        Counts counts(200);
        pool.run({.function = Counts::add, .context = &counts, .count = 200, .cost = 1'000'000});
        if (!counts.all_once()) good = false;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(good);
}

TEST(ThreadPool, StopsAfterAFailure) {
  ThreadPool pool(2);
  struct State {
    int32_t stop = 0;
    std::atomic<int64_t> done{0};
  } state;
  const auto fail = [](void* context, int64_t begin, int64_t end) {
    auto* s = static_cast<State*>(context);
    s->done.fetch_add(end - begin);
    __atomic_store_n(&s->stop, 1, __ATOMIC_RELAXED);
  };
  pool.run({.function = fail, .context = &state, .count = 1'000'000, .cost = 100'000, .stop = &state.stop});
  EXPECT_GT(state.done, 0);
  EXPECT_LT(state.done, 1'000'000);
}

TEST(Schedule, PiecesCoverAPartAndShrink) {
  const Schedule schedule = plan_schedule(1'000'000, 1000, 4);
  EXPECT_EQ(schedule.parts, 4);
  EXPECT_GE(schedule.part_size * schedule.parts, 1'000'000);
  int64_t left = schedule.part_size, before = left;
  while (left > 0) {
    const int64_t piece = next_piece(schedule, left);
    ASSERT_GT(piece, 0);
    ASSERT_LE(piece, before);
    before = piece;
    left -= piece;
  }
  EXPECT_EQ(left, 0);
}

TEST(Schedule, ChainsAreTakenOneByOne) {
  const Schedule schedule = plan_chains(64);
  EXPECT_EQ(schedule.parts, 1);
  EXPECT_EQ(schedule.part_size, 64);
  for (int64_t left = 64; left > 0; --left) EXPECT_EQ(next_piece(schedule, left), 1);
}

TEST(Schedule, ExtremesDoNotOverflow) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  for (int64_t count : {int64_t{2}, int64_t{1000}, kMost / 2, kMost}) {
    for (int64_t cost : {int64_t{1}, int64_t{1000}, kMost}) {
      for (int32_t threads : {2, 3, 128}) {
        const Schedule schedule = plan_schedule(count, cost, threads);
        EXPECT_GE(schedule.parts, 1);
        EXPECT_LE(schedule.parts, threads);
        EXPECT_GT(schedule.part_size, 0);
        EXPECT_LE(schedule.part_size * (schedule.parts - 1), count - 1);
        EXPECT_GT(next_piece(schedule, schedule.part_size), 0);
        EXPECT_GT(trial_size(count, cost), 0);
      }
    }
  }
}

TEST(IterationSpace, Flattens) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
  const auto size = [](std::vector<int64_t> bounds) {
    return flattened_size(bounds.data(), static_cast<int32_t>(bounds.size() / 2));
  };
  EXPECT_EQ(size({2, 5}), 3);
  EXPECT_EQ(size({5, 2}), 0);
  EXPECT_EQ(size({0, 3, -2, 2}), 12);
  EXPECT_EQ(size({0, kMost, 0, 0}), 0);
  EXPECT_EQ(size({kLeast, kMost, 4, 4, 0, kMost}), 0);
  EXPECT_EQ(size({0, kMost}), kMost);
  EXPECT_EQ(size({kLeast, kMost}), std::nullopt);
  EXPECT_EQ(size({0, int64_t{1} << 32, 0, int64_t{1} << 31}), std::nullopt);
}

}  // namespace
}  // namespace qd::rhi
