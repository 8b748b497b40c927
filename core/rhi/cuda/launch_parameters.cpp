#include "core/rhi/cuda/launch_parameters.h"

#include <cstddef>
#include <cstring>

namespace qd::rhi::cuda {

void LaunchParameters::set(const QueuedLaunch& wanted) {
  size_ = kHeaderSize + wanted.args_size;
  // Grows only, so that a stream's launches soon allocate nothing.
  const size_t words = (size_ + sizeof(uint64_t) - 1) / sizeof(uint64_t);
  if (words > words_.size()) words_.resize(words);
  launch().seed = wanted.seed;
  launch().launch = wanted.number;
  launch().print_tag = reinterpret_cast<uintptr_t>(wanted.host);
  if (wanted.args_size > 0)
    std::memcpy(words_.data() + sizeof(CudaLaunch) / sizeof(uint64_t), wanted.args, wanted.args_size);
}

CudaGrid LaunchParameters::plan(const LoadedTask& task) {
  if (task.task->launch_begin == 0) std::memset(words_.data(), 0, offsetof(CudaLaunch, prints));
  return plan_cuda_grid(*task.task, &launch(), task.occupancy);
}

}  // namespace qd::rhi::cuda
