// A stream of a program: launches queued on it run later, in order, beside those of other streams.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "core/ir/position.h"
#include "core/program/program.h"
#include "core/rhi/device.h"
#include "core/runtime/launch_blocks.h"
#include "core/runtime/launch_failure.h"
#include "core/runtime/launch_queue.h"

namespace qd {

class Kernel;

// A queued launch that failed. It says everything by itself: the kernel may be gone when somebody asks.
struct StreamFailure {
  uint64_t launch = 0;  // its number; a smaller one was queued earlier
  std::string kernel;
  PositionTable positions;
  std::optional<LaunchFailure> failure;
  std::exception_ptr error;  // where it was no failed check
};

// All methods may be called from any thread at the same time. Each throws Error.
class Stream {
 public:
  // A new stream that its program knows. The last owner's release waits for its work.
  static std::shared_ptr<Stream> create(std::shared_ptr<Program> program);
  // The same for one that other code made, see rhi::Device::wrap_stream.
  static std::shared_ptr<Stream> wrap(std::shared_ptr<Program> program, uint64_t handle);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Program& program() const { return *program_; }
  rhi::Stream handle() const { return handle_; }

  // Queues the kernel. What is wrong with the launch beforehand is thrown; a failure while it runs is kept, unless an
  // earlier one is. Later launches run nonetheless.
  // Host memory among the arguments is used in place where the device can reach it; then it must live until the launch
  // has run. Where it cannot, and host_offsets name some, it is copied and this waits.
  void launch(const std::shared_ptr<Kernel>& kernel, const void* args, std::span<const int64_t> host_offsets = {});
  // Waits for what is queued now.
  void drain();
  void keep(const std::shared_ptr<const void>& kept);
  // Forgets and returns the first failure since it was asked last.
  std::optional<StreamFailure> take_failure();
  // The number of the launch whose failure is kept.
  std::optional<uint64_t> failed_launch() const;
  // No launch is queued any more.
  void close();

 private:
  class Work;
  Stream(std::shared_ptr<Program> program, rhi::Stream handle);
  // Makes the stream and tells its program.
  static std::shared_ptr<Stream> add(std::shared_ptr<Program> program, rhi::Stream handle);
  void keep_failure(StreamFailure failure);

  const std::shared_ptr<Program> program_;
  rhi::Stream handle_;
  LaunchBlockPool blocks_;            // of this stream alone, so that streams share no lock
  std::optional<LaunchQueue> queue_;  // where the device queues
  std::mutex queueing_;
  mutable std::mutex failure_mutex_;
  std::optional<StreamFailure> failure_;
};

}  // namespace qd
