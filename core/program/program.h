// A program: one device and everything that lives on it. Kernels, builders and memory hold it by shared_ptr, so that
// they may be destroyed in any order.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "core/program/dump_stages.h"
#include "core/program/output_buffer.h"
#include "core/program/stream_set.h"
#include "core/rhi/device.h"
#include "core/runtime/launch_blocks.h"
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

  rhi::Device& device() const { return *device_; }
  const ProgramOptions& options() const { return options_; }
  int32_t workers() const { return workers_; }
  CompileOptions compile_options() const;
  const DumpRequest& dump_request() const { return dump_request_; }

  // Waits for everything that was launched, on every stream.
  void drain();
  // No launch starts afterwards; returns when those that run or are queued have ended.
  void close();
  bool closed() const { return closed_.load(std::memory_order_acquire); }
  // Throws Code::closed.
  void require_open() const;

  uint64_t next_launch() { return launches_.fetch_add(1, std::memory_order_relaxed); }

  OutputBuffer output;
  LaunchBlockPool launch_blocks;
  StreamSet streams;
  std::atomic<int64_t> kernels{0}, builders{0};  // that are alive

 private:
  const std::unique_ptr<rhi::Device> device_;
  const ProgramOptions options_;
  const int32_t workers_;
  const DumpRequest dump_request_;
  std::atomic<bool> closed_{false};
  alignas(64) std::atomic<uint64_t> launches_{0};
};

}  // namespace qd
