// Launches on the CUDA device, by the driver's calls that they make: parameters, failures, temporaries, prints.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "core/ir/error.h"
#include "tests/core/cuda_launch_fixture.h"

namespace qd::rhi::cuda {
namespace {

TEST_F(CudaLaunching, PassesWhatTheTaskNeeds) {
  const CudaTask wide = range("r");
  const CompiledKernel& kernel = load(code({serial("s"), wide}));
  launch(kernel, Image(3, {.n = 1000, .more = -4}));
  EXPECT_TRUE(recorder_.runs.empty());  // queued
  device_->sync(stream_);
  ASSERT_EQ(ran(), Names({"s", "r"}));
  const Recorder::Run& s = recorder_.runs[0];
  EXPECT_EQ(s.blocks, 1U);
  EXPECT_EQ(s.threads, 1U);
  const CudaLaunch launched = launch_of(s);
  EXPECT_EQ(launched.launch, 3U);
  EXPECT_EQ(launched.seed, 5U);
  EXPECT_NE(launched.state, 0U);
  EXPECT_NE(state_of(s).record, 0U);
  EXPECT_EQ(state_of(s).ended + state_of(s).claimed, 0U);
  EXPECT_EQ(arguments_of(s).n, 1000);
  EXPECT_EQ(arguments_of(s).more, -4);

  const Recorder::Run& r = recorder_.runs[1];
  struct {
    CudaLaunch launch{};
    Arguments args{.n = 1000, .more = -4};
  } planned;
  const CudaGrid grid = plan_cuda_grid(wide, &planned.launch, {.multiprocessors = 4, .blocks_per_multiprocessor = 2});
  EXPECT_EQ(r.blocks, grid.blocks);
  EXPECT_EQ(r.threads, static_cast<unsigned>(grid.threads));
  const CudaLaunch at = launch_of(r);
  EXPECT_EQ(std::memcmp(&at.bounds, &planned.launch.bounds, offsetof(CudaLaunch, prints)), 0);
  EXPECT_FALSE(device_->take_failure(slot_));
}

TEST_F(CudaLaunching, AnEmptyRangeLaunchesNothing) {
  launch(load(code({range("r")})), Image(1, {.n = 0}));
  launch(load(code({range("q")})), Image(2, {.n = -5}));
  EXPECT_EQ(recorder_.count("cuLaunchKernel"), 0);
}

TEST_F(CudaLaunching, TellsTheFirstFailureAndForgetsIt) {
  const CompiledKernel& kernel = load(code({serial("s"), serial("t")}));
  recorder_.on_run = [](const Recorder::Run& run) { fail(run, run.entry == "s" ? 10 : 20); };
  launch(kernel, Image(6));
  launch(kernel, Image(7));
  EXPECT_FALSE(device_->take_failure(slot_));  // nothing has run
  device_->sync(stream_);
  const std::optional<FailedLaunch> failed = device_->take_failure(slot_);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->number, 6U);
  EXPECT_EQ(failed->check, 10);
  EXPECT_EQ(failed->values[1], 9U);
  EXPECT_FALSE(device_->take_failure(slot_));
  device_->sync(stream_);
  EXPECT_FALSE(device_->take_failure(slot_));
  launch(kernel, Image(8));
  device_->sync(stream_);
  ASSERT_TRUE(device_->take_failure(slot_));
}

TEST_F(CudaLaunching, TooManyIterationsFailTheLaunch) {
  const CompiledKernel& kernel = load(code({serial("s"), range("r", 2), serial("t")}));
  uint64_t ended = 0;
  recorder_.on_run = [&](const Recorder::Run& run) { ended = run.entry == "t" ? state_of(run).ended : 0; };
  launch(kernel, Image((uint64_t{1} << 40) + 6, {.n = int64_t{1} << 40}));
  device_->sync(stream_);
  EXPECT_EQ(ran(), Names({"s", "t"}));
  EXPECT_EQ(ended, (uint64_t{1} << 40) + 7);  // the task itself sees that there is nothing to do
  const std::optional<FailedLaunch> failed = device_->take_failure(slot_);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->number, (uint64_t{1} << 40) + 6);
  EXPECT_EQ(failed->check, kTooManyIterations);
  EXPECT_EQ(failed->values[0], 77U);
  EXPECT_FALSE(device_->take_failure(slot_));
}

// The host knows of too many iterations when it queues the launch, but a task that was queued before may fail first.
TEST_F(CudaLaunching, TooManyIterationsAreNotToldBeforeAnEarlierFailure) {
  const CompiledKernel& fails = load(code({serial("fails")}));
  const CompiledKernel& both = load(code({serial("fails"), range("r", 2)}));
  const CompiledKernel& large = load(code({range("r", 2)}));
  recorder_.on_run = [](const Recorder::Run& run) { fail(run, 10); };
  const Arguments args{.n = int64_t{1} << 40};
  const auto take = [&] {
    const std::optional<FailedLaunch> failed = device_->take_failure(slot_);
    return failed ? std::tuple(failed->number, failed->check) : std::tuple(uint64_t{0}, 0);
  };
  launch(fails, Image(1));
  launch(large, Image(2, args));
  EXPECT_EQ(take(), std::tuple(1U, 10));
  EXPECT_EQ(take(), std::tuple(2U, kTooManyIterations));
  launch(both, Image(3, args));  // one launch fails once
  EXPECT_EQ(take(), std::tuple(3U, 10));
  EXPECT_EQ(take(), std::tuple(0U, 0));
  launch(large, Image(4, args));
  launch(fails, Image(5));
  EXPECT_EQ(take(), std::tuple(4U, kTooManyIterations));
  EXPECT_EQ(take(), std::tuple(5U, 10));
}

