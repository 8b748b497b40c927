#include "core/runtime/array_arguments.h"

#include <array>
#include <cstring>
#include <span>
#include <string>

#include "core/ir/error.h"

namespace qd {
namespace {

constexpr size_t kStackArrays = 32;

}  // namespace

ArrayArguments::ArrayArguments(const std::vector<Param>& params, const std::vector<bool>& written) {
  for (size_t i = 0; i < params.size(); ++i) {
    const Param& param = params[i];
    names_.push_back(param.name);
    if (!param.is_array()) continue;
    for (size_t earlier = 0; earlier < arrays_.size(); ++earlier) {
      if (written[i] || written[static_cast<size_t>(arrays_[earlier].param)]) {
        pairs_.emplace_back(static_cast<int32_t>(earlier), static_cast<int32_t>(arrays_.size()));
      }
    }
    arrays_.push_back(
        {param.offset, param.type->size, int64_t{param.type->align} - 1, param.rank, static_cast<int32_t>(i)});
  }
}

void ArrayArguments::fail(const Array& array, const char* what) const {
  throw Error(Code::invalid, "argument " + names_[static_cast<size_t>(array.param)] + " " + what);
}

ArrayArguments::Range ArrayArguments::range_of(const Array& array, const void* args) const {
  const char* at = static_cast<const char*>(args) + array.offset;
  uint64_t data = 0;
  std::memcpy(&data, at, sizeof data);
  int64_t bytes = array.element_size;
  bool empty = false;
  for (int32_t axis = 0; axis < array.rank; ++axis) {
    int64_t length = 0;
    std::memcpy(&length, at + 8 + 8 * axis, sizeof length);
    if (length < 0) fail(array, "has a negative length");
    if (length == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(bytes, length, &bytes)) {
      fail(array, "has more elements than memory can hold");
    }
  }
  if (empty || bytes == 0) return {};
  if (data == 0) fail(array, "has elements but no data");
  if ((data & static_cast<uint64_t>(array.align_mask)) != 0) fail(array, "is not aligned to its element type");
  uint64_t end = 0;
  if (__builtin_add_overflow(data, static_cast<uint64_t>(bytes), &end)) {
    fail(array, "has more elements than memory can hold");
  }
  return {data, end};
}

bool ArrayArguments::overlap(const void* args) const {
  const size_t count = arrays_.size();
  std::array<Range, kStackArrays> on_stack;
  std::vector<Range> on_heap(count > kStackArrays ? count : 0);
  const std::span<Range> ranges(count > kStackArrays ? on_heap.data() : on_stack.data(), count);
  for (size_t i = 0; i < count; ++i) ranges[i] = range_of(arrays_[i], args);
  bool any = false;
  for (const auto& [a, b] : pairs_) {
    const Range& x = ranges[static_cast<size_t>(a)];
    const Range& y = ranges[static_cast<size_t>(b)];
    any |= x.begin < y.end && y.begin < x.end;
  }
  return any;
}

}  // namespace qd
