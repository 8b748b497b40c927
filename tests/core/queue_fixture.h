// Launches of hand-written tasks through launch queues on the simulated device.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "core/ir/error.h"
#include "core/rhi/sim/sim_device.h"
#include "core/runtime/launch_queue.h"

namespace qd {

// What tasks get: cells of device memory and a value.
struct QueueArgs {
  int64_t* cells;
  int64_t value;
};

inline QueueArgs& args_of(void* block) {
  return *reinterpret_cast<QueueArgs*>(static_cast<char*>(block) + kHeaderSize);
}
inline int64_t* temps_of(void* block) {
  return reinterpret_cast<int64_t*>(static_cast<char*>(block) + temps_offset(sizeof(QueueArgs)));
}
inline void fail_check(void* block, int32_t check) {
  auto* header = static_cast<LaunchHeader*>(block);
  header->check = check;
  header->values[0] = header->launch;
  header->state = static_cast<int32_t>(LaunchState::failed);
}

inline CompiledTask serial_task(TaskFunction function, GroupId group = 0) {
  CompiledTask task;
  task.task.type = TaskType::serial;
  task.task.group = group;
  task.function = function;
  return task;
}
inline CompiledTask range_task(TaskFunction function, BoundsFunction bounds, GroupId group = 0, int64_t cost = 1) {
  CompiledTask task = serial_task(function, group);
  task.task.type = TaskType::range_for;
  task.task.dims = 1;
  task.task.cost = cost;
  task.bounds = bounds;
  return task;
}

// Tasks with their plan.
struct QueueKernel {
  explicit QueueKernel(std::vector<CompiledTask> of) : tasks(std::move(of)) {
    std::vector<OffloadedTask> offloaded;
    for (const CompiledTask& task : tasks) offloaded.push_back(task.task);
    plan = plan_launch(offloaded);
  }
  std::vector<CompiledTask> tasks;
  LaunchPlan plan;
};

inline constexpr int64_t kCells = 256;

// A simulated device with cells and a launch queue on its default stream.
class SimulatedQueue {
 public:
  explicit SimulatedQueue(const rhi::SimOptions& options)
      : device(options), groups(device, device.info().group_streams), queue(device, nullptr, groups) {
    cells = static_cast<int64_t*>(device.allocate(kCells * 8));
  }
  ~SimulatedQueue() { device.free(cells, kCells * 8); }

  void launch(LaunchQueue& on, const QueueKernel& kernel, int64_t value = 0,
              std::shared_ptr<const void> kept = nullptr) {
    const QueueArgs args{cells, value};
    on.launch({.tasks = kernel.tasks,
               .plan = kernel.plan,
               .args = &args,
               .args_size = sizeof args,
               .temps_size = 64,
               .launch = ++launches},
              std::move(kept));
  }
  void launch(const QueueKernel& kernel, int64_t value = 0, std::shared_ptr<const void> kept = nullptr) {
    launch(queue, kernel, value, std::move(kept));
  }
  std::vector<int64_t> read() {
    std::vector<int64_t> all(kCells);
    device.copy_out(nullptr, all.data(), cells, kCells * 8);
    return all;
  }

  rhi::SimDevice device;
  GroupStreams groups;
  LaunchQueue queue;
  int64_t* cells = nullptr;
  uint64_t launches = 0;
};

}  // namespace qd
