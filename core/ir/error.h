// The exception used inside the core. capi turns it into a code, a message and a position; none crosses the C ABI.
#pragma once

#include <stdexcept>
#include <string>

#include "core/ir/position.h"

namespace qd {

// Values are part of the C ABI (qd_code in capi/qd.h).
enum class Code : int32_t {
  ok = 0,
  invalid = 1,        // a wrong argument or a builder call out of order
  compile = 2,        // the kernel cannot be compiled; has a position where one is known
  kernel = 3,         // a running kernel failed a check
  out_of_memory = 4,  // host or device
  no_device = 5,
  device_lost = 6,
  closed = 7,       // the object was closed before
  unsupported = 8,  // legal, but not on this device or build
  internal = 9,     // a fault of this library
};

class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& message, PosId pos = -1) : std::runtime_error(message), code(code), pos(pos) {}
  Code code;
  PosId pos;
};

}  // namespace qd
