#include "core/rhi/sim/sim_memory.h"

#include <algorithm>
#include <cstring>

#include "core/ir/error.h"

namespace qd::rhi {
namespace {

constexpr int kPoison = 0xa5;
constexpr int64_t kKeptBytes = int64_t{1} << 20;

}  // namespace

SimMemory::~SimMemory() {
  while (!order_.empty()) release_oldest();
}

void SimMemory::release_oldest() {
  const auto at = freed_.find(order_.front());
  memory_.free(reinterpret_cast<void*>(at->first), at->second);
  freed_bytes_ -= at->second;
  freed_.erase(at);
  order_.pop_front();
}

void SimMemory::free(void* memory, int64_t size) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  if (freed_.contains(address)) throw Error(Code::invalid, "freeing memory that was freed before");
  if (size >= kKeptBytes / 4) {
    memory_.free(memory, size);
    return;
  }
  memory_.require_allocated(memory, size);
  freed_.emplace(address, size);
  order_.push_back(address);
  freed_bytes_ += size;
  std::memset(memory, kPoison, static_cast<size_t>(size));
  while (freed_bytes_ > kKeptBytes) release_oldest();
}

void SimMemory::require_allocated(const void* memory, int64_t size) const {
  memory_.require_allocated(memory, size);
  const auto address = reinterpret_cast<uintptr_t>(memory);
  auto at = freed_.upper_bound(address);
  if (at == freed_.begin()) return;
  --at;
  if (address - at->first < static_cast<uintptr_t>(std::max<int64_t>(at->second, 1))) {
    throw Error(Code::invalid, std::to_string(size) + " bytes at this address were freed");
  }
}

void SimMemory::check_freed() const {
  for (const auto& [address, size] : freed_) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(address);
    const int64_t changed = std::find_if(bytes, bytes + size, [](unsigned char b) { return b != kPoison; }) - bytes;
    if (changed < size) {
      throw Error(Code::internal, "simulated device: byte " + std::to_string(changed) + " of " + std::to_string(size) +
                                      " was written after it was freed");
    }
  }
}

}  // namespace qd::rhi
