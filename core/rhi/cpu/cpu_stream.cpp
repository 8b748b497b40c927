#include "core/rhi/cpu/cpu_stream.h"

#include <algorithm>
#include <utility>

#include "core/ir/error.h"

namespace qd::rhi {

uint64_t EventState::start_recording() {
  const std::lock_guard lock(mutex_);
  return ++recorded_;
}

void EventState::reach(uint64_t record) {
  const std::lock_guard lock(mutex_);
  if (record > reached_) {
    reached_ = record;
    time_ = Clock::now();
  }
  changed_.notify_all();
}

uint64_t EventState::latest() const {
  const std::lock_guard lock(mutex_);
  return recorded_;
}

void EventState::wait_for(uint64_t record) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return reached_ >= record; });
}

EventState::Clock::time_point EventState::time() {
  std::unique_lock lock(mutex_);
  if (recorded_ == 0) throw Error(Code::invalid, "the event was never recorded");
  changed_.wait(lock, [&] { return reached_ >= recorded_; });
  return time_;
}

StreamObject::StreamObject() : thread_([this] { run(); }) {}

StreamObject::~StreamObject() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StreamObject::enqueue(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  changed_.notify_all();
}

void StreamObject::sync() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
}

void StreamObject::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !queue_.empty() || closing_; });
    if (queue_.empty()) return;
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace qd::rhi
