// A trace: who worked on which task, and when. One recorder for every device: the threads of the CPU report what they
// have done; a device that queues can report what its events said, once they are reached.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/codegen/codegen.h"

namespace qd::rhi {

using TraceClock = std::chrono::steady_clock;

// One worker's share of one task.
struct TraceSpan {
  std::shared_ptr<const TaskLabel> label;
  uint64_t launch = 0;  // LaunchHeader::launch
  int32_t stream = 0;   // the launch's; 0: the default stream, else streams in the order in which they were made
  int32_t worker = 0;   // 0: the stream itself, on the CPU its thread; above: a worker that all streams share
  TraceClock::time_point start, end;
};

struct TraceRecord {
  TraceClock::time_point begun;
  std::vector<TraceSpan> spans;  // by start
  int64_t dropped = 0;           // spans beyond the limit
};

class Trace {
 public:
  Trace() = default;
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // A hint: what begins while this is true may be added, and add decides.
  bool on() const { return on_.load(std::memory_order_relaxed); }
  // From any thread. Ignored where the trace was not on all the time from the span's start.
  void add(TraceSpan span) noexcept;
  // Throw Code::invalid if the trace is on already, or is not.
  void start(int64_t most_spans);
  TraceRecord stop();

 private:
  // Threads are spread over the shards, so that they seldom meet at a lock.
  struct alignas(64) Shard {
    std::mutex mutex;
    bool open = false;
    TraceClock::time_point begun;
    std::vector<TraceSpan> spans;
    int64_t dropped = 0;
  };
  static constexpr size_t kShards = 32;

  std::atomic<bool> on_{false};
  std::mutex turn_;  // start and stop
  std::array<Shard, kShards> shards_;
  std::atomic<int64_t> room_{0};  // spans that may still be kept; below 0 none
};

}  // namespace qd::rhi
