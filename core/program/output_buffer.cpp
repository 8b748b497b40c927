#include "core/program/output_buffer.h"

#include <algorithm>
#include <cstring>

namespace qd {

void OutputBuffer::append(Stream stream, std::string_view text) {
  const std::lock_guard lock(mutex_);
  Text& to = streams_[static_cast<size_t>(stream)];
  if (to.dropping) return;
  if (to.bytes.size() - to.taken + text.size() > kLimit) {
    to.dropping = true;
    text = "\n[more was printed than is kept before it is read; the rest is dropped]\n";
  }
  to.bytes += text;
  bytes_.fetch_add(static_cast<int64_t>(text.size()), std::memory_order_release);
}

int64_t OutputBuffer::take(Stream stream, char* buffer, int64_t size) {
  const std::lock_guard lock(mutex_);
  Text& from = streams_[static_cast<size_t>(stream)];
  const size_t moved = std::min(from.bytes.size() - from.taken, static_cast<size_t>(std::max<int64_t>(size, 0)));
  if (moved > 0) std::memcpy(buffer, from.bytes.data() + from.taken, moved);
  from.taken += moved;
  if (from.taken == from.bytes.size()) from = {};
  bytes_.fetch_sub(static_cast<int64_t>(moved), std::memory_order_release);
  return static_cast<int64_t>(moved);
}

}  // namespace qd
