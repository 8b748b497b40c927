#include "core/rhi/cpu/iteration_space.h"

#include <algorithm>

namespace qd::rhi {

std::optional<int64_t> flattened_size(const int64_t* bounds, int32_t dims) {
  bool empty = false, overflow = false;
  int64_t size = 1;
  for (int32_t axis = 0; axis < dims; ++axis) {
    const int64_t begin = bounds[2 * axis], end = bounds[2 * axis + 1];
    int64_t length = 0;
    if (end <= begin) {
      empty = true;
    } else {
      overflow |= __builtin_sub_overflow(end, begin, &length) || __builtin_mul_overflow(size, length, &size);
    }
  }
  if (empty) return 0;
  if (overflow) return std::nullopt;
  return size;
}

std::optional<int64_t> iteration_count(const CompiledTask& task, void* block) {
  int64_t bounds[2 * kMaxDims] = {};
  task.bounds(block, bounds);
  return flattened_size(bounds, std::clamp(task.task.dims, 1, kMaxDims));
}

}  // namespace qd::rhi
