// Streams for the groups of a region, on devices where only different streams overlap. Pooled, and never more than a
// cap.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/rhi/device.h"

namespace qd {

class GroupStreams {
 public:
  static constexpr int32_t kMost = 64;
  // cap: how many streams are made at most, 0 to kMost.
  GroupStreams(rhi::Device& device, int32_t cap);
  ~GroupStreams();  // no Fork is alive
  GroupStreams(const GroupStreams&) = delete;
  GroupStreams& operator=(const GroupStreams&) = delete;

  int32_t cap() const { return cap_; }
  // Joins what a Fork of this stream could not, because the device failed again and again. Throws where it still fails.
  void settle(rhi::Stream parent) {
    if (any_unjoined_.load(std::memory_order_acquire)) [[unlikely]]
      join_unjoined(parent);
  }
  int64_t made() const;  // streams, and as many events
  // For launching streams, as they are made: 1, 2, …
  int32_t next_number() { return numbers_.fetch_add(1) + 1; }

 private:
  struct Lane {
    rhi::Stream stream{};
    rhi::Event done{};     // of the last fork
    rhi::Stream parent{};  // likewise
  };

 public:
  // Lanes beside a launching stream. They start after what that stream did before; after join() it goes on when all of
  // them are done. A Fork that ends without join(), because something was thrown, joins nevertheless.
  class Fork {
   public:
    // forked: an event of the parent alone. Leases up to `wanted` lanes, fewer where the cap or other launches leave
    // fewer.
    Fork(GroupStreams& pool, rhi::Stream parent, rhi::Event forked, int32_t wanted);
    ~Fork();
    Fork(const Fork&) = delete;
    Fork& operator=(const Fork&) = delete;

    int32_t lanes() const { return count_ + 1; }  // the parent is lane 0
    rhi::Stream lane(int32_t index) const {
      return index == 0 ? parent_ : lanes_[static_cast<size_t>(index - 1)]->stream;
    }
    void join();

   private:
    void unwind() noexcept;

    GroupStreams& pool_;
    const rhi::Stream parent_;
    std::array<Lane*, kMost> lanes_{};
    int32_t count_ = 0, joined_ = 0;
  };

 private:
  // Fills `to` with up to `wanted` lanes: those that follow the parent anyway, then idle ones, new ones, busy ones.
  void join(const Lane& lane);
  void join_unjoined(rhi::Stream parent);
  int32_t lease(rhi::Stream parent, int32_t wanted, std::array<Lane*, kMost>& to);
  Lane* make_lane();
  void give_back(Lane* lane, bool joined) noexcept;

  rhi::Device& device_;
  const int32_t cap_;
  std::atomic<int32_t> numbers_{0};
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // all of them
  std::vector<Lane*> free_;                   // least recently used first
  std::vector<Lane*> unjoined_;
  std::atomic<bool> any_unjoined_{false};
};

}  // namespace qd
