// What is queued on a simulated stream.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace qd::rhi {

// A point in a stream's work.
struct SimPoint {
  bool reached = false;
  double seconds = 0;  // virtual
};

struct SimEvent {
  std::shared_ptr<SimPoint> latest;  // null: never recorded
};

// Done when step returned true; called again otherwise, with other streams' steps in between.
struct SimWork {
  std::function<bool(SimWork& self)> step;
  double seconds = 0;                 // virtual; may still change when step is called
  std::shared_ptr<SimPoint> awaited;  // the work may start when this is reached
  std::shared_ptr<SimPoint> made;     // reached when the work is done
};

struct SimStream {
  std::deque<SimWork> queue;
  double seconds = 0;     // virtual time at which what was done has ended
  uint64_t priority = 0;  // the scheduler's mood
  int64_t in_use = 0;     // by StreamUse

  bool ready() const {
    if (queue.empty()) return false;
    const SimWork& first = queue.front();
    return first.awaited == nullptr || first.awaited->reached;
  }
};

}  // namespace qd::rhi
