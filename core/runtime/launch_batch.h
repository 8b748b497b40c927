// Launches that are let go of together, when the stream has passed them all.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/rhi/device.h"
#include "core/runtime/queue_trace.h"

namespace qd {

class LaunchBatch {
 public:
  // Copies `owner`, of any type, only where the launch before was of something else.
  template <class Owner>
  void add(uint64_t number, const std::shared_ptr<Owner>& owner, const void* launched) {
    if (owners_.empty() || owners_.back().launched != launched) owners_.push_back({numbers_.size(), owner, launched});
    numbers_.push_back(number);
  }
  // What was launched with the number; false where it is not of this batch.
  bool find(uint64_t number, std::shared_ptr<const void>& launched) const;
  size_t launches() const { return numbers_.size(); }
  bool empty() const { return numbers_.empty() && kept.empty(); }
  // Lets go of everything, except of the event and of memory.
  void clear();

  rhi::Event event{};  // recorded after the last launch
  std::vector<std::shared_ptr<const void>> kept;
  std::vector<QueueTrace::Point> traced;

 private:
  struct Owner {
    size_t first;  // index of its first launch; the next one's ends it
    std::shared_ptr<const void> owner;
    const void* launched;
  };
  std::vector<uint64_t> numbers_;
  std::vector<Owner> owners_;
};

}  // namespace qd
