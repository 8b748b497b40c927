#include "core/runtime/group_streams.h"

#include <algorithm>

namespace qd {

GroupStreams::GroupStreams(rhi::Device& device, int32_t cap) : device_(device), cap_(std::clamp(cap, 0, kMost)) {
  lanes_.reserve(static_cast<size_t>(cap_));
  free_.reserve(static_cast<size_t>(cap_));
  unjoined_.reserve(static_cast<size_t>(cap_));
}

GroupStreams::~GroupStreams() {
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    try {
      device_.destroy_stream(lane->stream);
    } catch (...) {
      // A lost device; there is nothing left to free.
    }
    try {
      device_.destroy_event(lane->done);
    } catch (...) {
    }
  }
}

int64_t GroupStreams::made() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(lanes_.size());
}

GroupStreams::Lane* GroupStreams::make_lane() {
  auto lane = std::make_unique<Lane>();
  lane->stream = device_.create_stream();
  try {
    lane->done = device_.create_mark();
  } catch (...) {
    device_.destroy_stream(lane->stream);
    throw;
  }
  lanes_.push_back(std::move(lane));
  return lanes_.back().get();
}

int32_t GroupStreams::lease(rhi::Stream parent, int32_t wanted, std::array<Lane*, kMost>& to) {
  const std::lock_guard lock(mutex_);
  int32_t count = 0;
  const auto take_if = [&](auto&& suits) {
    for (auto at = free_.begin(); at != free_.end() && count < wanted;) {
      if (suits(**at)) {
        to[static_cast<size_t>(count++)] = *at;
        at = free_.erase(at);
      } else {
        ++at;
      }
    }
  };
  try {
    take_if([&](const Lane& lane) { return lane.parent == parent; });
    take_if([&](const Lane& lane) { return device_.passed(lane.done); });
    while (count < wanted && static_cast<int32_t>(lanes_.size()) < cap_) to[static_cast<size_t>(count++)] = make_lane();
  } catch (...) {
    free_.insert(free_.end(), to.begin(), to.begin() + count);
    throw;
  }
  take_if([](const Lane&) { return true; });
  for (int32_t i = 0; i < count; ++i) to[static_cast<size_t>(i)]->parent = parent;
  return count;
}

void GroupStreams::give_back(Lane* lane, bool joined) noexcept {
  const std::lock_guard lock(mutex_);
  (joined ? free_ : unjoined_).push_back(lane);  // within what the constructor reserved
  any_unjoined_.store(!unjoined_.empty(), std::memory_order_release);
}

void GroupStreams::join(const Lane& lane) {
  device_.record(lane.done, lane.stream);
  device_.wait(lane.parent, lane.done);
}

void GroupStreams::join_unjoined(rhi::Stream parent) {
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < unjoined_.size();) {
    Lane* lane = unjoined_[i];
    if (lane->parent != parent) {
      ++i;
      continue;
    }
    join(*lane);
    free_.push_back(lane);
    unjoined_.erase(unjoined_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  any_unjoined_.store(!unjoined_.empty(), std::memory_order_release);
}

GroupStreams::Fork::Fork(GroupStreams& pool, rhi::Stream parent, rhi::Event forked, int32_t wanted)
    : pool_(pool), parent_(parent) {
  count_ = pool_.lease(parent, std::min(wanted, kMost), lanes_);
  try {
    if (count_ > 0) pool_.device_.record(forked, parent_);
    for (int32_t i = 0; i < count_; ++i) pool_.device_.wait(lanes_[static_cast<size_t>(i)]->stream, forked);
  } catch (...) {
    unwind();
    throw;
  }
}

GroupStreams::Fork::~Fork() { unwind(); }

void GroupStreams::Fork::join() {
  while (joined_ < count_) {
    pool_.join(*lanes_[static_cast<size_t>(joined_)]);
    pool_.give_back(lanes_[static_cast<size_t>(joined_)], true);
    ++joined_;
  }
}

// Where the device takes no event, the host waits; where even that fails, settle() is left to try again.
void GroupStreams::Fork::unwind() noexcept {
  for (; joined_ < count_; ++joined_) {
    bool joined = false;
    try {
      pool_.join(*lanes_[static_cast<size_t>(joined_)]);
      joined = true;
    } catch (...) {
    }
    try {
      if (!joined) pool_.device_.sync(lanes_[static_cast<size_t>(joined_)]->stream);
      joined = true;
    } catch (...) {
    }
    pool_.give_back(lanes_[static_cast<size_t>(joined_)], joined);
  }
}

}  // namespace qd