TEST_F(CudaLaunching, TemporariesAreZeroAndGrowInStreamOrder) {
  const CompiledKernel& kernel = load(code({serial("s")}));
  size_t size = 0;
  std::vector<uint64_t> places;
  recorder_.on_run = [&](const Recorder::Run& run) {
    auto* temps = reinterpret_cast<char*>(launch_of(run).temps);
    places.push_back(launch_of(run).temps);
    for (size_t i = 0; i < size; ++i) ASSERT_EQ(temps[i], 0);
    std::memset(temps, 1, size);
  };
  const int before = recorder_.live("memory");
  for (const size_t wanted : {100, 100, 60'000, 100, 60'000}) {
    size = wanted;
    launch(kernel, Image(1, {}, static_cast<int64_t>(wanted)));
    device_->sync(stream_);
  }
  EXPECT_EQ(places[0], places[1]);
  EXPECT_NE(places[1], places[2]);
  EXPECT_EQ(places[2], places[4]);
  EXPECT_EQ(recorder_.live("memory"), before + 1);
}

void print(const CudaLaunch& launch, uint64_t site, const std::vector<uint64_t>& values) {
  auto* ring = reinterpret_cast<CudaPrints*>(launch.prints);
  const uint64_t at = ring->used;
  ring->used += 2 + values.size();
  if (ring->used > ring->capacity) return;
  auto* words = reinterpret_cast<uint64_t*>(ring + 1) + at;
  words[1] = site | values.size() << 32;
  std::copy(values.begin(), values.end(), words + 2);
  words[0] = launch.print_tag;
}

TEST_F(CudaLaunching, PassesOnWhatWasPrinted) {
  const CompiledKernel& silent = load(code({serial("s")}));
  const CompiledKernel& kernel = load(code({serial("p")}, true));
  Lines a, b;
  launch(silent, Image(1, {}, 0, &a.services));
  device_->sync(stream_);
  EXPECT_EQ(launch_of(recorder_.runs[0]).prints, 0U);
  recorder_.on_run = [&](const Recorder::Run& run) {
    print(launch_of(run), 4, {1, 2, launch_of(run).launch});
    print(launch_of(run), 5, {});
  };
  launch(kernel, Image(2, {}, 0, &a.services));
  launch(kernel, Image(3, {}, 0, &b.services));
  EXPECT_FALSE(device_->take_failure(slot_));  // waits
  EXPECT_EQ(a.lines, (std::vector<std::tuple<int32_t, uint64_t>>{{4, 2}, {5, 0}}));
  EXPECT_EQ(b.lines, (std::vector<std::tuple<int32_t, uint64_t>>{{4, 3}, {5, 0}}));
  launch(kernel, Image(4, {}, 0, &b.services));
  device_->take_failure(slot_);
  EXPECT_EQ(a.lines.size(), 2U);
  ASSERT_EQ(b.lines.size(), 4U);
  EXPECT_EQ(b.lines[2], std::tuple(4, 4U));

  recorder_.on_run = [&](const Recorder::Run& run) {
    for (int i = 0; i < 100'000; ++i) print(launch_of(run), 6, {1});
  };
  a.lines.clear();
  launch(kernel, Image(5, {}, 0, &a.services));
  device_->take_failure(slot_);
  EXPECT_EQ(a.lines.size(), (1 << 17) / 3 + 1U);
  EXPECT_EQ(a.lines.back(), std::tuple(-1, 0U));  // lines are missing
}

TEST_F(CudaLaunching, KernelsOfTheSamePtxShareAModule) {
  load(code({serial("s")}));
  load(code({serial("s")}));
  EXPECT_EQ(recorder_.count("cuModuleLoadDataEx"), 1);
  load(code({serial("other")}));
  EXPECT_EQ(recorder_.live("modules"), 2);
  kernels_.clear();
  EXPECT_EQ(recorder_.live("modules"), 0);
  load(code({serial("s")}));
  EXPECT_EQ(recorder_.count("cuModuleLoadDataEx"), 3);
}

TEST_F(CudaLaunching, SaysWhatTheDriverSaysOfAKernel) {
  recorder_.error_log = "ptxas application ptx input, line 3; fatal\n";
  for (const auto& [result, expected] : {std::pair{CUDA_ERROR_INVALID_PTX, Code::internal},
                                         std::pair{CUDA_ERROR_UNSUPPORTED_PTX_VERSION, Code::unsupported},
                                         std::pair{CUDA_ERROR_OUT_OF_MEMORY, Code::out_of_memory}}) {
    recorder_.always["cuModuleLoadDataEx"] = result;
    try {
      device_->load(code({serial("s")}), "saxpy");
      FAIL();
    } catch (const Error& e) {
      EXPECT_EQ(e.code, expected);
      EXPECT_NE(std::string(e.what()).find("line 3; fatal"), std::string::npos) << e.what();
      if (expected != Code::out_of_memory) {
        EXPECT_NE(std::string(e.what()).find("saxpy"), std::string::npos) << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace qd::rhi::cuda
