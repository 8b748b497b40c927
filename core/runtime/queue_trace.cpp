#include "core/runtime/queue_trace.h"

#include <utility>

namespace qd {

QueueTrace::~QueueTrace() {
  if (origin_ != nullptr) spare_.push_back(origin_);
  for (rhi::Event event : spare_) {
    try {
      device_.destroy_event(event);
    } catch (...) {
      // A lost device, and its events with it.
    }
  }
}

// The device's clock and the host's meet here: the host waits, once.
void QueueTrace::begin() {
  rhi::Event origin = take_event();
  try {
    device_.sync(stream_);
    device_.record(origin, stream_);
    device_.sync(origin);
  } catch (...) {
    spare_.push_back(origin);
    throw;
  }
  origin_time_ = rhi::TraceClock::now();
  origin_ = origin;
}

rhi::Event QueueTrace::take_event() {
  if (spare_.empty()) return device_.create_event();
  rhi::Event event = spare_.back();
  spare_.pop_back();
  return event;
}

void QueueTrace::launch(rhi::Stream lane, int32_t lane_index, const CompiledTask& task, rhi::Slot slot, uint64_t number,
                        std::vector<Point>& points) {
  if (origin_ == nullptr) begin();
  spare_.reserve(spare_.size() + 2);  // so that giving back does not fail
  points.push_back({.label = task.label, .launch = number, .lane = lane_index});
  Point& point = points.back();
  try {
    point.start = take_event();
    point.end = take_event();
    device_.record(point.start, lane);
    device_.launch(lane, task, slot);
    device_.record(point.end, lane);
  } catch (...) {
    std::vector<Point> failed{std::move(points.back())};
    points.pop_back();
    drop(failed);
    throw;
  }
}

void QueueTrace::report(std::vector<Point>& points) {
  const auto at = [&](rhi::Event event) {
    return origin_time_ + std::chrono::duration_cast<rhi::TraceClock::duration>(
                              std::chrono::duration<double>(device_.elapsed_seconds(origin_, event)));
  };
  for (const Point& point : points) {
    if (trace_ == nullptr) continue;
    trace_->add({.label = point.label,
                 .launch = point.launch,
                 .stream = number_,
                 .worker = point.lane,
                 .start = at(point.start),
                 .end = at(point.end)});
  }
  drop(points);
}

void QueueTrace::drop(std::vector<Point>& points) noexcept {
  for (const Point& point : points) {
    for (rhi::Event event : {point.start, point.end}) {
      if (event == nullptr) continue;
      try {
        spare_.push_back(event);
      } catch (...) {
        // No memory: the event is lost, and counted as not given back.
      }
    }
  }
  points.clear();
}

}  // namespace qd
