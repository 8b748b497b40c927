// The launcher for devices that queue, on the CUDA device: streams and events for a kernel's first launch, a graph
// later.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/ir/error.h"
#include "core/runtime/group_streams.h"
#include "core/runtime/launch_queue.h"
#include "tests/core/cuda_launch_fixture.h"

namespace qd::rhi::cuda {
namespace {

LaunchRequest request_of(const CompiledKernel& kernel, const LaunchPlan& plan, const Arguments& args, uint64_t number) {
  return {.tasks = kernel.tasks,
          .plan = plan,
          .args = &args,
          .args_size = sizeof args,
          .temps_size = 0,
          .seed = 1,
          .launch = number,
          .host = nullptr,
          .kernel = &kernel};
}

TEST_F(CudaLaunching, TheLauncherForksByEventsAndThenByAGraph) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  GroupStreams groups(*device_, device_->info().group_streams);
  auto queue = std::make_unique<LaunchQueue>(*device_, stream_, groups);
  const Arguments args{.n = 1000};
  uint64_t number = 0;
  const auto launch = [&] {
    const LaunchRequest request = request_of(kernel, kRegion, args, ++number);
    queue->launch(request, std::make_shared<int>(0));
  };
  const auto count = [&](const char* call) { return recorder_.count(call); };

  recorder_.calls.clear();
  launch();
  EXPECT_EQ(count("cuLaunchKernel"), 5);
  EXPECT_EQ(count("cuEventRecord"), 2);      // the fork, and the end of the other group
  EXPECT_EQ(count("cuStreamWaitEvent"), 2);  // likewise
  EXPECT_EQ(count("cuStreamCreate flags=1"), 1);
  EXPECT_EQ(count("cuStreamSynchronize"), 0);
  queue->drain();
  ASSERT_EQ(ran().size(), 5U);
  EXPECT_EQ(ran().front(), "a");
  EXPECT_EQ(ran().back(), "e");

  launch();  // builds the graph
  recorder_.calls.clear();
  launch();
  EXPECT_EQ(count("cuGraphLaunch"), 1);
  EXPECT_EQ(count("cuLaunchKernel") + count("cuEvent") + count("cuStream") + count("cuMem"), 0);

  recorder_.on_run = [](const Recorder::Run& run) {
    if (run.entry == "c" && launch_of(run).launch == 4) fail(run, 6);
  };
  launch();
  queue->drain();
  const std::optional<LaunchQueue::Failure> failure = queue->take_failure();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->failed.number, 4U);
  EXPECT_EQ(failure->failed.check, 6);
  EXPECT_NE(failure->launched, nullptr);
  EXPECT_EQ(ran().size(), 20U);
  queue.reset();
}

// What a launch in a loop costs: the calls of the driver. A batch of launches costs a few more.
TEST_F(CudaLaunching, ARepeatedLaunchMakesFewCalls) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  GroupStreams groups(*device_, device_->info().group_streams);
  LaunchQueue queue(*device_, stream_, groups);
  const Arguments args{.n = 1000};
  uint64_t number = 0;
  const auto owner = std::make_shared<int>(0);
  const auto launch = [&](int times) {
    for (int i = 0; i < times; ++i) {
      queue.launch(request_of(kernel, kRegion, args, ++number), owner);
    }
  };
  constexpr int kBatch = LaunchQueue::kBatch;
  launch(3 * kBatch);  // makes the graph, and the events of a few batches
  queue.drain();
  EXPECT_EQ(owner.use_count(), 1);
  recorder_.calls.clear();
  const auto count = [&](const char* call) { return recorder_.count(call); };
  launch(kBatch);
  EXPECT_EQ(count("cuGraphExecKernelNodeSetParams"), 5 * kBatch);
  EXPECT_EQ(count("cuGraphLaunch"), kBatch);
  EXPECT_EQ(count("cu"), 6 * kBatch);
  EXPECT_EQ(owner.use_count(), 2);  // once a batch
  launch(kBatch);                   // makes the event of the batch after the drain
  recorder_.calls.clear();
  launch(kBatch);
  EXPECT_EQ(count("cuGraph"), 6 * kBatch);
  EXPECT_EQ(count("cuEventRecord"), 1);
  EXPECT_EQ(count("cuEventQuery"), 1);
  EXPECT_EQ(count("cu"), 6 * kBatch + 2);
  queue.drain();
  EXPECT_EQ(owner.use_count(), 1);
}

