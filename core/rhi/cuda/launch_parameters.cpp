#include "core/rhi/cuda/launch_parameters.h"

#include <cstddef>
#include <cstring>

namespace qd::rhi::cuda {

void LaunchParameters::set(const LaunchImage& image) {
  // Grows only, so that a stream's launches soon allocate nothing.
  const size_t words = (image.size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
  if (words > words_.size()) words_.resize(words);
  LaunchHeader header;
  std::memcpy(&header, image.image, sizeof header);
  launch().seed = header.seed;
  launch().launch = image.number;
  launch().print_tag = reinterpret_cast<uintptr_t>(header.host);
  std::memcpy(reinterpret_cast<char*>(words_.data()) + kHeaderSize, static_cast<const char*>(image.image) + kHeaderSize,
              image.size - kHeaderSize);
}

CudaGrid LaunchParameters::plan(const LoadedTask& task) {
  constexpr size_t kRange = offsetof(CudaLaunch, bounds);
  std::memset(reinterpret_cast<char*>(words_.data()) + kRange, 0, sizeof(CudaLaunch) - kRange);
  return plan_cuda_grid(*task.task, &launch(), task.occupancy);
}

}  // namespace qd::rhi::cuda
