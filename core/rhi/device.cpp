#include "core/rhi/device.h"

#include "core/ir/error.h"
#include "core/rhi/trace.h"

namespace qd::rhi {

void Device::open_launch(Stream, Slot, const QueuedLaunch&) {
  throw Error(Code::internal, "this device does not queue launches");
}

void Device::close_launch(Stream, Slot) { throw Error(Code::internal, "this device does not queue launches"); }

bool Device::launch_whole(Stream, Slot, const QueuedLaunch&, const CompiledKernel&, const LaunchPlan&) { return false; }

Stream Device::wrap_stream(uint64_t) {
  throw Error(Code::unsupported, "this device has no streams that other code could have made");
}

std::optional<FailedLaunch> Device::take_failure(Slot) { return std::nullopt; }

void Device::start_trace(int64_t) { throw Error(Code::unsupported, "this device does not trace"); }

TraceRecord Device::stop_trace() { throw Error(Code::unsupported, "this device does not trace"); }

}  // namespace qd::rhi
