// Chooses what a simulated device does next.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/rhi/sim/sim_stream.h"

namespace qd::rhi {

// Not thread-safe: the device holds its mutex.
class SimScheduler {
 public:
  // The seed, and how often everything was done since, decide what happens: each time is as with another seed.
  explicit SimScheduler(uint64_t seed);

  SimStream* add_stream();
  void remove_stream(SimStream* stream);  // which is empty

  // A step of what may run: maybe none, maybe many. Called between the host's calls.
  void wander();
  // Until the stream is empty, or the point reached. Throws Code::internal where that cannot come.
  void run_until_empty(SimStream* stream);
  void run_until_reached(const SimPoint& point);

  // Below n, which is positive.
  uint64_t random(uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(generator_); }

 private:
  // What the host waits for: an empty stream, or a point.
  struct Goal {
    SimStream* stream = nullptr;
    const SimPoint* point = nullptr;
    bool reached() const { return stream != nullptr ? stream->queue.empty() : point->reached; }
  };
  void run_until(const Goal& goal);
  // A stream without whose next step the goal is not reached.
  SimStream* needed_for(const Goal& goal) const;
  SimStream* maker_of(const SimPoint& point) const;
  SimStream* choose();
  void step(SimStream* stream);

  void change_mood();
  bool idle() const;

  const uint64_t seed_;
  uint64_t times_idle_ = 0;
  std::mt19937_64 generator_;
  std::vector<std::unique_ptr<SimStream>> streams_;
  uint64_t eagerness_ = 0;      // of 16: how much is done before anybody waits
  bool single_minded_ = false;  // while the host waits, nothing is done that it does not wait for
};

}  // namespace qd::rhi
