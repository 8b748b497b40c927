// NVIDIA GPUs as devices, through the driver alone.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/rhi/cuda/context.h"
#include "core/rhi/cuda/cuda_slot.h"
#include "core/rhi/cuda/cuda_stream.h"
#include "core/rhi/cuda/device_math.h"
#include "core/rhi/cuda/device_memory.h"
#include "core/rhi/cuda/modules.h"
#include "core/rhi/cuda/staging.h"
#include "core/rhi/device.h"
#include "core/rhi/trace.h"

namespace qd::rhi {

struct CudaOptions {
  int32_t device = -1;  // CUDA's ordinal; negative: what QD_CUDA_DEVICE says, else 0
};
// The GPU that the options choose. Throws Code::invalid for a QD_CUDA_DEVICE that is no number.
int32_t cuda_ordinal(const CudaOptions& options);
// Throws Code::no_device without a driver that is new enough, or without the GPU; as cuda_ordinal.
std::unique_ptr<Device> make_cuda_device(const CudaOptions& options);

// Its default stream is one of its own: it neither waits for the legacy default stream nor makes that wait.
class CudaDevice final : public Device {
 public:
  // The driver's table outlives the device.
  CudaDevice(const cuda::Driver& driver, int32_t ordinal);
  ~CudaDevice() override;

  DeviceInfo info() const override;
  LeakCounts leaks() const override;
  // Where mathematical functions come from: the kind and the path; "" before the first kernel is compiled.
  std::string math() const;

  std::unique_ptr<CompiledKernel> compile(const KernelIR& kernel, const CompileOptions& options, int threads) override;
  // What compile does with what the code generator made.
  std::unique_ptr<CompiledKernel> load(std::unique_ptr<CudaModule> code, const std::string& name);

  void* allocate(int64_t size) override;
  void free(void* memory, int64_t size) override;
  void copy_in(Stream stream, void* device, const void* host, int64_t size) override;
  void copy_out(Stream stream, void* host, const void* device, int64_t size) override;
  void fill(Stream stream, void* device, int64_t size, const void* pattern, int64_t pattern_size) override;
  void require_allocated(const void* memory, int64_t size) const override;

  Stream create_stream() override;
  // A CUstream or cudaStream_t that other code of the process made on this GPU, and destroys after destroy_stream,
  // which does not; 0 is the legacy default stream. Throws Code::invalid.
  Stream wrap_stream(uint64_t handle) override;
  void destroy_stream(Stream stream) override;
  void sync(Stream stream) override;
  Event create_event() override;
  Event create_mark() override;
  void destroy_event(Event event) override;
  void record(Event event, Stream stream) override;
  void wait(Stream stream, Event event) override;
  void sync(Event event) override;
  bool passed(Event event) override;
  double elapsed_seconds(Event from, Event to) override;

  void launch(Stream stream, const CompiledTask& task, void* slot) override;
  void begin(Stream stream) override;
  void end(Stream stream) override;
  bool run_together(Stream, int32_t, void (*)(void*, int32_t), void*) override { return false; }
  Slot create_slot() override;
  void destroy_slot(Slot slot) override;
  void open_launch(Stream stream, Slot slot, const QueuedLaunch& launch) override;
  void close_launch(Stream, Slot) override {}
  bool launch_whole(Stream stream, Slot slot, const QueuedLaunch& launch, const CompiledKernel& kernel,
                    const LaunchPlan& plan) override;
  std::optional<FailedLaunch> take_failure(Slot slot) override;
  void start_trace(int64_t most_spans) override { trace_.start(most_spans); }
  TraceRecord stop_trace() override { return trace_.stop(); }
  Trace* queue_trace() override { return &trace_; }

 private:
  // What lives in the context.
  struct Parts {
    explicit Parts(cuda::Context& context);
    cuda::CudaStream internal;  // of memory
    cuda::CudaStream fallback;  // the default stream
    cuda::DeviceMemory memory;
    cuda::Staging staging;
    cuda::Modules modules;
  };
  cuda::CudaStream& object(Stream stream) const;
  Stream add_stream(std::unique_ptr<cuda::CudaStream> stream);
  Event add_event(unsigned flags);
  const cuda::DeviceMath& find_math();

  Trace trace_;
  mutable cuda::Context context_;
  std::optional<Parts> parts_;
  std::atomic<int64_t> streams_{0}, events_{0};

  mutable std::mutex math_mutex_;
  std::optional<cuda::DeviceMath> math_;
};

}  // namespace qd::rhi
