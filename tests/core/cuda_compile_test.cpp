// From a kernel's IR to a launch on the CUDA device.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>

#include "core/rhi/cuda/cuda_device.h"
#include "tests/core/cuda_recorder.h"
#include "tests/core/pass_fixture.h"

namespace qd {
namespace {

using rhi::cuda::Recorder;

class CudaCompile : public PassTest {};

// The driver gets PTX that it reads and the GPU runs, with every task in it, and the range's size decides the grid.
TEST_F(CudaCompile, LaunchesWhatItCompiled) {
  const int32_t y = array("y", kF32);
  const LabelId loop = range(b.dim(y, 0));
  b.assign(at(y, index(loop)), f32(2));
  b.end_for();
  const KernelIR& ir = compile();

  Recorder recorder;
  recorder.version = 12030;
  rhi::CudaDevice device(Recorder::table(), 0);
  EXPECT_EQ(device.math(), "");
  const std::unique_ptr<CompiledKernel> kernel = device.compile(ir, {}, 1);
  EXPECT_NE(device.math(), "");
  EXPECT_NE(recorder.ptx.find(".target sm_90"), std::string::npos) << recorder.ptx.substr(0, 400);
  EXPECT_NE(recorder.ptx.find(".version 8."), std::string::npos);
  EXPECT_LE(recorder.ptx.substr(recorder.ptx.find(".version ") + 9, 3), "8.3");
  ASSERT_EQ(kernel->tasks.size(), 1U);
  EXPECT_EQ(kernel->tasks[0].task.type, TaskType::range_for);

  const rhi::Slot slot = device.create_slot();
  int64_t threads[2] = {0, 0};
  for (const int64_t length : {0, 1'000'000}) {
    const int64_t args[] = {1 << 20, length};
    device.open_launch(nullptr, slot,
                       {.args = args, .args_size = sizeof args, .temps_size = ir.temps_size, .number = 1});
    device.launch(nullptr, kernel->tasks[0], slot);
    device.sync(static_cast<rhi::Stream>(nullptr));
    for (const Recorder::Run& run : recorder.runs) {
      EXPECT_NE(recorder.ptx.find(".entry " + run.entry), std::string::npos);
      threads[length == 0 ? 0 : 1] += int64_t{run.blocks} * run.threads;
    }
  }
  EXPECT_EQ(threads[0], 0);
  EXPECT_GT(threads[1], 1000);
  device.destroy_slot(slot);
}

}  // namespace
}  // namespace qd
