#include "core/runtime/array_arguments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <span>
#include <string>

#include "core/ir/error.h"

namespace qd {
namespace {

constexpr size_t kStackArrays = 32;

}  // namespace

ArrayArguments::ArrayArguments(const std::vector<Param>& params, const std::vector<bool>& written,
                               const std::set<std::pair<int32_t, int32_t>>& disjoint,
                               const std::vector<ApartPair>& apart)
    : apart_(apart) {
  std::map<std::pair<int32_t, int32_t>, int32_t> must_be_apart;
  for (const ApartPair& pair : apart_) {
    must_be_apart.emplace(std::make_pair(pair.first, pair.second), static_cast<int32_t>(must_be_apart.size()));
  }
  for (size_t i = 0; i < params.size(); ++i) {
    const Param& param = params[i];
    names_.push_back(param.name);
    if (!param.is_array()) continue;
    for (size_t earlier = 0; earlier < arrays_.size(); ++earlier) {
      const auto key = std::make_pair(arrays_[earlier].param, static_cast<int32_t>(i));
      if (disjoint.contains(key) || !(written[i] || written[static_cast<size_t>(key.first)])) continue;
      const auto found = must_be_apart.find(key);
      pairs_.push_back({static_cast<int32_t>(earlier), static_cast<int32_t>(arrays_.size()),
                        found != must_be_apart.end() ? found->second : -1});
    }
    arrays_.push_back(
        {param.offset, param.type->size, int64_t{param.type->align} - 1, param.rank, static_cast<int32_t>(i)});
  }
}

void ArrayArguments::fail(const Array& array, const char* what) const {
  throw Error(Code::invalid, "argument " + names_[static_cast<size_t>(array.param)] + " " + what);
}

std::string ArrayArguments::complaint(const ApartPair& pair) const {
  const std::string& first = names_[static_cast<size_t>(pair.first)];
  const std::string& second = names_[static_cast<size_t>(pair.second)];
  return "arguments " + first + " and " + second + " share memory, but " + pair.why +
         "; pass arrays that do not overlap, or, if the scopes never meet in one element, say so by AssumeDisjoint(" +
         first + ", " + second + ")";
}

std::string ArrayArguments::complaint(int32_t param, int32_t other) const {
  const auto [first, second] = std::minmax(param, other);
  for (const ApartPair& pair : apart_) {
    if (pair.first == first && pair.second == second) return complaint(pair);
  }
  return {};
}

// Nearly every launch is right, so what is wrong with one is found out afterwards.
ArrayArguments::Range ArrayArguments::range_of(const Array& array, const void* args) const {
  const char* at = static_cast<const char*>(args) + array.offset;
  uint64_t data = 0;
  std::memcpy(&data, at, sizeof data);
  int64_t bytes = array.element_size;
  bool wrong = false, empty = bytes == 0;
  for (int32_t axis = 0; axis < array.rank; ++axis) {
    int64_t length = 0;
    std::memcpy(&length, at + 8 + 8 * int64_t{axis}, sizeof length);
    empty |= length == 0;
    wrong |= length < 0;
    wrong |= __builtin_mul_overflow(bytes, length + (length == 0 ? 1 : 0), &bytes);
  }
  Range range{data, data};
  wrong |= __builtin_add_overflow(data, static_cast<uint64_t>(bytes), &range.end) & !empty;
  wrong |= (data == 0 || (data & static_cast<uint64_t>(array.align_mask)) != 0) & !empty;
  if (wrong) [[unlikely]]
    complain(array, args);
  return empty ? Range{0, 0} : range;
}

void ArrayArguments::complain(const Array& array, const void* args) const {
  const char* at = static_cast<const char*>(args) + array.offset;
  int64_t bytes = array.element_size;
  for (int32_t axis = 0; axis < array.rank; ++axis) {
    int64_t length = 0;
    std::memcpy(&length, at + 8 + 8 * int64_t{axis}, sizeof length);
    if (length < 0) fail(array, "has a negative length");
    if (length > 0 && __builtin_mul_overflow(bytes, length, &bytes)) {
      fail(array, "has more elements than memory can hold");
    }
  }
  uint64_t data = 0;
  std::memcpy(&data, at, sizeof data);
  if (data == 0) fail(array, "has elements but no data");
  if ((data & static_cast<uint64_t>(array.align_mask)) != 0) fail(array, "is not aligned to its element type");
  fail(array, "has more elements than memory can hold");
}

ArrayArguments::Placed ArrayArguments::placed(int64_t offset, const void* args) const {
  const auto array =
      std::find_if(arrays_.begin(), arrays_.end(), [offset](const Array& a) { return a.offset == offset; });
  if (array == arrays_.end()) {
    throw Error(Code::invalid, "no array's address lies at offset " + std::to_string(offset) + " of the arguments");
  }
  const Range range = range_of(*array, args);
  return {offset, array->param, range.begin, range.end};
}

bool ArrayArguments::overlap(const void* args) const {
  const size_t count = arrays_.size();
  std::array<Range, kStackArrays> on_stack;
  std::vector<Range> on_heap(count > kStackArrays ? count : 0);
  const std::span<Range> ranges(count > kStackArrays ? on_heap.data() : on_stack.data(), count);
  for (size_t i = 0; i < count; ++i) ranges[i] = range_of(arrays_[i], args);
  bool any = false;
  for (const Pair& pair : pairs_) {
    const Range& x = ranges[static_cast<size_t>(pair.a)];
    const Range& y = ranges[static_cast<size_t>(pair.b)];
    const bool meet = x.begin < y.end && y.begin < x.end;
    if (meet && pair.apart >= 0) throw Error(Code::invalid, complaint(apart_[static_cast<size_t>(pair.apart)]));
    any |= meet;
  }
  return any;
}

}  // namespace qd
