#include "core/rhi/cuda/device_memory.h"

#include <algorithm>
#include <string>

#include "core/ir/error.h"

namespace qd::rhi::cuda {

DeviceMemory::DeviceMemory(Context& context, CUstream stream) : context_(context), stream_(stream) {
  const Driver& driver = context_.driver();
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, context_.ordinal()};
  context_.check(driver.cuMemPoolCreate(&pool_, &properties), "making a memory pool");
  uint64_t threshold = UINT64_MAX;
  const CUresult set = driver.cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
  if (set != CUDA_SUCCESS) driver.cuMemPoolDestroy(pool_);
  context_.check(set, "setting up the memory pool");
}

DeviceMemory::~DeviceMemory() {
  const CurrentToRelease current(context_);
  const Driver& driver = context_.driver();
  for (const auto& [address, size] : sizes_) driver.cuMemFreeAsync(address, stream_);
  driver.cuStreamSynchronize(stream_);
  driver.cuMemPoolDestroy(pool_);
}

void DeviceMemory::fail_out_of_memory(int64_t size) const {
  size_t free = 0, total = 0;
  const bool known = context_.driver().cuMemGetInfo(&free, &total) == CUDA_SUCCESS;
  throw Error(Code::out_of_memory, "out of GPU memory: " + std::to_string(size) + " bytes wanted, " +
                                       (known ? std::to_string(free) : "an unknown number") + " of " +
                                       std::to_string(context_.memory_bytes()) + " free, arrays hold " +
                                       std::to_string(live_bytes()));
}

CUdeviceptr DeviceMemory::take(int64_t size, CUstream stream) {
  const Driver& driver = context_.driver();
  if (size > context_.memory_bytes()) fail_out_of_memory(size);
  const auto bytes = static_cast<size_t>(std::max<int64_t>(size, 1));
  CUdeviceptr memory = 0;
  CUresult result = driver.cuMemAllocFromPoolAsync(&memory, bytes, pool_, stream);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    // What the pool keeps may lie in pieces that are too small.
    driver.cuStreamSynchronize(stream_);
    driver.cuMemPoolTrimTo(pool_, 0);
    result = driver.cuMemAllocFromPoolAsync(&memory, bytes, pool_, stream);
  }
  if (result == CUDA_ERROR_OUT_OF_MEMORY) fail_out_of_memory(size);
  context_.check(result, "allocating memory");
  return memory;
}

void DeviceMemory::give_back(CUdeviceptr memory, CUstream stream) noexcept {
  context_.driver().cuMemFreeAsync(memory, stream);
}

void* DeviceMemory::allocate(int64_t size) {
  if (size < 0) throw Error(Code::invalid, "memory size " + std::to_string(size) + " is negative");
  const Current current(context_);
  const Driver& driver = context_.driver();
  const CUdeviceptr memory = take(size, stream_);
  try {
    context_.check(driver.cuMemsetD8Async(memory, 0, static_cast<size_t>(std::max<int64_t>(size, 1)), stream_),
                   "zeroing memory");
    context_.check(driver.cuStreamSynchronize(stream_), "zeroing memory");
    const std::lock_guard lock(mutex_);
    sizes_.emplace(memory, size);
    live_bytes_ += size;
  } catch (...) {
    give_back(memory, stream_);
    throw;
  }
  return reinterpret_cast<void*>(memory);
}

void DeviceMemory::free(void* memory, int64_t size) {
  {
    const std::lock_guard lock(mutex_);
    const auto it = sizes_.find(reinterpret_cast<uintptr_t>(memory));
    if (it == sizes_.end() || it->second != size) {
      throw Error(Code::invalid, "freeing memory that was not allocated with this size, or was freed before");
    }
    live_bytes_ -= size;
    sizes_.erase(it);
  }
  const CurrentToRelease current(context_);
  give_back(reinterpret_cast<CUdeviceptr>(memory), stream_);
}

void DeviceMemory::require_allocated(const void* memory, int64_t size) const {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const std::lock_guard lock(mutex_);
  auto it = sizes_.upper_bound(address);
  if (size >= 0 && it != sizes_.begin()) {
    --it;
    const auto offset = static_cast<int64_t>(address - it->first);
    if (offset <= it->second && size <= it->second - offset) return;
  }
  throw Error(Code::invalid, std::to_string(size) + " bytes at this address are not inside one allocation");
}

int64_t DeviceMemory::live_allocations() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(sizes_.size());
}

int64_t DeviceMemory::live_bytes() const {
  const std::lock_guard lock(mutex_);
  return live_bytes_;
}

}  // namespace qd::rhi::cuda
