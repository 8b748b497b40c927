// A program: one device and everything that lives on it. Kernels, builders and memory hold it by shared_ptr, so that
// they may be destroyed in any order.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/program/dump_stages.h"
#include "core/program/output_buffer.h"
#include "core/program/stream_set.h"
#include "core/rhi/device.h"
#include "core/runtime/group_streams.h"
#include "core/runtime/launch_blocks.h"
#include "core/runtime/launch_queue.h"
#include "core/transforms/passes.h"

namespace qd {

struct ProgramOptions {
  int32_t threads = 0;  // 0: one a core
  bool checks = true;
  bool fast_math = false;
  uint64_t seed = 0;
};

class Program {
 public:
  // Reads QD_DUMP.
  Program(std::unique_ptr<rhi::Device> device, const ProgramOptions& options);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  rhi::Device& device() const { return *device_; }
  const ProgramOptions& options() const { return options_; }
  int32_t workers() const { return workers_; }
  int32_t compile_threads() const;
  CompileOptions compile_options() const;
  const DumpRequest& dump_request() const { return dump_request_; }

  // Waits for everything that was launched, on every stream.
  void drain();
  // The same for the default stream alone.
  void drain_default();
  // No launch starts afterwards; returns when those that run or are queued have ended.
  void close();
  bool closed() const { return closed_.load(std::memory_order_acquire); }
  // Throws Code::closed.
  void require_open() const {
    if (closed()) [[unlikely]]
      fail_closed();
  }

  uint64_t next_launch() { return launches_.fetch_add(1, std::memory_order_relaxed); }

  // Keeps something alive until every stream has passed what is queued on it now.
  void keep(const std::shared_ptr<const void>& kept);
  // The earliest failure of a launch on any stream, or of one on the default stream. Forgets and returns it.
  std::optional<StreamFailure> take_failure();
  std::optional<StreamFailure> take_default_failure();
  // What programs that are gone did not give back to their devices.
  static rhi::LeakCounts left_behind();

  OutputBuffer output;
  LaunchBlockPool launch_blocks;
  StreamSet streams;
  // On a device that queues; else null.
  std::unique_ptr<GroupStreams> groups;
  std::unique_ptr<LaunchQueue> default_queue;
  std::atomic<int64_t> kernels{0}, builders{0}, open_streams{0}, open_events{0};  // that are alive

 private:
  [[noreturn]] static void fail_closed();

  std::unique_ptr<rhi::Device> device_;
  const ProgramOptions options_;
  const int32_t workers_;
  const DumpRequest dump_request_;
  std::atomic<bool> closed_{false};
  alignas(64) std::atomic<uint64_t> launches_{0};
};

}  // namespace qd
