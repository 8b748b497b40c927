// The CUDA device where one of the driver's calls fails, whichever it is.
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

// Everything once, with what is made given back whatever happens.
void use_everything() {
  CudaDevice device(Recorder::table(), 0);
  std::vector<std::function<void()>> give_back;
  struct Undo {
    std::vector<std::function<void()>>& all;
    ~Undo() {
      for (; !all.empty(); all.pop_back()) all.back()();
    }
  } undo{give_back};
  const Stream stream = device.create_stream();
  give_back.emplace_back([&device, stream] { device.destroy_stream(stream); });
  const Slot slot = device.create_slot();
  give_back.emplace_back([&device, slot] { device.destroy_slot(slot); });
  const Event event = device.create_event();
  give_back.emplace_back([&device, event] { device.destroy_event(event); });
  give_back.emplace_back([&device, stream] {  // before the slot goes; twice, since one call fails
    for (int i = 0; i < 2; ++i) {
      try {
        device.sync(stream);
      } catch (const Error&) {
      }
    }
  });
  void* memory = device.allocate(3'000'000);
  give_back.emplace_back([&device, memory] { device.free(memory, 3'000'000); });
  std::vector<char> host(3'000'000);
  const StreamUse use(device, stream);
  device.copy_in(stream, memory, host.data(), 3'000'000);
  device.fill(stream, memory, 3'000'000, "abc", 3);
  device.copy_out(stream, host.data(), memory, 3'000'000);
  Lines lines;
  const std::unique_ptr<CompiledKernel> kernel = device.load(code(region_tasks(), true), "kernel");
  const Arguments args{.n = 100};
  for (uint64_t number = 1; number < 4; ++number) {
    const Image image(number, args, 100 * static_cast<int64_t>(number), &lines.services);
    if (device.launch_whole(stream, slot, image.get(), *kernel, kRegion)) continue;
    device.open_launch(stream, slot, image.get());
    for (const CompiledTask& task : kernel->tasks) device.launch(stream, task, slot);
    device.close_launch(stream, slot);
  }
  device.record(event, stream);
  device.wait(nullptr, event);
  device.passed(event);
  device.elapsed_seconds(event, event);
  device.take_failure(slot);
  device.sync(stream);
}

TEST(CudaFailures, NothingIsLostWhicheverCallFails) {
  for (const CUresult result :
       {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_UNKNOWN, CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_LAUNCH_FAILED}) {
    int failing = 0, thrown = 0;
    for (bool reached = true; reached;) {
      Recorder recorder;
      recorder.on_run = [](const Recorder::Run& run) { fail(run, 1); };
      recorder.fail_call = ++failing;
      recorder.fail_with = result;
      try {
        use_everything();
      } catch (const Error&) {
        ++thrown;
      }
      reached = recorder.counted >= failing;
      ASSERT_EQ(recorder.not_given_back(), "") << "call " << failing;
      ASSERT_EQ(recorder.faults, Names()) << "call " << failing;
      ASSERT_NE(Recorder::current(), recorder.other()) << "call " << failing;
    }
    EXPECT_GT(failing, 80);
    EXPECT_GT(thrown, failing / 2);  // what need not work may fail quietly
    EXPECT_LT(thrown, failing);
  }
}

}  // namespace
}  // namespace qd::rhi::cuda
