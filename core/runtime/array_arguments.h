// Array arguments at launch: are they well formed, and do two of them share memory?
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/kernel_ir.h"

namespace qd {

// Looks at the packed arguments of one kernel. A look costs nanoseconds: it runs at every launch.
class ArrayArguments {
 public:
  ArrayArguments() = default;
  // written: the array parameters that the kernel may write. disjoint, apart: as in KernelIR.
  ArrayArguments(const std::vector<Param>& params, const std::vector<bool>& written,
                 const std::set<std::pair<int32_t, int32_t>>& disjoint = {}, const std::vector<ApartPair>& apart = {});

  // True if two arrays overlap of which at least one is written. Throws Error(Code::invalid), naming the parameter, for
  // an array whose lengths are negative or too large, or whose data is null or misaligned although it has elements; and
  // for two that overlap but must be apart, because scopes that may run at the same time access them.
  bool overlap(const void* args) const;
  // What overlap() says of two parameters that share memory but must be apart; "" if they need not be.
  std::string complaint(int32_t param, int32_t other) const;

  // An array among the arguments: its address lies `offset` into them, and its elements in [begin, end).
  struct Placed {
    int64_t offset = 0;
    int32_t param = 0;
    uint64_t begin = 0, end = 0;
  };
  // The array whose address lies at the offset. Throws as overlap(), and Error(Code::invalid) where there is none.
  Placed placed(int64_t offset, const void* args) const;

 private:
  struct Array {
    int64_t offset;
    int64_t element_size;
    int64_t align_mask;
    int32_t rank;
    int32_t param;
  };
  struct Range {  // not initialised: a launch has room for many on its stack
    uint64_t begin, end;
  };
  // Two arrays to be compared, as indices into arrays_.
  struct Pair {
    int32_t a, b;
    int32_t apart;  // index into apart_; -1: they may overlap
  };
  Range range_of(const Array& array, const void* args) const;
  // Throws what is wrong with an array that has no range.
  [[noreturn]] void complain(const Array& array, const void* args) const;
  [[noreturn]] void fail(const Array& array, const char* what) const;
  std::string complaint(const ApartPair& pair) const;

  std::vector<Array> arrays_;
  std::vector<Pair> pairs_;
  std::vector<ApartPair> apart_;
  std::vector<std::string> names_;  // of parameters
};

}  // namespace qd
