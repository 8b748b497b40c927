#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "core/rhi/sim/sim_memory.h"
#include "core/rhi/sim/sim_options.h"
#include "core/rhi/sim/sim_scheduler.h"
#include "core/rhi/trace.h"

namespace qd::rhi {

struct SimSlot;

class SimDevice final : public Device {
 public:
  explicit SimDevice(const SimOptions& options);
  ~SimDevice() override;

  DeviceInfo info() const override;
  LeakCounts leaks() const override;
  std::unique_ptr<CompiledKernel> compile(const KernelIR& kernel, const CompileOptions& options, int threads) override;
  void* allocate(int64_t size) override;
  void free(void* memory, int64_t size) override;
  void copy_in(Stream stream, void* device, const void* host, int64_t size) override;
  void copy_out(Stream stream, void* host, const void* device, int64_t size) override;
  void fill(Stream stream, void* device, int64_t size, const void* pattern, int64_t pattern_size) override;
  void require_allocated(const void* memory, int64_t size) const override;

  Stream create_stream() override;
  void destroy_stream(Stream stream) override;
  void sync(Stream stream) override;
  Event create_event() override;
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
  void close_launch(Stream stream, Slot slot) override;
  std::optional<FailedLaunch> take_failure(Slot slot) override;

  void start_trace(int64_t most_spans) override { trace_.start(most_spans); }
  TraceRecord stop_trace() override { return trace_.stop(); }
  Trace* queue_trace() override { return &trace_; }

  // For tests.
  int64_t calls() const { return calls_.load(); }
  int64_t slots() const { return slots_.load(); }

 private:
  using Lock = std::unique_lock<std::mutex>;
  // Counts a call that may fail, fails it if it is to, and lets time pass. What it returns is held during the call.
  Lock enter(const char* call);
  SimStream* real(Stream stream) const { return stream == nullptr ? default_ : reinterpret_cast<SimStream*>(stream); }
  void add(Stream stream, SimWork work) { real(stream)->queue.push_back(std::move(work)); }
  void add_once(Stream stream, std::function<void()> work);
  void finish(Stream stream);  // waits; the mutex is held

  const SimOptions options_;
  Trace trace_;
  mutable std::mutex mutex_;
  SimMemory memory_;
  SimScheduler scheduler_;
  SimStream* const default_;
  std::atomic<int64_t> calls_{0}, streams_{0}, events_{0}, slots_{0};
  bool lost_ = false;

  std::mutex use_mutex_;  // of SimStream::in_use
  std::condition_variable unused_;
};

}  // namespace qd::rhi
