#include "core/rhi/cpu/host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include "core/ir/error.h"

namespace qd::rhi {
namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kMapFrom = 256 << 10;  // below, the C heap is faster than two system calls and page faults
constexpr int64_t kHugePage = 2 << 20;
constexpr int64_t kHugePagesFrom = 4 << 20;

int64_t find_physical_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  int64_t bytes = pages > 0 && page > 0 ? static_cast<int64_t>(pages) * page : 0;
  std::ifstream group("/sys/fs/cgroup/memory.max");
  int64_t limit = 0;
  if (group >> limit && limit > 0) bytes = bytes == 0 ? limit : std::min(bytes, limit);
  return bytes;
}

[[noreturn]] void fail_out_of_memory(int64_t size, int64_t physical, int64_t live) {
  throw Error(Code::out_of_memory, "out of memory: " + std::to_string(size) + " bytes wanted, the machine has " +
                                       std::to_string(physical) + ", arrays hold " + std::to_string(live));
}

}  // namespace

HostMemory::HostMemory() : physical_bytes_(find_physical_bytes()) {}

HostMemory::~HostMemory() {
  for (const auto& [address, region] : regions_) release(reinterpret_cast<void*>(address), region);
}

HostMemory::Region HostMemory::map_region(int64_t size, void** memory) {
  // One huge page more, so that the start can be aligned to one: the kernel only then backs it with huge pages.
  Region region{size, nullptr, size < kHugePagesFrom ? size : size + kHugePage};
  void* mapping = mmap(nullptr, static_cast<size_t>(region.mapped_bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  region.mapping = mapping;
  *memory = mapping;
  if (size >= kHugePagesFrom) {
    const uintptr_t start = (reinterpret_cast<uintptr_t>(mapping) + kHugePage - 1) / kHugePage * kHugePage;
    *memory = reinterpret_cast<void*>(start);
    madvise(*memory, static_cast<size_t>(size), MADV_HUGEPAGE);  // a hint: failing changes nothing
  }
  return region;
}

void HostMemory::release(void* memory, const Region& region) {
  if (region.mapping != nullptr) {
    munmap(region.mapping, static_cast<size_t>(region.mapped_bytes));
  } else {
    std::free(memory);
  }
}

void* HostMemory::allocate(int64_t size) {
  if (size < 0) throw Error(Code::invalid, "memory size " + std::to_string(size) + " is negative");
  const std::lock_guard lock(mutex_);
  if (physical_bytes_ > 0 && size > physical_bytes_ - live_bytes_) {
    fail_out_of_memory(size, physical_bytes_, live_bytes_);
  }
  void* memory = nullptr;
  Region region{size, nullptr, 0};
  if (size >= kMapFrom) {
    try {
      region = map_region(size, &memory);
    } catch (const std::bad_alloc&) {
      fail_out_of_memory(size, physical_bytes_, live_bytes_);
    }
  } else {
    const auto rounded = static_cast<size_t>(std::max<int64_t>(1, (size + kAlignment - 1) / kAlignment) * kAlignment);
    memory = std::aligned_alloc(kAlignment, rounded);
    if (memory == nullptr) fail_out_of_memory(size, physical_bytes_, live_bytes_);
    std::memset(memory, 0, rounded);
  }
  try {
    regions_.emplace(reinterpret_cast<uintptr_t>(memory), region);
  } catch (...) {
    release(memory, region);
    throw;
  }
  live_bytes_ += size;
  return memory;
}

void HostMemory::free(void* memory, int64_t size) {
  const std::lock_guard lock(mutex_);
  const auto it = regions_.find(reinterpret_cast<uintptr_t>(memory));
  if (it == regions_.end() || it->second.size != size) {
    throw Error(Code::invalid, "freeing memory that was not allocated with this size, or was freed before");
  }
  live_bytes_ -= size;
  release(memory, it->second);
  regions_.erase(it);
}

void HostMemory::require_allocated(const void* memory, int64_t size) const {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const std::lock_guard lock(mutex_);
  auto it = regions_.upper_bound(address);
  if (size >= 0 && it != regions_.begin()) {
    --it;
    const auto offset = static_cast<int64_t>(address - it->first);
    if (offset <= it->second.size && size <= it->second.size - offset) return;
  }
  throw Error(Code::invalid, std::to_string(size) + " bytes at this address are not inside one allocation");
}

int64_t HostMemory::live_allocations() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(regions_.size());
}

int64_t HostMemory::live_bytes() const {
  const std::lock_guard lock(mutex_);
  return live_bytes_;
}

}  // namespace qd::rhi
