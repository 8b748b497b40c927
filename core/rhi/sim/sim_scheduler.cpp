#include "core/rhi/sim/sim_scheduler.h"

#include <algorithm>

#include "core/ir/error.h"

namespace qd::rhi {

SimScheduler::SimScheduler(uint64_t seed) : seed_(seed) { change_mood(); }

void SimScheduler::change_mood() {
  constexpr uint64_t kEagerness[] = {0, 1, 4, 12};
  std::seed_seq both{seed_, times_idle_};
  generator_.seed(both);
  eagerness_ = kEagerness[random(4)];
  single_minded_ = random(2) == 0;
  for (const std::unique_ptr<SimStream>& stream : streams_) stream->priority = random(1000);
}

bool SimScheduler::idle() const {
  return std::all_of(streams_.begin(), streams_.end(),
                     [](const std::unique_ptr<SimStream>& stream) { return stream->queue.empty(); });
}

SimStream* SimScheduler::add_stream() {
  streams_.push_back(std::make_unique<SimStream>());
  streams_.back()->priority = random(1000);
  return streams_.back().get();
}

void SimScheduler::remove_stream(SimStream* stream) {
  std::erase_if(streams_, [stream](const std::unique_ptr<SimStream>& s) { return s.get() == stream; });
}

SimStream* SimScheduler::choose() {
  std::vector<SimStream*> ready;
  for (const std::unique_ptr<SimStream>& stream : streams_) {
    if (stream->ready()) ready.push_back(stream.get());
  }
  if (ready.empty()) return nullptr;
  // Mostly one stream runs ahead of the others, until the mood changes.
  if (random(4) == 0) return ready[random(ready.size())];
  SimStream* first = *std::max_element(
      ready.begin(), ready.end(), [](const SimStream* a, const SimStream* b) { return a->priority < b->priority; });
  if (random(16) == 0) first->priority = random(1000);
  return first;
}

void SimScheduler::step(SimStream* stream) {
  SimWork& work = stream->queue.front();
  if (work.awaited != nullptr) stream->seconds = std::max(stream->seconds, work.awaited->seconds);
  if (work.step && !work.step(work)) return;
  stream->seconds += work.seconds;
  if (work.made != nullptr) *work.made = {.reached = true, .seconds = stream->seconds};
  stream->queue.pop_front();
}

void SimScheduler::wander() {
  if (random(16) >= eagerness_) return;
  for (uint64_t steps = random(24); steps > 0; --steps) {
    SimStream* stream = choose();
    if (stream == nullptr) return;
    step(stream);
  }
}

SimStream* SimScheduler::maker_of(const SimPoint& point) const {
  for (const std::unique_ptr<SimStream>& stream : streams_) {
    for (const SimWork& work : stream->queue) {
      if (work.made.get() == &point) return stream.get();
    }
  }
  return nullptr;
}

SimStream* SimScheduler::needed_for(const Goal& goal) const {
  SimStream* stream = goal.stream != nullptr ? goal.stream : maker_of(*goal.point);
  // An awaited point was queued before what waits for it, so this ends.
  while (stream != nullptr && !stream->ready() && !stream->queue.empty()) {
    const SimWork& blocked = stream->queue.front();
    stream = maker_of(*blocked.awaited);
  }
  return stream;
}

void SimScheduler::run_until(const Goal& goal) {
  while (!goal.reached()) {
    SimStream* stream = single_minded_ || random(3) == 0 ? needed_for(goal) : choose();
    if (stream == nullptr || stream->queue.empty()) {
      throw Error(Code::internal, "simulated device: the host waits for what never happens");
    }
    step(stream);
  }
  if (!idle()) return;
  ++times_idle_;
  change_mood();
}

void SimScheduler::run_until_empty(SimStream* stream) { run_until({.stream = stream}); }

void SimScheduler::run_until_reached(const SimPoint& point) { run_until({.point = &point}); }

}  // namespace qd::rhi
