// The CPU as a device. Its default stream is the calling thread, one thread at a time; other streams have a thread
// each. All of them share one worker pool.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "core/rhi/cpu/cpu_stream.h"
#include "core/rhi/cpu/host_memory.h"
#include "core/rhi/cpu/thread_pool.h"
#include "core/rhi/device.h"
#include "core/rhi/trace.h"

namespace qd::rhi {

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(int32_t threads);
  ~CpuDevice() override;

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

  void launch(Stream stream, const CompiledTask& task, void* block) override;
  void begin(Stream stream) override;
  void end(Stream stream) override;
  bool run_together(Stream stream, int32_t count, void (*chain)(void*, int32_t), void* context) override;
  void enqueue(Stream stream, std::unique_ptr<HostWork> work) override;
  void keep(Stream stream, std::shared_ptr<const void> kept) override;
  void start_trace(int64_t most_spans) override;
  TraceRecord stop_trace() override;

 private:
  // Does the work in stream order and returns when it is done.
  void run_and_wait(Stream stream, const std::function<void()>& work);
  // What the task is expected to cost, by what it cost before; nothing if that is not known.
  std::optional<int64_t> expected_cost(const CompiledTask& task, void* block);
  // stream: its number, 0 for the default stream.
  void run_task(int32_t stream, const CompiledTask& task, void* block);
  // Runs the task's iterations by calling function(context, …), which is the task's function on its block or wraps it.
  void run_iterations(int32_t stream, const CompiledTask& task, void* block, TaskFunction function, void* context);
  std::atomic<int64_t>* remembered_cost(TaskFunction function);

  HostMemory memory_;
  ThreadPool pool_;
  std::string name_;
  std::mutex default_stream_;
  Region* default_region_ = nullptr;  // as StreamObject::region
  std::atomic<int64_t> streams_{0}, events_{0};
  std::atomic<int32_t> streams_made_{0};
  Trace trace_;

  // What iterations of a task cost, by a hash of its address. Of two tasks that collide, the later one is remembered.
  struct Remembered {
    std::atomic<TaskFunction> task{nullptr};
    std::atomic<int64_t> cost{0};
  };
  static constexpr size_t kRemembered = 256;
  std::array<Remembered, kRemembered> remembered_{};
};

}  // namespace qd::rhi
