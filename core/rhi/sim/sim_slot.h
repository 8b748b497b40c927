// The launch block of a simulated stream, and its tasks as work.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/rhi/device.h"
#include "core/rhi/sim/sim_scheduler.h"

namespace qd::rhi {

struct SimSlot {
  std::optional<FailedLaunch> failure;  // the first that was not taken

  // What makes the block that of a launch, when its turn comes.
  std::function<void()> upload(const QueuedLaunch& launch);
  // The task over its whole range, in pieces. A task in a parallel loop may do them in any order.
  SimWork work(const CompiledTask& task, SimScheduler& scheduler);
  // Notes whether the launch failed.
  void collect();

 private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  void* block() { return block_.data(); }
  LaunchHeader& header() { return *reinterpret_cast<LaunchHeader*>(block_.data()); }

  std::vector<Line> block_;
};

}  // namespace qd::rhi
