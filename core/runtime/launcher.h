// Runs a compiled kernel's launch plan on a device: one copy for every device.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/rhi/device.h"
#include "core/runtime/launch_block.h"
#include "core/runtime/launch_blocks.h"
#include "core/runtime/launch_plan.h"

namespace qd {

struct LaunchRequest {
  const std::vector<CompiledTask>& tasks;
  const LaunchPlan& plan;
  const void* args = nullptr;  // packed; copied
  int64_t args_size = 0;
  int64_t temps_size = 0;
  uint64_t seed = 0;
  uint64_t launch = 0;
  HostServices* host = nullptr;
  const CompiledKernel* kernel = nullptr;  // whose tasks they are, for devices that launch a kernel as a whole
};

struct LaunchOutcome {
  LaunchState state = LaunchState::running;  // running: ended without a failure
  int32_t check = 0;                         // with failed, as LaunchHeader
  std::array<uint64_t, kMaxCheckValues> values{};
};

// Runs the tasks on the stream and returns when they have ended. A failed or stopped task ends the launch; the groups
// of its phase end first. On the default stream the caller holds the stream (rhi::StreamUse).
LaunchOutcome launch(rhi::Device& device, rhi::Stream stream, LaunchBlockPool& blocks, const LaunchRequest& request);

// The same in two steps, for a launch that runs later than its arguments are known.
size_t block_size(const LaunchRequest& request);
void fill_block(void* block, const LaunchRequest& request);  // block_size bytes, 64-byte aligned
LaunchOutcome run_block(rhi::Device& device, rhi::Stream stream, const std::vector<CompiledTask>& tasks,
                        const LaunchPlan& plan, void* block);

}  // namespace qd
