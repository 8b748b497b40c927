// The launch block: all device state of one launch, in one piece of memory that belongs to that launch alone.
//
//   LaunchHeader | packed arguments | temporaries (values that cross tasks)
//
// Compiled tasks read it through fixed offsets, so this layout is an ABI between codegen and the launcher.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qd {

enum class LaunchState : int32_t {
  running = 0,
  claimed = 1,  // a thread is writing the error record
  failed = 2,   // a check failed: `check` and `values` say which and with what
  stopped = 3,  // the kernel returned early
};

inline constexpr int kMaxCheckValues = 6;

// LaunchHeader::check where a range task has more than 2^63 - 1 iterations; values[0] is the task's PosId.
inline constexpr int32_t kTooManyIterations = -1;

struct LaunchHeader {
  int32_t
      state;  // LaunchState; a failing task moves it from running to claimed by compare-exchange, writes, then failed
  int32_t check;                     // index into the kernel's check sites
  uint64_t values[kMaxCheckValues];  // integers extended to 64 bits, floats as f64 bits
  uint64_t seed;                     // Config.Seed
  uint64_t launch;                   // counts the runtime's launches
  void* host;                        // HostServices, for printing; null on a GPU
};

inline constexpr size_t kHeaderSize = 128;  // arguments start here
static_assert(sizeof(LaunchHeader) <= kHeaderSize);

// Where the temporaries start, given KernelIR::params_size.
constexpr size_t temps_offset(int64_t params_size) { return kHeaderSize + static_cast<size_t>(params_size); }

// HostServices::print: there were lines that the device had no room for.
inline constexpr int32_t kLostLines = -1;

// What CPU code, and a device that collects what was printed, may call back for.
struct HostServices {
  // values: as LaunchHeader::values, one per %v of print site `site`.
  void (*print)(void* context, int32_t site, const uint64_t* values, int32_t count);
  void* context;
};

// Runs iterations [begin, end) of a task (a flattened range over all axes, last axis fastest); a serial task ignores
// both. block points to a LaunchHeader.
using TaskFunction = void (*)(void* block, int64_t begin, int64_t end);
// Writes begin0, end0, begin1, end1, … of a range task.
using BoundsFunction = void (*)(void* block, int64_t* bounds);

}  // namespace qd
