// The worker pool: several jobs may run at the same time, from several threads, also from inside jobs. Whoever submits
// a job works on it too, so that a job always ends even if no worker is free.
//
// There are two kinds of jobs: loops, and those whose iterations are chains, which submit loops themselves. Workers
// take chains before pieces of loops: a chain may be a long time on one thread, and what is left of loops is shared out
// at the end. Who waits for chains helps with their loops.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "core/rhi/cpu/schedule.h"
#include "core/runtime/launch_block.h"

namespace qd::rhi {

struct PoolJob {
  TaskFunction function = nullptr;  // called with disjoint pieces of [0, count)
  void* context = nullptr;
  int64_t count = 0;
  int64_t cost = 0;               // estimated ticks of one iteration; 0: unknown
  const int32_t* stop = nullptr;  // once it is not 0 (a failed check), no new piece is started
  bool chains = false;            // the iterations submit jobs; they are worth a thread each
  int32_t stream = -1;            // chains and the jobs from inside have the same, and nothing else at that time
  // What an iteration of this task cost before, 0 if unknown; updated. May be null.
  std::atomic<int64_t>* remembered_cost = nullptr;
};

class ThreadPool {
 public:
  // threads counts the thread that submits a job: threads - 1 workers are started.
  explicit ThreadPool(int32_t threads);
  ~ThreadPool();  // no job may be running
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int32_t threads() const { return threads_; }
  // Which of the pool's workers the calling thread is, from 1 on; 0: none of them.
  int32_t this_worker() const;
  // Runs all iterations and returns when every one has ended. The function must not throw.
  void run(const PoolJob& job);
  // The same in two steps, for chains: between them the caller does something else, while workers may begin. finish is
  // for the same thread, with what start returned.
  int32_t start(const PoolJob& job);
  void finish(int32_t started, const PoolJob& job);

 private:
  // Iterations [next, end) of a part are not taken yet.
  struct alignas(64) Part {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };
  // A job being run. Slots live as long as the pool: a worker may touch `users` of a slot whose job has ended, and
  // learns from active_ whether it may read the rest.
  struct alignas(64) Slot {
    std::atomic<uint32_t> users{0};    // workers inside
    std::atomic<uint32_t> waiting{0};  // the submitter sleeps until the bell rings
    std::atomic<uint32_t> bell{0};     // counts: the last user left, or there is a loop to help with
    std::atomic<int32_t> stream{-1};   // of the job, for those who only look
    PoolJob job;
    Schedule schedule;
    int32_t helpers = 0;  // workers that are worth waking
    int64_t first = 0;    // added to every index: iterations before it ran in the trial
    std::unique_ptr<Part[]> parts;
  };
  static constexpr int32_t kSlots = 64;

  void run_parallel(const PoolJob& job, int64_t first, int64_t cost);
  int32_t claim_slot();
  void publish(int32_t slot, const PoolJob& job, int64_t first, const Schedule& schedule, int32_t helpers);
  void work(int32_t slot, int32_t home);
  void join(int32_t slot);
  void worker(int32_t index);
  bool help(int32_t index);
  bool help_one_of(uint64_t slots, int32_t index);
  uint64_t loops_of(int32_t stream) const;
  void ring(Slot& slot);
  void wake(int32_t count);

  const int32_t threads_;
  std::array<Slot, kSlots> slots_;
  alignas(64) std::atomic<uint64_t> active_{0};   // bit per slot: has pieces to take
  alignas(64) std::atomic<uint64_t> claimed_{0};  // bit per slot: has a submitter
  alignas(64) std::atomic<uint64_t> chains_{0};   // bit per slot: the submitted job is one of chains
  alignas(64) std::atomic<uint32_t> epoch_{0};    // sleeping workers wait for it to change
  std::atomic<int32_t> parked_{0};
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> workers_;
};

}  // namespace qd::rhi
