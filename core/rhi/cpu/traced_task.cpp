#include "core/rhi/cpu/traced_task.h"

namespace qd::rhi {

void TracedTask::run(void* traced, int64_t begin, int64_t end) {
  auto* self = static_cast<TracedTask*>(traced);
  Share& share = self->shares_[static_cast<size_t>(self->pool_.this_worker())];
  if (!share.worked) {
    share.worked = true;
    share.start = TraceClock::now();
  }
  self->function_(self->block_, begin, end);
  share.end = TraceClock::now();
}

void TracedTask::report(Trace& trace, const CompiledTask& task, int32_t stream) const {
  const uint64_t launch = static_cast<const LaunchHeader*>(block_)->launch;
  for (size_t worker = 0; worker < shares_.size(); ++worker) {
    const Share& share = shares_[worker];
    if (!share.worked) continue;
    trace.add({task.label, launch, stream, static_cast<int32_t>(worker), share.start, share.end});
  }
}

}  // namespace qd::rhi
