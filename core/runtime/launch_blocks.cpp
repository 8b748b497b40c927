#include "core/runtime/launch_blocks.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace qd {
namespace {

constexpr std::align_val_t kAlign{64};

}  // namespace

void LaunchBlockPool::Deleter::operator()(void* memory) const { ::operator delete(memory, kAlign); }

LaunchBlockPool::Lease::Lease(Lease&& other) noexcept
    : pool_(other.pool_), size_class_(other.size_class_), memory_(std::exchange(other.memory_, nullptr)) {}

LaunchBlockPool::Lease& LaunchBlockPool::Lease::operator=(Lease&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(size_class_, other.size_class_);
  std::swap(memory_, other.memory_);
  return *this;
}

LaunchBlockPool::Lease::~Lease() {
  if (memory_ != nullptr) pool_->give_back(size_class_, memory_);
}

LaunchBlockPool::Lease LaunchBlockPool::take(size_t size) {
  const auto size_class = static_cast<size_t>(std::bit_width(std::max<size_t>(size, 64) - 1));
  if (size_class >= kClasses) throw std::bad_alloc();
  {
    const std::lock_guard lock(mutex_);
    std::vector<Block>& blocks = free_[size_class];
    if (!blocks.empty()) {
      Block block = std::move(blocks.back());
      blocks.pop_back();
      return Lease(this, size_class, block.release());
    }
    blocks.reserve(kKept);  // so that giving back cannot fail
  }
  return Lease(this, size_class, ::operator new(size_t{1} << size_class, kAlign));
}

void LaunchBlockPool::give_back(size_t size_class, void* memory) {
  Block block(memory);
  const std::lock_guard lock(mutex_);
  if (free_[size_class].size() < kKept) free_[size_class].push_back(std::move(block));
}

}  // namespace qd
