// The trace of a launch queue: an event before and one after each task, on the task's own stream, read when both have
// passed. Nothing waits for it, so what overlaps without a trace overlaps with it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/rhi/device.h"
#include "core/rhi/trace.h"

namespace qd {

// Used under the queue's lock.
class QueueTrace {
 public:
  // number: of the launching stream, as TraceSpan::stream.
  QueueTrace(rhi::Device& device, rhi::Stream stream, int32_t number)
      : device_(device), trace_(device.queue_trace()), stream_(stream), number_(number) {}
  ~QueueTrace();
  QueueTrace(const QueueTrace&) = delete;
  QueueTrace& operator=(const QueueTrace&) = delete;

  // A task between its two events.
  struct Point {
    std::shared_ptr<const TaskLabel> label;
    uint64_t launch = 0;
    int32_t lane = 0;
    rhi::Event start{}, end{};
  };
  bool on() const { return trace_ != nullptr && trace_->on(); }
  // Launches the task on a lane's stream, with events around it.
  void launch(rhi::Stream lane, int32_t lane_index, const CompiledTask& task, rhi::Slot slot, uint64_t number,
              std::vector<Point>& points);
  // Reports what has passed, and forgets it.
  void report(std::vector<Point>& points);
  // Gives events back without a report.
  void drop(std::vector<Point>& points) noexcept;

 private:
  void begin();
  rhi::Event take_event();

  rhi::Device& device_;
  rhi::Trace* const trace_;  // null: the device has none
  const rhi::Stream stream_;
  const int32_t number_;
  rhi::Event origin_{};  // null: not begun
  rhi::TraceClock::time_point origin_time_;
  std::vector<rhi::Event> spare_;
};

}  // namespace qd
