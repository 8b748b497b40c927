// A device: memory, streams, events and launching, behind one interface. A stream is an argument of every call that
// touches device memory or runs code; there is no current stream and no thread-local state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/codegen/codegen.h"

namespace qd::rhi {

// Opaque. A device casts its own types to these; types of these names belong to the CPU.
using Stream = struct StreamObject*;  // null: the device's default stream
using Event = struct EventObject*;
using Slot = struct SlotObject*;
class Trace;  // core/rhi/trace.h
struct TraceRecord;

struct DeviceInfo {
  std::string name;
  int32_t workers = 1;       // threads that run tasks, the caller included
  int64_t memory_bytes = 0;  // 0: unknown
  // Work is queued and runs later, and only what is on different streams overlaps. See the end of Device.
  bool queues = false;
  std::string math;           // what computes sin, pow, …, where the device has a choice and has made it
  int32_t group_streams = 0;  // how many streams are worth having for groups, where queues
};

// What a device that queues needs to know of a launch: what goes into its launch block.
struct QueuedLaunch {
  const void* args = nullptr;  // packed; copied
  size_t args_size = 0;
  int64_t temps_size = 0;
  uint64_t seed = 0, number = 0;  // LaunchHeader::seed and launch
  HostServices* host = nullptr;
};

// A launch that failed a check.
struct FailedLaunch {
  uint64_t number = 0;
  int32_t check = 0;  // as LaunchHeader
  std::array<uint64_t, kMaxCheckValues> values{};
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

  // Machine code for this device, made on up to `threads` threads; freed before the device.
  virtual std::unique_ptr<CompiledKernel> compile(const KernelIR& kernel, const CompileOptions& options,
                                                  int threads) = 0;

  // 64-byte aligned, zeroed. size 0 gives a unique pointer that may not be read. Throws Code::out_of_memory.
  virtual void* allocate(int64_t size) = 0;
  virtual void free(void* memory, int64_t size) = 0;
  // In stream order; both return when the host memory may be reused.
  virtual void copy_in(Stream stream, void* device, const void* host, int64_t size) = 0;
  virtual void copy_out(Stream stream, void* host, const void* device, int64_t size) = 0;

  virtual Stream create_stream() = 0;
  // A stream that other code of the process made, by the number that its interface has for it, and destroys after
  // destroy_stream, which does not. Throws Code::invalid, or Code::unsupported where there is no such thing.
  virtual Stream wrap_stream(uint64_t handle);
  virtual void destroy_stream(Stream stream) = 0;  // waits for its work
  virtual void sync(Stream stream) = 0;
  virtual Event create_event() = 0;
  // An event whose time is never asked for, where that is cheaper.
  virtual Event create_mark() { return create_event(); }
  virtual void destroy_event(Event event) = 0;
  virtual void record(Event event, Stream stream) = 0;
  virtual void wait(Stream stream, Event event) = 0;
  virtual void sync(Event event) = 0;
  virtual double elapsed_seconds(Event from, Event to) = 0;

  // Runs a task over its whole range, in stream order. `block` is a launch block, which lives until the stream has
  // passed this point; where the device queues, it is the Slot that was opened for the launch.
  virtual void launch(Stream stream, const CompiledTask& task, void* block) = 0;

  // Repeats the pattern over size bytes, in stream order; size is a multiple of pattern_size. Returns when done.
  virtual void fill(Stream stream, void* device, int64_t size, const void* pattern, int64_t pattern_size) = 0;

  // Between begin and end no other thread's work enters the stream, so that a launch of several tasks is one unit of
  // its order. Required around launch and run_together on the default stream; does not nest. See StreamUse.
  virtual void begin(Stream stream) = 0;
  virtual void end(Stream stream) = 0;

  // Calls chain(context, 0) … chain(context, count - 1), which launch on the same stream, on host threads, so that what
  // they launch runs at the same time, unless it is too little for that; and returns when all have ended. A chain waits
  // for another one nowhere but in its tasks, and throws nothing. A device that overlaps work by streams alone, or a
  // stream that cannot do so, returns false at once.
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

  // Devices that queue. There, begin and end are for every stream, launch, record and wait return at once, and a failed
  // check stops the tasks of its own launch alone.

  // A slot is what the launches on one stream use one after the other: the launch block where tasks find it, and the
  // record of the first failure. Not to be destroyed before its stream has passed the last launch. Calls with one slot
  // follow each other: whoever owns it sees to that.
  virtual Slot create_slot() { return nullptr; }
  virtual void destroy_slot(Slot slot) { static_cast<void>(slot); }
  // What is launched with the slot in `stream`'s order, until the next open_launch, belongs to this launch.
  // close_launch is in stream order too, after all of it.
  virtual void open_launch(Stream stream, Slot slot, const QueuedLaunch& launch);
  virtual void close_launch(Stream stream, Slot slot);
  // All of that in one, where the device can do it better than one by one; false if not, and then nothing was done.
  // It is one unit of the stream's order without begin and end. `kernel` lives until the stream has passed the launch.
  virtual bool launch_whole(Stream stream, Slot slot, const QueuedLaunch& launch, const CompiledKernel& kernel,
                            const LaunchPlan& plan);
  // Forgets and returns the first failure among the launches that the stream has passed.
  virtual std::optional<FailedLaunch> take_failure(Slot slot);
  // Whether the point has been reached where the event was recorded last; true if it never was.
  virtual bool passed(Event event) = 0;

  // From start_trace to stop_trace the device notes who worked on which task and when, see Trace; the most_spans first
  // of them. Work that has not ended by stop_trace is left out. Both throw Code::invalid out of turn. These throw
  // Code::unsupported.
  virtual void start_trace(int64_t most_spans);
  virtual TraceRecord stop_trace();
  // Where a device that queues has launches report their tasks; null: it traces nothing.
  virtual Trace* queue_trace() { return nullptr; }
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
