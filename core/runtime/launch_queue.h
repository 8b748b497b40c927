// Launches on one stream of a device that queues: a launch returns when it is queued, and what it uses lives until the
// stream has passed it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/rhi/device.h"
#include "core/runtime/group_streams.h"
#include "core/runtime/launch_batch.h"
#include "core/runtime/launcher.h"
#include "core/runtime/queue_trace.h"

namespace qd {

// All methods may be called from any thread at the same time.
class LaunchQueue {
 public:
  static constexpr size_t kBatch = 256;      // launches
  static constexpr size_t kMostBatches = 8;  // in flight

  // number: the stream's in traces, 0 for the default stream.
  LaunchQueue(rhi::Device& device, rhi::Stream stream, GroupStreams& groups, int32_t number = 0);
  ~LaunchQueue();  // waits for the stream
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  rhi::Stream stream() const { return stream_; }

  // Queues the launch. `owner` is kept until the stream has passed it, and with it `launched`, which a failure names.
  // Where this throws, what was queued of the launch is in the stream's order all the same. Waits where very much is
  // queued already.
  template <class Owner>
  void launch(const LaunchRequest& request, const std::shared_ptr<Owner>& owner, const void* launched) {
    Passed passed(*this);
    const std::lock_guard lock(mutex_);
    make_room(passed.batches);
    open_.add(request.launch, owner, launched);  // before: what is queued uses it whatever happens
    queue(request);
  }
  template <class Owner = const void>
  void launch(const LaunchRequest& request, const std::shared_ptr<Owner>& owner) {
    launch(request, owner, owner.get());
  }
  // From here on launch throws Code::closed.
  void close();
  // Keeps something until the stream has passed what is queued now.
  void keep(std::shared_ptr<const void> kept);
  // Waits for what is queued now, and lets go of what was kept for it.
  void drain();

  struct Failure {
    rhi::FailedLaunch failed;
    std::shared_ptr<const void> launched;
  };
  // Of the launches that the stream is known to have passed: forgets and returns the first failure, or its number.
  std::optional<Failure> take_failure();
  std::optional<uint64_t> failed_launch() const;

 private:
  // Batches that the stream has passed. They are emptied and come back to the queue when mutex_ is free: what they own
  // may call this queue.
  struct Passed {
    explicit Passed(LaunchQueue& queue) : of(queue) {}
    ~Passed() {
      if (!batches.empty()) of.recycle(batches);
    }
    Passed(const Passed&) = delete;
    Passed& operator=(const Passed&) = delete;
    LaunchQueue& of;
    std::vector<LaunchBatch> batches;
  };

  // Throws Code::closed.
  void make_room(std::vector<LaunchBatch>& passed) {
    if (closed_ || open_.launches() >= kBatch) [[unlikely]]
      start_batch(passed);
  }
  void start_batch(std::vector<LaunchBatch>& passed);
  void queue(const LaunchRequest& request);
  void run_chain(rhi::Stream stream, int32_t lane, const LaunchRequest& request, const PlanChain& chain);
  void fork(const LaunchRequest& request, const PlanPhase& phase);
  void close_batch();
  void collect(std::vector<LaunchBatch>& passed);
  void find_failure();
  std::shared_ptr<const void> find(uint64_t number) const;
  void recycle(std::vector<LaunchBatch>& passed) noexcept;

  rhi::Device& device_;
  const rhi::Stream stream_;
  GroupStreams& groups_;
  rhi::Slot slot_{};
  rhi::Event forked_{};
  QueueTrace trace_;

  mutable std::mutex mutex_;
  std::deque<LaunchBatch> batches_;  // closed, in order
  LaunchBatch open_;
  std::vector<LaunchBatch> spare_;  // empty ones, for their events and memory
  std::optional<Failure> failure_;
  bool closed_ = false;
};

}  // namespace qd
