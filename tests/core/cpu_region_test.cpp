// Chains on the CPU's worker pool: who waits for them helps with their loops, and small ones stay on their thread.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include "core/rhi/cpu/region.h"
#include "core/rhi/cpu/schedule.h"

namespace qd::rhi {
namespace {

using Clock = std::chrono::steady_clock;

// Waits for something that another thread must do; false if it takes for ever.
template <class Predicate>
bool comes(Predicate&& done) {
  const auto deadline = Clock::now() + std::chrono::seconds(20);
  while (!done()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

// Two chains on two threads. The second one's loop needs both threads at once; the thread that submitted the chains has
// ended its own by then.
struct TwoChains {
  ThreadPool& pool;
  std::chrono::milliseconds delay;
  std::atomic<bool> second_begun{false};
  std::atomic<int32_t> inside{0};
  std::atomic<bool> met{true};

  void run_chain(int64_t index) {
    if (index == 0) {
      if (!comes([&] { return second_begun.load(); })) met = false;
      return;
    }
    second_begun = true;
    std::this_thread::sleep_for(delay);
    pool.run({.function = [](void* self, int64_t begin,
                             int64_t end) { static_cast<TwoChains*>(self)->run_loop(begin, end); },
              .context = this,
              .count = 2,
              .cost = 1'000'000'000,
              .stream = 5});
  }
  void run_loop(int64_t begin, int64_t end) {
    inside.fetch_add(static_cast<int32_t>(end - begin));
    if (!comes([&] { return inside.load() == 2; })) met = false;
  }
  static void chains(void* self, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) static_cast<TwoChains*>(self)->run_chain(i);
  }
};

TEST(CpuRegion, WhoWaitsForChainsHelpsWithTheirLoops) {
  ThreadPool pool(2);
  // At once, and when the waiting thread sleeps already.
  for (const int delay : {0, 0, 0, 10, 10}) {
    TwoChains test{.pool = pool, .delay = std::chrono::milliseconds(delay)};
    pool.run({.function = TwoChains::chains, .context = &test, .count = 2, .chains = true, .stream = 5});
    ASSERT_TRUE(test.met) << "after " << delay << " ms";
  }
}

// A worker that could help with a loop takes the chain that nobody has begun.
TEST(CpuRegion, ChainsComeBeforeLoops) {
  ThreadPool pool(2);
  struct Test {
    ThreadPool& pool;
    std::atomic<bool> second_begun{false}, loop_waited{true};
    void run_chain(int64_t index) {
      if (index == 1) {
        second_begun = true;
        return;
      }
      // Many pieces: this thread waits in the first; a worker that helped first would find its own to wait in.
      pool.run({.function =
                    [](void* self, int64_t, int64_t) {
                      auto* t = static_cast<Test*>(self);
                      if (!comes([&] { return t->second_begun || !t->loop_waited; })) t->loop_waited = false;
                    },
                .context = this,
                .count = 64,
                .cost = 1'000'000'000});
    }
  };
  for (int round = 0; round < 50; ++round) {
    Test test{.pool = pool};
    const auto chains = [](void* self, int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) static_cast<Test*>(self)->run_chain(i);
    };
    pool.run({.function = chains, .context = &test, .count = 2, .chains = true});
    ASSERT_TRUE(test.loop_waited);
    if (round % 10 == 9) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the worker sleeps
  }
}

TEST(CpuRegion, StartAndFinishRunEveryChainOnce) {
  for (const int32_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    for (const int64_t count : {0, 1, 2, 7, 64}) {
      std::vector<std::atomic<int32_t>> runs(static_cast<size_t>(count));
      const auto add = [](void* context, int64_t begin, int64_t end) {
        auto& all = *static_cast<std::vector<std::atomic<int32_t>>*>(context);
        for (int64_t i = begin; i < end; ++i) all[static_cast<size_t>(i)].fetch_add(1);
      };
      const PoolJob job{.function = add, .context = &runs, .count = count, .chains = true};
      const int32_t started = pool.start(job);
      std::this_thread::yield();
      pool.finish(started, job);
      for (const auto& n : runs) EXPECT_EQ(n, 1) << threads << " threads, " << count << " chains";
    }
  }
}

// Chains whose tasks cost `ticks` each, as far as that is known.
struct Chains {
  std::optional<int64_t> ticks;
  Region* region = nullptr;  // of the stream
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<int32_t> runs{0}, elsewhere{0};
  int32_t meeting = 0;
  std::atomic<bool> met{true};

  static void run(void* opaque, int32_t) {
    auto* self = static_cast<Chains*>(opaque);
    if (self->region != nullptr) self->region->before_task(self->ticks);
    self->runs.fetch_add(1);
    if (std::this_thread::get_id() != self->caller) self->elsewhere.fetch_add(1);
    if (!comes([&] { return self->runs >= self->meeting || !self->met; })) self->met = false;
  }
};

TEST(CpuRegion, SmallChainsStayOnTheirThread) {
  ThreadPool pool(4);
  for (int round = 0; round < 100; ++round) {
    Chains chains{.ticks = kChainsAlone / 8 - 1};
    Region(pool, 0, chains.region).run(8, Chains::run, &chains);
    ASSERT_EQ(chains.runs, 8);
    ASSERT_EQ(chains.elsewhere, 0);
    ASSERT_EQ(chains.region, nullptr);
  }
}

TEST(CpuRegion, UnknownAndLargeChainsAreSharedOut) {
  ThreadPool pool(4);
  for (const std::optional<int64_t> ticks : {std::optional<int64_t>(), std::optional<int64_t>(kChainsAlone),
                                             std::optional<int64_t>(std::numeric_limits<int64_t>::max())}) {
    Chains chains{.ticks = ticks, .meeting = 4};
    Region(pool, 0, chains.region).run(4, Chains::run, &chains);
    EXPECT_EQ(chains.runs, 4);
    ASSERT_TRUE(chains.met);
    EXPECT_EQ(chains.elsewhere, 3);
    EXPECT_EQ(chains.region, nullptr);
  }
}

// What is small one by one is not small together.
TEST(CpuRegion, SmallTasksAddUp) {
  ThreadPool pool(3);
  struct Test {
    Region* region = nullptr;
    std::atomic<int32_t> late{0};
    std::atomic<bool> met{true};
  } test;
  // The task of the chain with index 3 is the one too many: from it on three threads are at work.
  const auto chain = [](void* opaque, int32_t index) {
    auto* t = static_cast<Test*>(opaque);
    if (t->region != nullptr) t->region->before_task(kChainsAlone / 4 + 1);
    if (index < 3) return;
    t->late.fetch_add(1);
    if (!comes([&] { return t->late == 3 || !t->met; })) t->met = false;
  };
  Region(pool, 0, test.region).run(6, chain, &test);
  EXPECT_TRUE(test.met);
}

TEST(CpuRegion, OneThreadRunsAllInOrder) {
  ThreadPool pool(1);
  Region* region = nullptr;
  struct Order {
    Region*& region;
    std::vector<int32_t> order;
  } order{.region = region, .order = {}};
  Region(pool, 0, region)
      .run(
          5,
          [](void* opaque, int32_t index) {
            auto* o = static_cast<Order*>(opaque);
            EXPECT_EQ(o->region, nullptr);
            o->order.push_back(index);
          },
          &order);
  EXPECT_EQ(order.order, (std::vector<int32_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace qd::rhi