// Events that nobody asks for a time have none.
TEST_F(CudaLaunching, OnlyEventsOfATraceHaveTimes) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  recorder_.calls.clear();
  GroupStreams groups(*device_, device_->info().group_streams);
  LaunchQueue queue(*device_, stream_, groups);
  const Arguments args{.n = 1000};
  const auto launch = [&] {
    queue.launch({.tasks = kernel.tasks, .plan = kRegion, .args = &args, .args_size = sizeof args}, {});
  };
  launch();
  queue.drain();
  EXPECT_EQ(recorder_.count("cuEventCreate flags=2"), 3);  // of the fork, of the other lane, of the batch
  EXPECT_EQ(recorder_.count("cuEventCreate flags=0"), 0);
  device_->start_trace(100);
  launch();
  queue.drain();
  EXPECT_EQ(device_->stop_trace().spans.size(), 5U);
  EXPECT_EQ(recorder_.count("cuEventCreate flags=0"), 11);  // two a task, and where clocks meet
}

// A kernel's graphs go with it, while the slot is in use for another kernel.
TEST_F(CudaLaunching, AKernelGoesWhileAnotherIsLaunched) {
  const CompiledKernel& kept = load(code(region_tasks()));
  const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0}}}}}};
  GroupStreams groups(*device_, device_->info().group_streams);
  LaunchQueue queue(*device_, stream_, groups);
  std::atomic<uint64_t> number{0};
  const auto launch = [&](const CompiledKernel& kernel, const LaunchPlan& by,
                          const std::shared_ptr<const void>& owner) {
    const Arguments args{.n = 10};
    queue.launch(request_of(kernel, by, args, ++number), owner, &kernel);
  };
  std::thread other([&] {
    for (int i = 0; i < 300; ++i) launch(kept, kRegion, nullptr);
  });
  for (int i = 0; i < 30; ++i) {
    const std::shared_ptr<const CompiledKernel> goes = device_->load(code({serial("k" + std::to_string(i))}), "kernel");
    for (int n = 0; n < 3; ++n) launch(*goes, plan, goes);
    queue.drain();
  }
  other.join();
  queue.drain();
  EXPECT_EQ(recorder_.live("modules"), 1);
  EXPECT_EQ(recorder_.live("execs"), 1);
  EXPECT_EQ(recorder_.runs.size(), 300U * 5 + 90);
}

// A batch that has passed comes back although the launch that found it out fails.
TEST_F(CudaLaunching, ALaunchThatFailsLosesNoBatch) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  GroupStreams groups(*device_, device_->info().group_streams);
  LaunchQueue queue(*device_, stream_, groups);
  const Arguments args{.n = 1000};
  const auto owner = std::make_shared<int>(0);
  const auto launch = [&] {
    queue.launch({.tasks = kernel.tasks,
                  .plan = kRegion,
                  .args = &args,
                  .args_size = sizeof args,
                  .temps_size = 0,
                  .seed = 0,
                  .launch = 1,
                  .host = nullptr,
                  .kernel = &kernel},
                 owner);
  };
  for (int i = 0; i < 64; ++i) launch();
  queue.drain();
  for (int i = 0; i < 64; ++i) launch();
  device_->sync(stream_);
  launch();  // its event is recorded
  device_->sync(stream_);
  for (int i = 0; i < 63; ++i) launch();
  recorder_.always = {{"cuGraphLaunch", CUDA_ERROR_INVALID_VALUE}};
  EXPECT_THROW(launch(), Error);
  recorder_.always.clear();
  queue.drain();
  EXPECT_EQ(owner.use_count(), 1);
}

}  // namespace
}  // namespace qd::rhi::cuda
