#include "core/rhi/cpu/bulk.h"

#include <algorithm>
#include <cstring>

namespace qd::rhi {
namespace {

constexpr int64_t kBlock = 4096;     // bytes of one iteration of a bulk job
constexpr int64_t kBlockCost = 500;  // its ticks, at about 8 bytes a tick

struct Copy {
  char* to;
  const char* from;
  int64_t size;
};

struct Fill {
  char* to;
  int64_t size;
  const char* pattern;
  int64_t pattern_size;
};

void copy_blocks(void* context, int64_t begin, int64_t end) {
  const Copy& c = *static_cast<const Copy*>(context);
  const int64_t first = begin * kBlock, last = std::min(end * kBlock, c.size);
  std::memcpy(c.to + first, c.from + first, static_cast<size_t>(last - first));
}

// Writes one pattern, then doubles what is there: memcpy does the rest at its own speed.
void repeat(char* to, int64_t size, const char* pattern, int64_t pattern_size) {
  int64_t done = std::min(size, pattern_size);
  std::memcpy(to, pattern, static_cast<size_t>(done));
  while (done < size) {
    // Copying from a part that stays in the first-level cache.
    const int64_t step = std::min({done, size - done, std::max(pattern_size, kBlock / pattern_size * pattern_size)});
    std::memcpy(to + done, to, static_cast<size_t>(step));
    done += step;
  }
}

void fill_blocks(void* context, int64_t begin, int64_t end) {
  const Fill& f = *static_cast<const Fill*>(context);
  // A piece starts and ends at whole patterns.
  const auto pattern_at = [&](int64_t block) {
    return std::min(f.size, (block * kBlock + f.pattern_size - 1) / f.pattern_size * f.pattern_size);
  };
  const int64_t first = pattern_at(begin), last = pattern_at(end);
  if (first >= last) return;
  if (f.pattern_size == 1) {
    std::memset(f.to + first, f.pattern[0], static_cast<size_t>(last - first));
  } else {
    repeat(f.to + first, last - first, f.pattern, f.pattern_size);
  }
}

}  // namespace

void bulk_copy(ThreadPool& pool, void* to, const void* from, int64_t size) {
  if (size <= 0) return;
  Copy copy{static_cast<char*>(to), static_cast<const char*>(from), size};
  pool.run({.function = copy_blocks, .context = &copy, .count = (size + kBlock - 1) / kBlock, .cost = kBlockCost});
}

void bulk_fill(ThreadPool& pool, void* to, int64_t size, const void* pattern, int64_t pattern_size) {
  if (size <= 0) return;
  const char* bytes = static_cast<const char*>(pattern);
  const bool uniform = std::all_of(bytes, bytes + pattern_size, [&](char byte) { return byte == bytes[0]; });
  Fill fill{static_cast<char*>(to), size, bytes, uniform ? 1 : pattern_size};
  pool.run({.function = fill_blocks, .context = &fill, .count = (size + kBlock - 1) / kBlock, .cost = kBlockCost});
}

}  // namespace qd::rhi
