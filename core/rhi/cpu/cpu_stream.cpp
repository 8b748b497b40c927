#include "core/rhi/cpu/cpu_stream.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/ir/error.h"
#include "core/rhi/cpu/block_signals.h"

namespace qd::rhi {

void EventPoint::reach() {
  const std::lock_guard lock(mutex_);
  reached_ = true;
  time_ = Clock::now();
  changed_.notify_all();
}

bool EventPoint::reached() const {
  const std::lock_guard lock(mutex_);
  return reached_;
}

void EventPoint::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return reached_; });
}

EventPoint::Clock::time_point EventPoint::time() const {
  wait();
  const std::lock_guard lock(mutex_);
  return time_;
}

std::shared_ptr<EventPoint> EventObject::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

namespace {

class FunctionWork final : public HostWork {
 public:
  explicit FunctionWork(std::function<void()> work) : work_(std::move(work)) {}
  void run(Stream) noexcept override { work_(); }

 private:
  const std::function<void()> work_;
};

}  // namespace

WorkQueue::WorkQueue(int32_t number) {
  const BlockSignals block;
  try {
    thread_ = std::thread([this, number] { run(number); });
  } catch (const std::system_error& e) {
    throw Error(Code::out_of_memory, std::string("the system starts no further thread for a stream: ") + e.what());
  }
}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  added_.notify_all();
  thread_.join();
}

void WorkQueue::add(std::unique_ptr<HostWork> work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    ++added_count_;
  }
  added_.notify_one();
}

void WorkQueue::add(std::function<void()> work) { add(std::make_unique<FunctionWork>(std::move(work))); }

void WorkQueue::wait_for_room() {
  std::unique_lock lock(mutex_);
  passed_.wait(lock, [&] { return queue_.size() < kMostQueued; });
}

void WorkQueue::sync() {
  std::unique_lock lock(mutex_);
  const uint64_t wanted = added_count_;
  passed_.wait(lock, [&] { return passed_count_ >= wanted; });
}

bool WorkQueue::idle() const {
  const std::lock_guard lock(mutex_);
  return passed_count_ == added_count_;
}

void WorkQueue::run(int32_t number) {
  StreamObject inside{.queue = nullptr, .number = number, .region = nullptr};
  std::unique_lock lock(mutex_);
  while (true) {
    added_.wait(lock, [&] { return !queue_.empty() || closing_; });
    if (queue_.empty()) return;
    std::unique_ptr<HostWork> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work->run(&inside);
    work.reset();
    lock.lock();
    ++passed_count_;
    passed_.notify_all();
  }
}

}  // namespace qd::rhi
