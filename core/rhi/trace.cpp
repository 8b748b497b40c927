#include "core/rhi/trace.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "core/ir/error.h"

namespace qd::rhi {

void Trace::add(TraceSpan span) noexcept {
  Shard& shard = shards_[std::hash<std::thread::id>()(std::this_thread::get_id()) % kShards];
  const std::lock_guard lock(shard.mutex);
  if (!shard.open || span.start < shard.begun) return;
  if (room_.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    ++shard.dropped;
    return;
  }
  try {
    shard.spans.push_back(std::move(span));
  } catch (const std::bad_alloc&) {
    ++shard.dropped;
  }
}

void Trace::start(int64_t most_spans) {
  if (most_spans < 0) throw Error(Code::invalid, "a trace of " + std::to_string(most_spans) + " spans");
  const std::lock_guard turn(turn_);
  if (on()) throw Error(Code::invalid, "the trace was started already");
  room_.store(most_spans, std::memory_order_relaxed);
  const TraceClock::time_point now = TraceClock::now();
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    shard.open = true;
    shard.begun = now;
  }
  on_.store(true, std::memory_order_relaxed);
}

TraceRecord Trace::stop() {
  const std::lock_guard turn(turn_);
  if (!on()) throw Error(Code::invalid, "the trace was not started");
  on_.store(false, std::memory_order_relaxed);
  TraceRecord record;
  for (Shard& shard : shards_) {
    std::vector<TraceSpan> spans;
    const std::lock_guard lock(shard.mutex);
    shard.open = false;
    spans.swap(shard.spans);
    record.begun = shard.begun;
    record.dropped += std::exchange(shard.dropped, 0);
    record.spans.insert(record.spans.end(), std::make_move_iterator(spans.begin()),
                        std::make_move_iterator(spans.end()));
  }
  std::stable_sort(record.spans.begin(), record.spans.end(), [](const TraceSpan& a, const TraceSpan& b) {
    return a.start != b.start ? a.start < b.start : a.worker < b.worker;
  });
  return record;
}

}  // namespace qd::rhi
