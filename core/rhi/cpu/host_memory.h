// Device memory of the CPU: 64-byte aligned, zeroed, and known by address so that a wrong one is an error, not a crash.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace qd::rhi {

class HostMemory {
 public:
  HostMemory();
  ~HostMemory();  // gives back what is still allocated
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  // Bytes of memory of this machine, or of its control group where that is less; 0: unknown.
  int64_t physical_bytes() const { return physical_bytes_; }

  // Throws Code::invalid for a negative size, Code::out_of_memory.
  void* allocate(int64_t size);
  // Throws Code::invalid unless allocate returned memory for this size and it was not freed since.
  void free(void* memory, int64_t size);
  void require_allocated(const void* memory, int64_t size) const;

  int64_t live_allocations() const;
  int64_t live_bytes() const;

 private:
  struct Region {
    int64_t size = 0;
    void* mapping = nullptr;  // what was mapped; null: from the C heap
    int64_t mapped_bytes = 0;
  };
  static Region map_region(int64_t size, void** memory);
  static void release(void* memory, const Region& region);

  const int64_t physical_bytes_;
  mutable std::mutex mutex_;
  std::map<uintptr_t, Region> regions_;
  int64_t live_bytes_ = 0;
};

}  // namespace qd::rhi
