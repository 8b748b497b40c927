// Device memory that notices when it is used too late.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "core/rhi/cpu/host_memory.h"

namespace qd::rhi {

// Not thread-safe: the device holds its mutex.
class SimMemory {
 public:
  ~SimMemory();
  void* allocate(int64_t size) { return memory_.allocate(size); }
  // What is read of it from now on is nonsense, and what is written is found later.
  void free(void* memory, int64_t size);
  void require_allocated(const void* memory, int64_t size) const;
  // Throws Code::internal if freed memory was written to.
  void check_freed() const;

  int64_t physical_bytes() const { return memory_.physical_bytes(); }
  int64_t live_allocations() const { return memory_.live_allocations() - static_cast<int64_t>(freed_.size()); }
  int64_t live_bytes() const { return memory_.live_bytes() - freed_bytes_; }

 private:
  void release_oldest();

  HostMemory memory_;
  std::map<uintptr_t, int64_t> freed_;  // address to size
  std::deque<uintptr_t> order_;
  int64_t freed_bytes_ = 0;
};

}  // namespace qd::rhi
