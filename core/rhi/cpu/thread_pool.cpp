#include "core/rhi/cpu/thread_pool.h"

#include <algorithm>
#include <bit>
#include <system_error>

#include "core/rhi/cpu/block_signals.h"
#include "core/rhi/cpu/futex.h"
#include "core/rhi/cpu/spin.h"

namespace qd::rhi {
namespace {

// An idle worker polls this long before it sleeps: longer than the gap between two tasks of a launch, short enough that
// an idle program does not burn its cores.
constexpr int64_t kIdleSpin = 20 * kTicksPerMicrosecond;
// Waiting for the last pieces of a job: about one piece.
constexpr int64_t kJoinSpin = 30 * kTicksPerMicrosecond;
// A woken worker wakes others in turn, so that nobody makes many system calls.
constexpr int32_t kWakeFan = 2;

bool stopped(const int32_t* stop) { return stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0; }

}  // namespace

ThreadPool::ThreadPool(int32_t threads) : threads_(std::max(threads, 1)) {
  for (Slot& slot : slots_) slot.parts = std::make_unique<Part[]>(static_cast<size_t>(threads_));
  const BlockSignals block;
  workers_.reserve(static_cast<size_t>(threads_ - 1));
  for (int32_t i = 1; i < threads_; ++i) {
    try {
      workers_.emplace_back([this, i] { worker(i); });
    } catch (const std::system_error&) {
      break;  // fewer workers: jobs still end, since submitters work too
    }
  }
}

ThreadPool::~ThreadPool() {
  stopping_.store(true);
  epoch_.fetch_add(1);
  futex_wake(epoch_, threads_);
  for (std::thread& worker : workers_) worker.join();
}

int32_t ThreadPool::this_worker() const {
  const std::thread::id self = std::this_thread::get_id();
  for (size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i].get_id() == self) return static_cast<int32_t>(i) + 1;
  }
  return 0;
}

void ThreadPool::run(const PoolJob& job) {
  if (job.count <= 0) return;
  if (job.count == 1 || threads_ == 1) {
    job.function(job.context, 0, job.count);
    return;
  }
  if (job.chains) {
    finish(start(job), job);
    return;
  }
  const int64_t cost = job.cost > 0 ? job.cost : kUnknownCost;
  const int64_t expected = total_cost(job.count, cost);
  if (expected >= kTrialLimit) {
    run_parallel(job, 0, cost);
    return;
  }
  const int64_t remembered = job.remembered_cost != nullptr ? job.remembered_cost->load(std::memory_order_relaxed) : 0;
  if (total_cost(job.count, remembered) >= kAloneLimit) {
    // Fades, so that a task that was expensive once is tried again.
    job.remembered_cost->store(remembered - remembered / 8, std::memory_order_relaxed);
    run_parallel(job, 0, std::max(cost, remembered));
    return;
  }
  // Estimates can be far off where an inner loop's length is unknown, and waking threads for nothing costs more than a
  // small task: the first iterations say what they cost.
  const int64_t trial = trial_size(job.count, cost);
  const int64_t start = ticks();
  job.function(job.context, 0, trial);
  const int64_t measured = std::max<int64_t>(1, (ticks() - start) / trial);
  if (job.remembered_cost != nullptr) job.remembered_cost->store(measured, std::memory_order_relaxed);
  const int64_t left = job.count - trial;
  if (left == 0 || stopped(job.stop)) return;
  if (expected < kAloneLimit && total_cost(left, measured) < kAloneLimit) {
    job.function(job.context, trial, job.count);
    return;
  }
  run_parallel(job, trial, std::max(cost, measured));
}

int32_t ThreadPool::claim_slot() {
  uint64_t claimed = claimed_.load(std::memory_order_relaxed);
  while (~claimed != 0) {
    const int32_t slot = std::countr_one(claimed);
    if (claimed_.compare_exchange_weak(claimed, claimed | uint64_t{1} << slot)) return slot;
  }
  return -1;
}

void ThreadPool::run_parallel(const PoolJob& job, int64_t first, int64_t cost) {
  const Schedule schedule = plan_schedule(job.count - first, cost, threads_);
  const int32_t slot = schedule.parts > 1 ? claim_slot() : -1;
  if (slot < 0) {
    job.function(job.context, first, job.count);
    return;
  }
  publish(slot, job, first, schedule, schedule.parts - 1);
  work(slot, 0);
  join(slot);
}

int32_t ThreadPool::start(const PoolJob& job) {
  const int32_t slot = job.count > 0 && threads_ > 1 ? claim_slot() : -1;
  if (slot < 0) return -1;
  publish(slot, job, 0, plan_chains(job.count), static_cast<int32_t>(std::min<int64_t>(job.count, threads_ - 1)));
  return slot;
}

void ThreadPool::finish(int32_t started, const PoolJob& job) {
  if (started < 0) {
    if (job.count > 0) job.function(job.context, 0, job.count);
    return;
  }
  work(started, 0);
  join(started);
}

