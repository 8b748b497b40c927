// Launches on a device of which every single call fails once: work that was queued is joined, what was leased comes
// back.
#include <algorithm>

#include "tests/core/queue_fixture.h"

namespace qd {
namespace {

// Adds to the cell of its group, so that a group that runs past the launch that follows shows.
template <int64_t G>
void add_own(void* block, int64_t, int64_t) {
  args_of(block).cells[G] += 1;
}
void clear_all(void* block, int64_t, int64_t) { std::fill_n(args_of(block).cells, kCells, 0); }

QueueKernel region() {
  return QueueKernel({serial_task(add_own<0>), serial_task(add_own<1>, 1), serial_task(add_own<1>, 1),
                      serial_task(add_own<2>, 2), serial_task(add_own<2>, 2), serial_task(add_own<3>, 3),
                      serial_task(add_own<0>)});
}

// What of the work may fail: opening, five launches, waiting. Returns how often it did.
int work(rhi::SimDevice& device, bool& finished) {
  const QueueKernel kernel = region(), clear({serial_task(clear_all)});
  int failed = 0;
  const auto attempt = [&](auto&& f) {
    try {
      f();
      return true;
    } catch (const Error& error) {
      EXPECT_TRUE(error.code == Code::out_of_memory || error.code == Code::device_lost) << error.what();
      ++failed;
      return false;
    }
  };
  int64_t* cells = nullptr;
  std::unique_ptr<GroupStreams> groups = std::make_unique<GroupStreams>(device, 2);
  std::unique_ptr<LaunchQueue> queue;
  attempt([&] {
    cells = static_cast<int64_t*>(device.allocate(kCells * 8));
    queue = std::make_unique<LaunchQueue>(device, nullptr, *groups);
  });
  if (queue != nullptr) {
    uint64_t number = 0;
    const QueueArgs args{cells, 0};
    const auto launch = [&](const QueueKernel& k) {
      return attempt([&] {
        queue->launch({.tasks = k.tasks, .plan = k.plan, .args = &args, .args_size = sizeof args, .launch = ++number},
                      std::make_shared<int>(0));
      });
    };
    for (int i = 0; i < 5; ++i) launch(kernel);
    // Whatever failed: when the next launches have run, nothing of the ones before is still to come.
    bool cleared = launch(clear) || launch(clear) || launch(clear);
    const bool counted = cleared && launch(kernel);
    std::vector<int64_t> got(kCells);
    finished = attempt([&] { queue->drain(); }) || attempt([&] { queue->drain(); }) || attempt([&] { queue->drain(); });
    finished = finished && (attempt([&] { device.copy_out(nullptr, got.data(), cells, kCells * 8); }) ||
                            attempt([&] { device.copy_out(nullptr, got.data(), cells, kCells * 8); }));
    if (finished && counted) {
      EXPECT_EQ(got[0], 2);
      EXPECT_EQ(got[1], 2);
      EXPECT_EQ(got[2], 2);
      EXPECT_EQ(got[3], 1);
    }
  }
  queue.reset();
  groups.reset();
  if (cells != nullptr) device.free(cells, kCells * 8);
  return failed;
}

void expect_all_back(const rhi::SimDevice& device) {
  EXPECT_EQ(device.leaks().allocations, 0);
  EXPECT_EQ(device.leaks().streams, 0);
  EXPECT_EQ(device.leaks().events, 0);
  EXPECT_EQ(device.slots(), 0);
}

TEST(QueueFails, WhicheverCallsFailEverythingIsJoinedAndComesBack) {
  bool finished = false;
  rhi::SimDevice counting({.seed = 1});
  ASSERT_EQ(work(counting, finished), 0);
  const int64_t calls = counting.calls();
  ASSERT_GT(calls, 100);
  for (const int64_t fails : {1, 2, 3}) {
    for (int64_t call = 1; call <= calls; ++call) {
      for (uint64_t seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ": " + std::to_string(fails) + " calls fail from " +
                     std::to_string(call));
        rhi::SimDevice device({.seed = seed, .fail_call = call, .fail_calls = fails});
        finished = false;
        work(device, finished);
        expect_all_back(device);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(QueueFails, ALostDeviceEndsEverythingWithItsErrorAndHangsNothing) {
  bool finished = false;
  rhi::SimDevice counting({.seed = 1});
  work(counting, finished);
  for (int64_t call = 1; call <= counting.calls(); ++call) {
    SCOPED_TRACE("lost at call " + std::to_string(call));
    rhi::SimDevice device({.seed = 1, .lose_call = call});
    finished = false;
    EXPECT_GT(work(device, finished) + (finished ? 1 : 0), 0);
    expect_all_back(device);
    if (HasFailure()) return;
  }
}

// The numbers at which calls fail are those of the run before: it is the same run until then.
TEST(QueueFails, TheSeedDecidesTheRun) {
  bool finished = false;
  rhi::SimDevice first({.seed = 9}), second({.seed = 9});
  work(first, finished);
  work(second, finished);
  EXPECT_EQ(first.calls(), second.calls());
}

TEST(SimOptions, AreReadAndRefused) {
  const rhi::SimOptions options = rhi::parse_sim_options("seed=7 fail=12  fails=2 lose=40 streams=3");
  EXPECT_EQ(options.seed, 7U);
  EXPECT_EQ(options.fail_call, 12);
  EXPECT_EQ(options.fail_calls, 2);
  EXPECT_EQ(options.lose_call, 40);
  EXPECT_EQ(options.group_streams, 3);
  for (const char* wrong : {"seed", "seed=", "seed=-1", "seed=1x", "speed=1", "streams=65"}) {
    EXPECT_THROW(rhi::parse_sim_options(wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace qd
