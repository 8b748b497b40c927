// The launcher on a device that fails: what is launched is joined, what is leased comes back, the error is the
// device's.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/ir/error.h"
#include "core/runtime/launcher.h"

namespace qd {
namespace {

// The CPU device, but for the n-th launch of a task, which throws.
class FailingDevice final : public rhi::Device {
 public:
  std::atomic<int32_t> launches{0};
  int32_t failing = -1;

  void launch(rhi::Stream stream, const CompiledTask& task, void* block) override {
    if (launches.fetch_add(1) == failing) throw Error(Code::internal, "the device gave up");
    inner_->launch(stream, task, block);
  }
  rhi::DeviceInfo info() const override { return inner_->info(); }
  rhi::LeakCounts leaks() const override { return inner_->leaks(); }
  void* allocate(int64_t size) override { return inner_->allocate(size); }
  void free(void* memory, int64_t size) override { inner_->free(memory, size); }
  void copy_in(rhi::Stream s, void* to, const void* from, int64_t size) override { inner_->copy_in(s, to, from, size); }
  void copy_out(rhi::Stream s, void* to, const void* from, int64_t size) override {
    inner_->copy_out(s, to, from, size);
  }
  rhi::Stream create_stream() override { return inner_->create_stream(); }
  void destroy_stream(rhi::Stream stream) override { inner_->destroy_stream(stream); }
  void sync(rhi::Stream stream) override { inner_->sync(stream); }
  rhi::Event create_event() override { return inner_->create_event(); }
  void destroy_event(rhi::Event event) override { inner_->destroy_event(event); }
  void record(rhi::Event event, rhi::Stream stream) override { inner_->record(event, stream); }
  void wait(rhi::Stream stream, rhi::Event event) override { inner_->wait(stream, event); }
  void sync(rhi::Event event) override { inner_->sync(event); }
  bool passed(rhi::Event event) override { return inner_->passed(event); }
  std::unique_ptr<CompiledKernel> compile(const KernelIR& kernel, const CompileOptions& options, int threads) override {
    return inner_->compile(kernel, options, threads);
  }
  double elapsed_seconds(rhi::Event from, rhi::Event to) override { return inner_->elapsed_seconds(from, to); }
  void fill(rhi::Stream s, void* to, int64_t size, const void* pattern, int64_t pattern_size) override {
    inner_->fill(s, to, size, pattern, pattern_size);
  }
  void begin(rhi::Stream stream) override { inner_->begin(stream); }
  void end(rhi::Stream stream) override { inner_->end(stream); }
  bool run_together(rhi::Stream s, int32_t count, void (*chain)(void*, int32_t), void* context) override {
    return inner_->run_together(s, count, chain, context);
  }
  void require_allocated(const void* memory, int64_t size) const override { inner_->require_allocated(memory, size); }

 private:
  const std::unique_ptr<rhi::Device> inner_ = rhi::make_cpu_device({.threads = 4});
};

std::atomic<int32_t> inside{0}, ended{0};

void slow(void*, int64_t, int64_t) {
  inside.fetch_add(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  inside.fetch_sub(1);
  ended.fetch_add(1);
}

// Three groups of two tasks, between a task before and one after; every launch of a task fails once.
TEST(LaunchFails, WhateverCallFailsEverythingIsJoined) {
  std::vector<CompiledTask> tasks;
  for (GroupId group : {0, 1, 1, 2, 2, 3, 3, 0}) {
    tasks.emplace_back();
    tasks.back().task.type = TaskType::serial;
    tasks.back().task.group = group;
    tasks.back().function = slow;
  }
  std::vector<OffloadedTask> offloaded;
  for (const CompiledTask& task : tasks) offloaded.push_back(task.task);
  const LaunchPlan plan = plan_launch(offloaded);
  FailingDevice device;
  LaunchBlockPool blocks;
  // Temporaries that fit on the stack, and some that are leased.
  for (int64_t temps_size : {int64_t{64}, int64_t{100'000}}) {
    for (int32_t failing = -1; failing < static_cast<int32_t>(tasks.size()); failing++) {
      SCOPED_TRACE("launch " + std::to_string(failing) + " fails");
      device.launches = 0;
      device.failing = failing;
      ended = 0;
      std::string message;
      try {
        const rhi::StreamUse use(device, nullptr);
        launch(device, nullptr, blocks, {.tasks = tasks, .plan = plan, .temps_size = temps_size});
      } catch (const Error& error) {
        message = error.what();
      }
      EXPECT_EQ(inside, 0) << "a task goes on after its launch";
      EXPECT_EQ(message, failing < 0 ? "" : "the device gave up");
      EXPECT_EQ(ended, failing < 0 ? 8 : device.launches - 1) << "what was launched has ended";
      EXPECT_EQ(device.leaks().streams + device.leaks().events + device.leaks().allocations, 0);
      const int32_t expected = failing == 0 ? 1 : failing < 0 || failing == 7 ? 8 : 7;
      EXPECT_LE(device.launches, expected) << "nothing starts after what failed";
    }
  }
}

}  // namespace
}  // namespace qd
