#include "core/rhi/cpu/region.h"

namespace qd::rhi {

void Region::run(int32_t count, void (*chain)(void*, int32_t), void* context) {
  chain_ = chain;
  context_ = context;
  count_ = count;
  if (pool_.threads() > 1) of_stream_ = this;
  while (begun_ < count_) {
    if (begun_ == count_ - 1) of_stream_ = nullptr;  // nothing is left to share out
    chain_(context_, begun_++);
  }
  if (shared_) pool_.finish(started_, rest_);
}

void Region::before_task(std::optional<int64_t> ticks) {
  if (ticks && *ticks < kChainsAlone - ticks_) {
    ticks_ += *ticks;
    return;
  }
  // Other threads look at the same place: it is written here for the last time before they begin, and by nobody after.
  of_stream_ = nullptr;
  shared_ = true;
  const int32_t first = begun_;
  begun_ = count_;
  rest_.function = [](void* opaque, int64_t begin, int64_t end) {
    auto* self = static_cast<Region*>(opaque);
    const auto skipped = static_cast<int64_t>(self->count_) - self->rest_.count;
    for (int64_t i = begin; i < end; ++i) self->chain_(self->context_, static_cast<int32_t>(skipped + i));
  };
  rest_.context = this;
  rest_.count = count_ - first;
  rest_.chains = true;
  started_ = pool_.start(rest_);
}

}  // namespace qd::rhi
