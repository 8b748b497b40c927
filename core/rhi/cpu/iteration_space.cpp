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

void fail_too_many(const CompiledTask& task, void* block) {
  auto* header = static_cast<LaunchHeader*>(block);
  int32_t running = static_cast<int32_t>(LaunchState::running);
  if (!__atomic_compare_exchange_n(&header->state, &running, static_cast<int32_t>(LaunchState::claimed), false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return;
  }
  header->check = kTooManyIterations;
  header->values[0] = static_cast<uint64_t>(int64_t{task.task.pos});
  __atomic_store_n(&header->state, static_cast<int32_t>(LaunchState::failed), __ATOMIC_RELEASE);
}

std::optional<int64_t> iteration_count(const CompiledTask& task, void* block) {
  int64_t bounds[2 * kMaxDims] = {};
  task.bounds(block, bounds);
  return flattened_size(bounds, std::clamp(task.task.dims, 1, kMaxDims));
}

}  // namespace qd::rhi
