// Memory for launch blocks that are too large for a thread's stack. A block is used by one launch at a time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace qd {

// Blocks are 64-byte aligned and not zeroed; given back, they are kept for later launches up to a limit.
class LaunchBlockPool {
 public:
  LaunchBlockPool() = default;
  LaunchBlockPool(const LaunchBlockPool&) = delete;
  LaunchBlockPool& operator=(const LaunchBlockPool&) = delete;

  // A block that returns to its pool, which must outlive it.
  class Lease {
   public:
    Lease() = default;
    Lease(LaunchBlockPool* pool, size_t size_class, void* memory)
        : pool_(pool), size_class_(size_class), memory_(memory) {}
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    ~Lease();
    void* get() const { return memory_; }

   private:
    LaunchBlockPool* pool_ = nullptr;
    size_t size_class_ = 0;
    void* memory_ = nullptr;
  };
  // Throws std::bad_alloc.
  Lease take(size_t size);

 private:
  struct Deleter {
    void operator()(void* memory) const;
  };
  using Block = std::unique_ptr<void, Deleter>;
  void give_back(size_t size_class, void* memory);

  static constexpr size_t kClasses = 48;  // powers of two
  static constexpr size_t kKept = 16;     // blocks of one class
  std::mutex mutex_;
  std::array<std::vector<Block>, kClasses> free_;
};

}  // namespace qd
