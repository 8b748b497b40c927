// The simulated device: for tests, and for finding out whether launches are ordered as they should be.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/rhi/device.h"

namespace qd::rhi {

struct SimOptions {
  uint64_t seed = 0;       // decides in which order things happen
  int64_t fail_call = 0;   // the number of the first call of the device that fails; 0: none does
  int64_t fail_calls = 1;  // how many fail from there on
  int64_t lose_call = 0;   // from this call on the device is lost, and does nothing more; 0: never
  int32_t group_streams = 4;
};

// "seed=7 fail=12 fails=2 lose=40 streams=3", any of them, in any order. Throws Code::invalid.
SimOptions parse_sim_options(const std::string& text);

// Runs the CPU code of tasks as a GPU would run theirs: queued on streams that only events order, one step here, one
// step there, in an order that the seed chooses among all that the streams and events allow. What the host does not
// wait for may stay undone for long. Time is virtual: what may run at the same time takes the time of the longest.
std::unique_ptr<Device> make_sim_device(const SimOptions& options);

}  // namespace qd::rhi
