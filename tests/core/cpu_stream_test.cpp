// Streams of the CPU device: host work in their order, what they keep alive, and events that are used from many
// threads.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "core/ir/error.h"
#include "core/rhi/device.h"

namespace qd {
namespace {

class Work final : public rhi::HostWork {
 public:
  explicit Work(std::function<void(rhi::Stream)> work) : work_(std::move(work)) {}
  void run(rhi::Stream inside) noexcept override { work_(inside); }

 private:
  const std::function<void(rhi::Stream)> work_;
};

class CpuStream : public testing::Test {
 protected:
  void SetUp() override {
    a_ = device_->create_stream();
    b_ = device_->create_stream();
  }
  void TearDown() override {
    open_ = true;
    device_->destroy_stream(a_);
    device_->destroy_stream(b_);
    EXPECT_EQ(device_->leaks().streams, 0);
  }
  void enqueue(rhi::Stream stream, std::function<void(rhi::Stream)> work) {
    device_->enqueue(stream, std::make_unique<Work>(std::move(work)));
  }
  void hold(rhi::Stream stream) {
    enqueue(stream, [this](rhi::Stream) {
      while (!open_) std::this_thread::yield();
    });
  }

  const std::unique_ptr<rhi::Device> device_ = rhi::make_cpu_device({.threads = 3});
  rhi::Stream a_ = nullptr, b_ = nullptr;
  std::atomic<bool> open_{false};
};

TEST_F(CpuStream, DoesItsWorkInOrderBesideOthers) {
  std::vector<int> order;
  hold(a_);
  for (int i = 0; i < 100; ++i) {
    enqueue(a_, [&order, i](rhi::Stream) { order.push_back(i); });
  }
  std::atomic<bool> other{false};
  enqueue(b_, [&](rhi::Stream) { other = true; });
  device_->sync(b_);
  EXPECT_TRUE(other);
  EXPECT_TRUE(order.empty());
  open_ = true;
  device_->sync(a_);
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

// What a sync does not know of when it begins, it does not wait for.
TEST_F(CpuStream, SyncWaitsForWhatIsQueuedBefore) {
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) enqueue(a_, [](rhi::Stream) { std::this_thread::sleep_for(std::chrono::microseconds(100)); });
  });
  for (int i = 0; i < 5; ++i) device_->sync(a_);
  stop = true;
  busy.join();
}

// Each of the chains waits until all are inside: in order, they would never end.
TEST_F(CpuStream, ChainsInsideRunAtTheSameTime) {
  struct Chains {
    alignas(64) LaunchHeader header{};  // first: the chains' tasks take it for their launch block
    std::atomic<int32_t> inside{0};
    std::atomic<bool> together{false}, late{false};
    rhi::Device* device = nullptr;
    rhi::Stream stream = nullptr;
    CompiledTask meet;
  } chains;
  chains.device = device_.get();
  chains.meet.task.type = TaskType::serial;
  chains.meet.function = [](void* block, int64_t, int64_t) {
    auto& c = *static_cast<Chains*>(block);
    c.inside.fetch_add(1);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (c.inside < 3 && !c.late) {
      if (std::chrono::steady_clock::now() > deadline) c.late = true;
      std::this_thread::yield();
    }
  };
  enqueue(a_, [&](rhi::Stream stream) {
    chains.stream = stream;
    const auto run = [](void* context, int32_t) {
      auto& c = *static_cast<Chains*>(context);
      c.device->launch(c.stream, c.meet, &c);
    };
    chains.together = device_->run_together(stream, 3, run, &chains);
  });
  device_->sync(a_);
  EXPECT_TRUE(chains.together);
  EXPECT_EQ(chains.inside, 3);
  EXPECT_FALSE(chains.late);
}

// A later record that is reached sooner releases nobody who waits for the earlier one.
TEST_F(CpuStream, WhoWaitsForARecordWaitsForThatOne) {
  rhi::Event event = device_->create_event();
  rhi::Stream waiter = device_->create_stream();
  hold(a_);
  device_->record(event, a_);
  device_->wait(waiter, event);
  std::atomic<bool> passed{false};
  enqueue(waiter, [&](rhi::Stream) { passed = true; });
  device_->record(event, b_);
  device_->sync(event);  // b's
  EXPECT_TRUE(device_->passed(event));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(passed);
  open_ = true;
  device_->sync(waiter);
  EXPECT_TRUE(passed);
  device_->destroy_stream(waiter);
  device_->destroy_event(event);
}

TEST_F(CpuStream, KeepsWhatIsUsed) {
  const auto dropped = [](const std::weak_ptr<int>& kept) { return kept.expired(); };
  auto kept = std::make_shared<int>(1);
  const std::weak_ptr<int> weak = kept;
  hold(a_);
  device_->keep(a_, kept);
  device_->keep(b_, kept);  // idle
  device_->keep(nullptr, kept);
  kept.reset();
  device_->sync(b_);
  EXPECT_FALSE(dropped(weak));
  open_ = true;
  device_->sync(a_);
  EXPECT_TRUE(dropped(weak));
}

TEST_F(CpuStream, WorkIsDestroyedWhenItIsPassed) {
  auto kept = std::make_shared<int>(1);
  const std::weak_ptr<int> weak = kept;
  enqueue(a_, [kept](rhi::Stream) {});
  kept.reset();
  device_->sync(a_);
  EXPECT_TRUE(weak.expired());
}

// The queue is bounded: whoever adds waits, and nothing is lost.
TEST_F(CpuStream, AFullQueueLetsTheCallerWait) {
  std::atomic<int64_t> sum{0};
  std::atomic<int32_t> added{0};
  hold(a_);
  std::thread adding([&] {
    for (int i = 0; i < 3000; ++i) {
      enqueue(a_, [&](rhi::Stream) { sum.fetch_add(1); });
      added.fetch_add(1);
    }
  });
  while (added < 1000) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LT(added, 1100);
  open_ = true;
  adding.join();
  device_->sync(a_);
  EXPECT_EQ(sum, 3000);
}

// However records and waits of the same events interleave, no stream may wait for what is queued behind its wait.
TEST_F(CpuStream, EventsFromManyThreadsNeverBlockForEver) {
  const std::array<rhi::Stream, 3> streams = {a_, b_, nullptr};
  const std::array<rhi::Event, 2> events = {device_->create_event(), device_->create_event()};
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 2000; ++i) {
        const rhi::Stream stream = streams[(t + i) % 3];
        const rhi::Event event = events[(t + i / 2) % 2];
        if (t % 2 == 0) {
          device_->record(event, stream);
        } else {
          device_->wait(stream, event);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const rhi::Event event : events) {
    device_->sync(event);
    device_->destroy_event(event);
  }
  device_->sync(a_);
  device_->sync(b_);
}

}  // namespace
}  // namespace qd
