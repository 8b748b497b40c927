// A device: memory, streams, events and launching, behind one interface. A stream is an argument of every call that
// touches device memory or runs code; there is no current stream and no thread-local state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/codegen/codegen.h"

namespace qd::rhi {

using Stream = struct StreamObject*;  // null: the device's default stream
using Event = struct EventObject*;

struct DeviceInfo {
  std::string name;
  int32_t workers = 1;       // threads that run tasks, the caller included
  int64_t memory_bytes = 0;  // 0: unknown
};

// Work of the host that is done in a stream's order.
class HostWork {
 public:
  virtual ~HostWork() = default;
  // Called once. What is launched on `inside` is a part of this work; `inside` is valid during the call only.
  virtual void run(Stream inside) noexcept = 0;
};

// Counts of what was not given back; zero when all is closed.
struct LeakCounts {
  int64_t allocations = 0, bytes = 0, streams = 0, events = 0;
};

// All methods may be called from any thread. Each throws Error.
class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceInfo info() const = 0;
  virtual LeakCounts leaks() const = 0;

  // 64-byte aligned, zeroed. size 0 gives a unique pointer that may not be read. Throws Code::out_of_memory.
  virtual void* allocate(int64_t size) = 0;
  virtual void free(void* memory, int64_t size) = 0;
  // In stream order; both return when the host memory may be reused.
  virtual void copy_in(Stream stream, void* device, const void* host, int64_t size) = 0;
  virtual void copy_out(Stream stream, void* host, const void* device, int64_t size) = 0;

  virtual Stream create_stream() = 0;
  virtual void destroy_stream(Stream stream) = 0;  // waits for its work
  virtual void sync(Stream stream) = 0;
  virtual Event create_event() = 0;
  virtual void destroy_event(Event event) = 0;
  virtual void record(Event event, Stream stream) = 0;
  virtual void wait(Stream stream, Event event) = 0;
  virtual void sync(Event event) = 0;
  virtual double elapsed_seconds(Event from, Event to) = 0;

  // Runs a task over its whole range, in stream order. `block` lives until the stream has passed this point.
  virtual void launch(Stream stream, const CompiledTask& task, void* block) = 0;

  // Repeats the pattern over size bytes, in stream order; size is a multiple of pattern_size. Returns when done.
  virtual void fill(Stream stream, void* device, int64_t size, const void* pattern, int64_t pattern_size) = 0;

  // Between begin and end no other thread's work enters the stream, so that a launch of several tasks is one unit of
  // its order. Required around launch and run_together on the default stream; does not nest. See StreamUse.
  virtual void begin(Stream stream) = 0;
  virtual void end(Stream stream) = 0;

  // Runs chain(context, 0) … chain(context, count - 1) at the same time on host threads, with launches on the same
  // stream allowed inside, and returns when all have ended. A device that overlaps work by streams alone, or a stream
  // that cannot do so, returns false at once. chain must not throw.
  virtual bool run_together(Stream stream, int32_t count, void (*chain)(void* context, int32_t index),
                            void* context) = 0;
  // Throws Code::invalid unless [memory, memory + size) lies in memory that allocate returned.
  virtual void require_allocated(const void* memory, int64_t size) const = 0;

  // Queues the work on a stream that create_stream made, and destroys it when the stream has passed it. May wait where
  // very much is queued already. This one is for devices whose streams run no host code: the work queues its launches
  // now.
  virtual void enqueue(Stream stream, std::unique_ptr<HostWork> work) { work->run(stream); }
  // Keeps `kept` alive until the stream has passed what is queued on it now. This one waits for that.
  virtual void keep(Stream stream, std::shared_ptr<const void> kept) {
    sync(stream);
    kept.reset();
  }
};

// Holds a stream for one unit of work.
class StreamUse {
 public:
  StreamUse(Device& device, Stream stream) : device_(device), stream_(stream) { device_.begin(stream_); }
  ~StreamUse() { device_.end(stream_); }
  StreamUse(const StreamUse&) = delete;
  StreamUse& operator=(const StreamUse&) = delete;

 private:
  Device& device_;
  Stream stream_;
};

struct CpuOptions {
  int32_t threads = 0;  // 0: one per core
};
std::unique_ptr<Device> make_cpu_device(const CpuOptions& options);

}  // namespace qd::rhi
