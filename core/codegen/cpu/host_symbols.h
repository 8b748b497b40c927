// What compiled kernels may call.
#pragma once

#include <vector>

namespace qd {

struct HostSymbol {
  const char* name;
  void* address;
};
// The C library's mathematics and memory functions and the compiler's helpers for float16. Given as a table, since a
// host program need not export its symbols.
const std::vector<HostSymbol>& host_symbols();

}  // namespace qd