void ThreadPool::publish(int32_t index, const PoolJob& job, int64_t first, const Schedule& schedule, int32_t helpers) {
  Slot& slot = slots_[static_cast<size_t>(index)];
  slot.job = job;
  slot.schedule = schedule;
  slot.helpers = helpers;
  slot.first = first;
  slot.stream.store(job.stream, std::memory_order_relaxed);
  const int64_t count = job.count - first;
  for (int32_t i = 0; i < schedule.parts; ++i) {
    Part& part = slot.parts[static_cast<size_t>(i)];
    const int64_t begin = schedule.part_size * i;
    part.end = begin + std::min(schedule.part_size, count - begin);
    part.next.store(begin, std::memory_order_relaxed);
  }
  const uint64_t bit = uint64_t{1} << index;
  if (job.chains) chains_.fetch_or(bit);
  active_.fetch_or(bit);
  wake(std::min(kWakeFan, helpers));
  if (job.chains) return;
  for (uint64_t chains = chains_.load(); chains != 0; chains &= chains - 1) {
    Slot& above = slots_[static_cast<size_t>(std::countr_zero(chains))];
    if (above.stream.load(std::memory_order_relaxed) == job.stream && above.waiting.load() != 0) ring(above);
  }
}

// After work(), which cleared the active bit, so that no worker can come in any more; those inside are counted.
void ThreadPool::join(int32_t index) {
  Slot& slot = slots_[static_cast<size_t>(index)];
  const bool chains = slot.job.chains;
  const int32_t stream = slot.job.stream;
  const auto ended = [&] { return slot.users.load() == 0; };
  const auto called = [&] { return ended() || (chains && loops_of(stream) != 0); };
  while (!ended()) {
    if (chains && help_one_of(loops_of(stream), 0)) continue;
    if (spin_until(kJoinSpin, called)) continue;
    slot.waiting.store(1);
    const uint32_t bell = slot.bell.load();
    if (!called()) futex_wait(slot.bell, bell);
    slot.waiting.store(0);
  }
  const uint64_t bit = uint64_t{1} << index;
  if (chains) chains_.fetch_and(~bit);
  claimed_.fetch_and(~bit, std::memory_order_release);
}

// The loops with pieces left that were submitted from inside the chains of the stream.
uint64_t ThreadPool::loops_of(int32_t stream) const {
  uint64_t loops = active_.load() & ~chains_.load();
  for (uint64_t left = loops; left != 0; left &= left - 1) {
    const int32_t slot = std::countr_zero(left);
    if (slots_[static_cast<size_t>(slot)].stream.load(std::memory_order_relaxed) != stream) {
      loops &= ~(uint64_t{1} << slot);
    }
  }
  return loops;
}

void ThreadPool::ring(Slot& slot) {
  slot.bell.fetch_add(1);
  futex_wake(slot.bell, 1);
}

// Takes pieces of the slot's job until none is left.
void ThreadPool::work(int32_t index, int32_t home) {
  Slot& slot = slots_[static_cast<size_t>(index)];
  const Schedule& schedule = slot.schedule;
  for (int32_t i = 0; i < schedule.parts; ++i) {
    Part& part = slot.parts[static_cast<size_t>((home + i) % schedule.parts)];
    int64_t begin = part.next.load(std::memory_order_relaxed);
    while (begin < part.end) {
      if (stopped(slot.job.stop)) {
        part.next.store(part.end, std::memory_order_relaxed);
        break;
      }
      const int64_t size = next_piece(schedule, part.end - begin);
      if (!part.next.compare_exchange_weak(begin, begin + size, std::memory_order_relaxed)) continue;
      slot.job.function(slot.job.context, slot.first + begin, slot.first + begin + size);
      begin = part.next.load(std::memory_order_relaxed);
    }
  }
  active_.fetch_and(~(uint64_t{1} << index));
}

// Joins a job that has pieces left; false if there is none.
bool ThreadPool::help(int32_t index) {
  const uint64_t active = active_.load(), chains = chains_.load();
  return help_one_of(active & chains, index) || help_one_of(active & ~chains, index);
}

bool ThreadPool::help_one_of(uint64_t slots, int32_t index) {
  // Workers look from different places on, so that jobs that run at the same time share them out.
  for (uint64_t rotated = std::rotr(slots, index); rotated != 0; rotated &= rotated - 1) {
    const int32_t slot_index = (std::countr_zero(rotated) + index) % kSlots;
    Slot& slot = slots_[static_cast<size_t>(slot_index)];
    const auto users = static_cast<int32_t>(slot.users.fetch_add(1)) + 1;
    const bool has_pieces = (active_.load() >> slot_index & 1) != 0;
    if (has_pieces) {
      wake(std::min(kWakeFan, slot.helpers - users));
      work(slot_index, index);
    }
    if (slot.users.fetch_sub(1) == 1 && slot.waiting.load() != 0) ring(slot);
    if (has_pieces) return true;
  }
  return false;
}

void ThreadPool::wake(int32_t count) {
  if (count <= 0 || parked_.load() == 0) return;
  epoch_.fetch_add(1);
  futex_wake(epoch_, count);
}

void ThreadPool::worker(int32_t index) {
  while (!stopping_.load()) {
    if (help(index)) continue;
    const auto has_work = [this] { return active_.load() != 0 || stopping_.load(); };
    if (spin_until(kIdleSpin, has_work)) continue;
    const uint32_t epoch = epoch_.load();
    parked_.fetch_add(1);
    if (!has_work()) futex_wait(epoch_, epoch);
    parked_.fetch_sub(1);
  }
}

}  // namespace qd::rhi
