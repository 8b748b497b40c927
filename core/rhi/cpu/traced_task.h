// A task that runs and notes when each thread worked on it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/codegen/codegen.h"
#include "core/rhi/cpu/thread_pool.h"
#include "core/rhi/trace.h"

namespace qd::rhi {

class TracedTask {
 public:
  TracedTask(const ThreadPool& pool, TaskFunction function, void* block)
      : pool_(pool), function_(function), block_(block), shares_(static_cast<size_t>(pool.threads())) {}

  // A TaskFunction whose block is a TracedTask.
  static void run(void* traced, int64_t begin, int64_t end);
  // After all of it has run: one span for each thread that worked, from its first piece to its last.
  void report(Trace& trace, const CompiledTask& task, int32_t stream) const;

 private:
  // Of one thread of the pool, or (the first) of the thread that submitted the task.
  struct alignas(64) Share {
    bool worked = false;
    TraceClock::time_point start, end;
  };
  const ThreadPool& pool_;
  const TaskFunction function_;
  void* const block_;
  std::vector<Share> shares_;
};

}  // namespace qd::rhi
