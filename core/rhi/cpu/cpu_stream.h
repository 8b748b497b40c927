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

// A point in a stream's work.
class EventPoint {
 public:
  using Clock = std::chrono::steady_clock;
  void reach();  // called by the stream when it gets there
  bool reached() const;
  void wait() const;
  Clock::time_point time() const;  // after waiting

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool reached_ = false;
  Clock::time_point time_;
};

// Recording moves the event to another point. Streams that wait, or are still to reach a point, share that point, so
// that the event may be recorded again or destroyed before.
class EventObject {
 public:
  // Makes a point and queues it by calling queue(point). No other thread learns of the point before it is queued:
  // whoever waits for it waits for work that was queued earlier, so that waiting can have no cycles.
  template <class Queue>
  void record(const Queue& queue) {
    const std::lock_guard lock(mutex_);
    auto point = std::make_shared<EventPoint>();
    queue(point);
    latest_ = std::move(point);
  }
  std::shared_ptr<EventPoint> latest() const;  // null: never recorded

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<EventPoint> latest_;
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
