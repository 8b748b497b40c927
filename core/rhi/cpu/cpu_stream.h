// Streams and events of the CPU: a stream is a thread that does its work in order.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "core/rhi/device.h"

namespace qd::rhi {

// A point in a stream's work. Recording it again forgets the point before.
class EventState {
 public:
  using Clock = std::chrono::steady_clock;
  uint64_t start_recording();      // the new record's number
  void reach(uint64_t record);     // called by the stream when it gets there
  uint64_t latest() const;         // 0: never recorded
  void wait_for(uint64_t record);  // returns at once for record 0
  Clock::time_point time();        // of the latest record, after waiting for it; throws if never recorded

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t recorded_ = 0, reached_ = 0;
  Clock::time_point time_;
};

// Streams that are still to record or wait for the event share its state, so that it may be destroyed before.
struct EventObject {
  std::shared_ptr<EventState> state = std::make_shared<EventState>();
};

struct StreamObject {
  StreamObject();
  ~StreamObject();  // after its work
  void enqueue(std::function<void()> work);
  void sync();

 private:
  void run();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool busy_ = false, closing_ = false;
  std::thread thread_;
};

}  // namespace qd::rhi
