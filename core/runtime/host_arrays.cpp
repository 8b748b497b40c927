#include "core/runtime/host_arrays.h"

#include <algorithm>
#include <cstring>

namespace qd {

HostArrays::~HostArrays() {
  if (copies_.empty()) return;
  try {
    device_.sync(stream_);
    for (const Copy& copy : copies_) {
      if (copy.memory != nullptr) device_.free(copy.memory, copy.allocated);
    }
  } catch (...) {
    // The device does not answer; what it holds goes with it.
  }
}

void HostArrays::copy_in(const std::vector<ArrayArguments::Placed>& arrays, void* args) {
  arrays_ = arrays;
  std::sort(arrays_.begin(), arrays_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  for (const ArrayArguments::Placed& array : arrays_) {
    if (array.begin == array.end) continue;
    if (!copies_.empty() && array.begin < copies_.back().end) {
      copies_.back().end = std::max(copies_.back().end, array.end);
    } else {
      copies_.push_back({.begin = array.begin, .end = array.end});
    }
  }
  for (Copy& copy : copies_) {
    const auto size = static_cast<int64_t>(copy.end - copy.begin);
    copy.allocated = size + 64;
    copy.memory = device_.allocate(copy.allocated);
    device_.copy_in(stream_, copy.at(copy.begin), reinterpret_cast<const void*>(copy.begin), size);
  }
  for (const ArrayArguments::Placed& array : arrays_) {
    if (array.begin == array.end) continue;
    const auto there = reinterpret_cast<uint64_t>(copy_of(array.begin).at(array.begin));
    std::memcpy(static_cast<char*>(args) + array.offset, &there, sizeof there);
  }
}

void HostArrays::copy_out(const std::vector<bool>& written) {
  for (const ArrayArguments::Placed& array : arrays_) {
    if (array.begin == array.end || !written[static_cast<size_t>(array.param)]) continue;
    device_.copy_out(stream_, reinterpret_cast<void*>(array.begin), copy_of(array.begin).at(array.begin),
                     static_cast<int64_t>(array.end - array.begin));
  }
}

const HostArrays::Copy& HostArrays::copy_of(uint64_t address) const {
  const auto after = std::upper_bound(copies_.begin(), copies_.end(), address,
                                      [](uint64_t a, const Copy& copy) { return a < copy.begin; });
  return *(after - 1);
}

}  // namespace qd
