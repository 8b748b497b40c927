#include "core/rhi/cpu/schedule.h"

#include <algorithm>
#include <limits>

namespace qd::rhi {
namespace {

int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// Saturates at the last multiple that fits.
int64_t round_up(int64_t value, int64_t align) {
  const int64_t largest = std::numeric_limits<int64_t>::max() / align * align;
  return value >= largest ? largest : divide_up(value, align) * align;
}

}  // namespace

int64_t total_cost(int64_t count, int64_t cost) {
  int64_t total = 0;
  return __builtin_mul_overflow(count, cost, &total) ? std::numeric_limits<int64_t>::max() : total;
}

Schedule plan_schedule(int64_t count, int64_t cost, int32_t threads) {
  cost = std::max<int64_t>(cost, 1);
  Schedule schedule;
  // Pieces of many cheap iterations start on a cache line; few expensive ones must be shared out to the last.
  schedule.align = count / threads >= kChunkAlign * 8 ? kChunkAlign : 1;
  schedule.smallest = round_up(std::max<int64_t>(1, kChunkTicks / cost), schedule.align);
  schedule.pieces_ahead = cost <= kCheapCost ? 2 : 8;
  const int64_t pieces = divide_up(count, schedule.smallest);
  schedule.part_size = round_up(divide_up(count, std::min<int64_t>(threads, pieces)), schedule.align);
  schedule.parts = static_cast<int32_t>(divide_up(count, schedule.part_size));
  return schedule;
}

Schedule plan_chains(int64_t count) {
  Schedule schedule;
  schedule.part_size = count;
  schedule.pieces_ahead = std::numeric_limits<int32_t>::max();
  return schedule;
}

int64_t next_piece(const Schedule& schedule, int64_t left) {
  const int64_t share = round_up(left / schedule.pieces_ahead, schedule.align);
  return std::min(left, std::max(schedule.smallest, share));
}

int64_t trial_size(int64_t count, int64_t cost) {
  const int64_t size = total_cost(count, cost) < kAloneLimit ? count / 16 : count / 64;
  return size >= kChunkAlign ? size / kChunkAlign * kChunkAlign : std::max<int64_t>(size, 1);
}

}  // namespace qd::rhi
