// What a task gets when it is launched: one value, a CudaLaunch and the kernel's arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/rhi/cuda/loaded_kernel.h"
#include "core/rhi/device.h"

namespace qd::rhi::cuda {

class LaunchParameters {
 public:
  // Where the tasks find their state stays as it is.
  void set(const QueuedLaunch& launch);
  CudaLaunch& launch() { return *reinterpret_cast<CudaLaunch*>(words_.data()); }
  // What the task gets. For the driver, which knows from the machine code how much of it to copy.
  char* data(const LoadedTask& task) { return reinterpret_cast<char*>(words_.data()) + task.task->launch_begin; }
  // Bytes of that for the latest launch.
  size_t size(const LoadedTask& task) const { return size_ - task.task->launch_begin; }
  // The kernel's, packed.
  const char* arguments() const { return reinterpret_cast<const char*>(words_.data()) + sizeof(CudaLaunch); }
  size_t arguments_size() const { return size_ - sizeof(CudaLaunch); }

  // Sets what depends on the task's range; how many blocks to launch.
  CudaGrid plan(const LoadedTask& task);

 private:
  size_t size_ = sizeof(CudaLaunch);
  std::vector<uint64_t> words_ = std::vector<uint64_t>(sizeof(CudaLaunch) / sizeof(uint64_t));
};

}  // namespace qd::rhi::cuda
