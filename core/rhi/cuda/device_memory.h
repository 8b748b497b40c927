// A GPU's memory from a pool of this device's own, known by address so that a wrong one is an error, not a fault of the
// GPU.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "core/rhi/cuda/context.h"

namespace qd::rhi::cuda {

class DeviceMemory {
 public:
  // The pool keeps what is freed for later allocations; `stream` orders its work. The context is current.
  DeviceMemory(Context& context, CUstream stream);
  ~DeviceMemory();  // gives back what is still allocated
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Zeroed, and usable on every stream when it returns. Throws Code::invalid for a negative size, Code::out_of_memory.
  void* allocate(int64_t size);
  // For memory that no queued work uses any more. Throws Code::invalid unless allocate returned it for this size and it
  // was not freed since.
  void free(void* memory, int64_t size);
  void require_allocated(const void* memory, int64_t size) const;
  int64_t live_allocations() const;
  int64_t live_bytes() const;

  // Not zeroed, neither counted nor known by address, in the order of a stream.
  CUdeviceptr take(int64_t size, CUstream stream);
  void give_back(CUdeviceptr memory, CUstream stream) noexcept;

 private:
  [[noreturn]] void fail_out_of_memory(int64_t size) const;

  Context& context_;
  const CUstream stream_;
  CUmemoryPool pool_ = nullptr;
  mutable std::mutex mutex_;
  std::map<uintptr_t, int64_t> sizes_;  // by address
  int64_t live_bytes_ = 0;
};

}  // namespace qd::rhi::cuda
