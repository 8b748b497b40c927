// Streams and events of a GPU.
#pragma once

#include <atomic>
#include <mutex>

#include "core/rhi/cuda/context.h"
#include "core/rhi/device.h"

namespace qd::rhi::cuda {

// Does not wait for the legacy default stream, nor that for it, unless it is a foreign one that does.
class CudaStream {
 public:
  // The context is current in constructors.
  explicit CudaStream(Context& context);
  // A stream that other code of the process made, and destroys. Throws Code::invalid for one of another context.
  CudaStream(Context& context, uint64_t foreign_handle);
  ~CudaStream();  // waits for its work
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  CUstream handle() const { return handle_; }
  // Held by whoever queues several pieces of work that belong together.
  std::recursive_mutex& mutex() { return mutex_; }

 private:
  Context& context_;
  CUstream handle_ = nullptr;
  const bool foreign_;
  std::recursive_mutex mutex_;
};

class CudaEvent {
 public:
  CudaEvent(Context& context, unsigned flags);  // the driver's
  ~CudaEvent();
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  CUevent handle() const { return handle_; }
  bool recorded() const { return recorded_.load(std::memory_order_acquire); }
  void record(CUstream stream);

 private:
  Context& context_;
  CUevent handle_ = nullptr;
  std::atomic<bool> recorded_{false};
};

}  // namespace qd::rhi::cuda
