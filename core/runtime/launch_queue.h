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
#include "core/runtime/launch_blocks.h"
#include "core/runtime/launcher.h"
#include "core/runtime/queue_trace.h"

namespace qd {

// All methods may be called from any thread at the same time.
class LaunchQueue {
 public:
  // number: the stream's in traces, 0 for the default stream.
  LaunchQueue(rhi::Device& device, rhi::Stream stream, GroupStreams& groups, int32_t number = 0);
  ~LaunchQueue();  // waits for the stream
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  rhi::Stream stream() const { return stream_; }

  // Queues the launch. `launched` is kept until the stream has passed it. Where this throws, what was queued of the
  // launch is in the stream's order all the same. Waits where very much is queued already.
  void launch(const LaunchRequest& request, std::shared_ptr<const void> launched);
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
  struct Entry {
    uint64_t number;
    std::shared_ptr<const void> launched;
  };
  // What is let go of together, when its event has passed.
  struct Batch {
    rhi::Event event{};
    std::vector<Entry> launches;
    std::vector<std::shared_ptr<const void>> kept;
    std::vector<QueueTrace::Point> traced;
    bool empty() const { return launches.empty() && kept.empty(); }
  };
  static constexpr size_t kBatch = 64;        // launches
  static constexpr size_t kMostBatches = 16;  // in flight

  void queue(const LaunchRequest& request, const rhi::LaunchImage& image);
  void run_chain(rhi::Stream stream, int32_t lane, const LaunchRequest& request, const PlanChain& chain);
  void fork(const LaunchRequest& request, const PlanPhase& phase);
  void close_batch();
  // Moves what has passed to `passed`, to be destroyed when mutex_ is free: it may own what calls this queue.
  void collect(std::vector<Batch>& passed);
  void find_failure();
  const Entry* find(uint64_t number) const;
  void recycle(std::vector<Batch>& passed);

  rhi::Device& device_;
  const rhi::Stream stream_;
  GroupStreams& groups_;
  LaunchBlockPool images_;  // those that are too large for a thread's stack
  rhi::Slot slot_{};
  rhi::Event forked_{};
  QueueTrace trace_;

  mutable std::mutex mutex_;
  std::deque<Batch> batches_;  // closed, in order
  Batch open_;
  std::vector<Batch> spare_;  // empty ones, for their events and memory
  std::optional<Failure> failure_;
  bool closed_ = false;
};

}  // namespace qd
