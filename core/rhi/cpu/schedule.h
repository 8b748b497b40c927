// How a task's iterations are cut: who starts where, how large a piece is, and whether help is worth asking for.
#pragma once

#include <cstdint>

namespace qd::rhi {

// All costs are in ticks (about a third of a nanosecond), as OffloadedAttrs::cost is in cycles.
inline constexpr int64_t kUnknownCost = 16;        // assumed of an iteration where nothing is known
inline constexpr int64_t kAloneLimit = 60'000;     // less work than this is not worth waking a thread: 20 µs
inline constexpr int64_t kChainsAlone = 9'000;     // chains that were less work than this so far stay on their thread
inline constexpr int64_t kChunkTicks = 15'000;     // a chunk of less is not worth its atomic operation: 5 µs
inline constexpr int64_t kTrialLimit = 3'000'000;  // more estimated work than this needs no trial: 1 ms
inline constexpr int64_t kCheapCost = 64;          // iterations below this are taken to cost the same each
inline constexpr int64_t kChunkAlign = 64;         // iterations; keeps chunks on cache lines of their own

// count * cost without overflow.
int64_t total_cost(int64_t count, int64_t cost);

// Every part has a home participant, which takes its pieces first; the others help once their own parts are done. That
// keeps the same data on the same core from one launch to the next.
struct Schedule {
  int32_t parts = 1;
  int64_t part_size = 0;     // iterations; the last part may be shorter
  int64_t smallest = 1;      // iterations a piece has at least
  int64_t align = 1;         // pieces are multiples of it, except the last of a part
  int32_t pieces_ahead = 8;  // a piece is what is left of a part divided by this
};
Schedule plan_schedule(int64_t count, int64_t cost, int32_t threads);
// Iterations are taken one by one, in order.
Schedule plan_chains(int64_t count);

// The size of the next piece of a part of which `left` iterations remain.
int64_t next_piece(const Schedule& schedule, int64_t left);

// Iterations to run alone first, to learn what one costs.
int64_t trial_size(int64_t count, int64_t cost);

}  // namespace qd::rhi
