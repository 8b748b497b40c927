// The launcher for devices that queue, on the CUDA device: streams and events for a kernel's first launch, a graph
// later.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/runtime/group_streams.h"
#include "core/runtime/launch_queue.h"
#include "tests/core/cuda_launch_fixture.h"

namespace qd::rhi::cuda {
namespace {

TEST_F(CudaLaunching, TheLauncherForksByEventsAndThenByAGraph) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  GroupStreams groups(*device_, device_->info().group_streams);
  auto queue = std::make_unique<LaunchQueue>(*device_, stream_, groups);
  const Arguments args{.n = 1000};
  uint64_t number = 0;
  const auto launch = [&] {
    const LaunchRequest request{.tasks = kernel.tasks,
                                .plan = kRegion,
                                .args = &args,
                                .args_size = sizeof args,
                                .temps_size = 0,
                                .seed = 1,
                                .launch = ++number,
                                .host = nullptr,
                                .kernel = &kernel};
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

}  // namespace
}  // namespace qd::rhi::cuda
