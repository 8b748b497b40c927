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
  // Numbers a new record and queues it by calling queue(number). No other thread learns of the record before it is
  // queued: whoever waits for it waits for work that was queued earlier, so that waiting can have no cycles.
  template <class Queue>
  void record(const Queue& queue) {
    const std::lock_guard lock(mutex_);
    queue(recorded_ + 1);
    ++recorded_;
  }
  // As record, with the point reached now.
  void record_reached();
  void reach(uint64_t record);     // called by the stream when it gets there
  uint64_t latest() const;         // 0: never recorded
  void wait_for(uint64_t record);  // returns at once for record 0
  bool passed() const;             // whether the latest record was reached; true if there is none
  Clock::time_point time();        // of the latest record, after waiting for it; throws if never recorded

 private:
  void reach_locked(uint64_t record);
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t recorded_ = 0, reached_ = 0;
  Clock::time_point time_;
};

// Streams that are still to record or wait for the event share its state, so that it may be destroyed before.
struct EventObject {
  std::shared_ptr<EventState> state = std::make_shared<EventState>();
};

// A thread that does work in order, and ends after it.
class WorkQueue {
 public:
  // number: of the stream, from 1 on. Throws Error where the system gives no more threads.
  explicit WorkQueue(int32_t number);
  ~WorkQueue();
  void add(std::unique_ptr<HostWork> work);
  void add(std::function<void()> work);
  // Waits while more than kMostQueued items are queued. They end on their own, since none waits for what comes later.
  void wait_for_room();
  // Waits for what is queued now, not for what others queue meanwhile.
  void sync();
  bool idle() const;

 private:
  static constexpr size_t kMostQueued = 1024;
  void run(int32_t number);
  mutable std::mutex mutex_;
  std::condition_variable added_, passed_;
  std::deque<std::unique_ptr<HostWork>> queue_;
  uint64_t added_count_ = 0, passed_count_ = 0;
  bool closing_ = false;
  std::thread thread_;
};

class Region;
struct StreamObject {
  std::unique_ptr<WorkQueue> queue;  // null: everything takes place at once on the calling thread
  int32_t number = 0;                // in the order in which streams were made, from 1 on
  Region* region = nullptr;          // whose chains this thread runs and may still share out
};

}  // namespace qd::rhi
