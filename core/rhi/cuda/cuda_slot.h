// What the launches on one stream share: where tasks note a failure, what they print, their temporaries, and graphs.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/rhi/cuda/device_memory.h"
#include "core/rhi/cuda/launch_graphs.h"
#include "core/rhi/cuda/launch_parameters.h"
#include "core/rhi/cuda/staging.h"

namespace qd::rhi::cuda {

// Calls follow each other, see rhi::Device.
class CudaSlot {
 public:
  // The context is current; the slot is ready on every stream when this returns.
  CudaSlot(Context& context, DeviceMemory& memory, Staging& staging, CUstream stream);
  // No launch with the slot runs any more.
  ~CudaSlot();
  CudaSlot(const CudaSlot&) = delete;
  CudaSlot& operator=(const CudaSlot&) = delete;

  // The context is current for all of these.
  void open(CUstream stream, const QueuedLaunch& launch);
  void launch(CUstream stream, const LoadedTask& task);
  // False where nothing was launched.
  bool launch_whole(CUstream stream, const QueuedLaunch& launch, const LoadedKernel& kernel, const LaunchPlan& plan);
  // Passes on what was printed as well.
  std::optional<FailedLaunch> take_failure();
  // Whether take_failure has nothing to do. Needs no context.
  bool quiet() const;

 private:
  static constexpr int64_t kPrintWords = 1 << 17;
  // In memory that the GPU and the host see.
  struct Shared {
    CudaFailure failure;
    CudaPrints empty_prints;
  };

  void begin_launch(CUstream stream, const QueuedLaunch& launch);
  void set_parameters(const QueuedLaunch& launch);
  void need_temps(int64_t size, CUstream stream) {
    if (size > temps_size_) grow_temps(size, stream);
  }
  void grow_temps(int64_t size, CUstream stream);
  void need_prints(CUstream stream);
  void zero_temps(int64_t size, CUstream stream);
  void fail_too_many(CUstream stream, const LoadedTask& task);
  void set_words(CUdeviceptr to, uint64_t value, CUstream stream, const char* doing = "noting a failure");
  void collect_prints();
  std::optional<FailedLaunch> take_device_failure();

  Context& context_;
  DeviceMemory& memory_;
  Staging& staging_;
  const CUstream internal_;

  Shared* shared_ = nullptr;
  CUdeviceptr state_ = 0;
  CUdeviceptr temps_ = 0, prints_ = 0;
  int64_t temps_size_ = 0;
  CUstream stream_ = nullptr;  // of the latest launch
  LaunchParameters parameters_;
  LaunchGraphs graphs_;
  uint64_t failures_ = 0;                 // taken
  std::atomic<bool> printed_{false};      // maybe, since the last look
  std::atomic<bool> host_failed_{false};  // host_failure_ is set
  FailedLaunch host_failure_;             // found before the launch
};

}  // namespace qd::rhi::cuda
