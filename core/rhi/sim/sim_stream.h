// What is queued on a simulated stream.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace qd::rhi {

// A point in a stream's work, by number of the record.
struct SimEventState {
  uint64_t recorded = 0, reached = 0;
  double seconds = 0;  // virtual, of the latest that was reached
};

struct SimEvent {
  std::shared_ptr<SimEventState> state = std::make_shared<SimEventState>();
};

// Done when step returned true; called again otherwise, with other streams' steps in between.
struct SimWork {
  std::function<bool(SimWork& self)> step;
  double seconds = 0;  // virtual; may still change when step is called
  // The work may start when this record is reached.
  std::shared_ptr<SimEventState> awaited;
  uint64_t awaited_record = 0;
  // The record that it makes.
  std::shared_ptr<SimEventState> made;
  uint64_t made_record = 0;
};

struct SimStream {
  std::deque<SimWork> queue;
  double seconds = 0;     // virtual time at which what was done has ended
  uint64_t priority = 0;  // the scheduler's mood
  int64_t in_use = 0;     // by StreamUse

  bool ready() const {
    if (queue.empty()) return false;
    const SimWork& first = queue.front();
    return first.awaited == nullptr || first.awaited->reached >= first.awaited_record;
  }
};

}  // namespace qd::rhi
