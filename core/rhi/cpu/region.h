// Chains that may run at the same time, while that is worth it: handing a chain to another thread costs more than many
// small chains.
#pragma once

#include <cstdint>
#include <optional>

#include "core/rhi/cpu/thread_pool.h"

namespace qd::rhi {

// The stream's thread runs the chains one after the other for as long as their tasks are known to be small. The first
// task that is not has the chains that were not begun shared out, before it runs.
class Region {
 public:
  // of_stream is where the stream's thread finds this object while it may still share out chains, and null otherwise.
  Region(ThreadPool& pool, int32_t stream, Region*& of_stream) : pool_(pool), of_stream_(of_stream) {
    rest_.stream = stream;
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  // Calls chain(context, i) for each i below count, once, and returns when all have ended.
  void run(int32_t count, void (*chain)(void*, int32_t), void* context);
  // On the stream's thread, before a task of a chain runs. ticks: what it will cost; nothing if that is not known.
  void before_task(std::optional<int64_t> ticks);

 private:
  ThreadPool& pool_;
  Region*& of_stream_;
  void (*chain_)(void*, int32_t) = nullptr;
  void* context_ = nullptr;
  int32_t begun_ = 0, count_ = 0;
  int64_t ticks_ = 0;  // of the tasks so far
  bool shared_ = false;
  PoolJob rest_;  // the chains that are shared out
  int32_t started_ = -1;
};

}  // namespace qd::rhi
