// Array arguments at launch: are they well formed, and do two of them share memory?
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ir/kernel_ir.h"

namespace qd {

// Looks at the packed arguments of one kernel. A look costs nanoseconds: it runs at every launch.
class ArrayArguments {
 public:
  ArrayArguments() = default;
  // written: the array parameters that the kernel may write.
  ArrayArguments(const std::vector<Param>& params, const std::vector<bool>& written);

  // True if two arrays overlap of which at least one is written. Throws Error(Code::invalid), naming the parameter, for
  // an array whose lengths are negative or too large, or whose data is null or misaligned although it has elements.
  bool overlap(const void* args) const;

 private:
  struct Array {
    int64_t offset;
    int64_t element_size;
    int64_t align_mask;
    int32_t rank;
    int32_t param;
  };
  struct Range {
    uint64_t begin = 0, end = 0;
  };
  Range range_of(const Array& array, const void* args) const;
  [[noreturn]] void fail(const Array& array, const char* what) const;

  std::vector<Array> arrays_;
  std::vector<std::pair<int32_t, int32_t>> pairs_;  // indices into arrays_, to be compared
  std::vector<std::string> names_;                  // of parameters
};

}  // namespace qd
