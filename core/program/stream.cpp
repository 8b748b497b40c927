#include "core/program/stream.h"

#include <utility>

#include "core/ir/error.h"
#include "core/program/kernel.h"

namespace qd {

// One launch in the stream's queue: the kernel, the arguments, and where a failure goes.
class Stream::Work final : public rhi::HostWork {
 public:
  Work(Stream& stream, Kernel::Prepared launch) : stream_(stream), launch_(std::move(launch)) {}

  void run(rhi::Stream inside) noexcept override {
    try {
      StreamFailure failure{.launch = launch_.number(), .kernel = {}, .positions = {}, .failure = {}, .error = {}};
      try {
        failure.failure = launch_.run(inside).failure;
        if (!failure.failure) return;
      } catch (...) {
        failure.error = std::current_exception();
      }
      failure.kernel = launch_.kernel().name();
      failure.positions = launch_.kernel().positions();
      stream_.keep_failure(std::move(failure));
    } catch (...) {
      // No memory to describe the failure: what is known is that there was one.
      stream_.keep_failure({.launch = launch_.number(),
                            .kernel = {},
                            .positions = {},
                            .failure = {},
                            .error = std::current_exception()});
    }
  }

 private:
  Stream& stream_;  // outlives its queue
  Kernel::Prepared launch_;
};

std::shared_ptr<Stream> Stream::create(std::shared_ptr<Program> program) {
  rhi::Stream handle = program->device().create_stream();
  return add(std::move(program), handle);
}

std::shared_ptr<Stream> Stream::wrap(std::shared_ptr<Program> program, uint64_t handle) {
  rhi::Stream wrapped = program->device().wrap_stream(handle);
  return add(std::move(program), wrapped);
}

std::shared_ptr<Stream> Stream::add(std::shared_ptr<Program> program, rhi::Stream handle) {
  std::shared_ptr<Stream> stream(new Stream(std::move(program), handle));
  stream->program_->streams.add(stream);
  return stream;
}

// Owns the handle, whatever happens.
Stream::Stream(std::shared_ptr<Program> program, rhi::Stream handle) : program_(std::move(program)), handle_(handle) {
  if (program_->groups != nullptr) {
    try {
      queue_.emplace(program_->device(), handle_, *program_->groups, program_->groups->next_number());
    } catch (...) {
      program_->device().destroy_stream(handle_);
      throw;
    }
  }
  program_->open_streams.fetch_add(1);
}

Stream::~Stream() {
  std::optional<StreamFailure> failure = take_failure();
  queue_.reset();
  try {
    program_->device().destroy_stream(handle_);
  } catch (...) {
    // A lost device; the stream is gone with it.
  }
  program_->open_streams.fetch_sub(1);
  program_->streams.remove(std::move(failure));
}

void Stream::launch(const std::shared_ptr<Kernel>& kernel, const void* args, std::span<const int64_t> host_offsets) {
  if (&kernel->program() != program_.get()) {
    throw Error(Code::invalid, "the stream belongs to another program than the kernel");
  }
  if (queue_) {
    Kernel::queue(kernel, *queue_, args, host_offsets);
    return;
  }
  auto work = std::make_unique<Work>(*this, Kernel::prepare(kernel, args, blocks_));
  const std::lock_guard lock(queueing_);
  program_->require_open();
  program_->device().enqueue(handle_, std::move(work));
}

void Stream::drain() {
  if (queue_) {
    queue_->drain();
  } else {
    program_->device().sync(handle_);
  }
}

void Stream::keep(const std::shared_ptr<const void>& kept) {
  if (queue_) {
    queue_->keep(kept);
  } else {
    program_->device().keep(handle_, kept);
  }
}

void Stream::close() {
  if (queue_) queue_->close();
  const std::lock_guard lock(queueing_);
}

std::optional<StreamFailure> Stream::take_failure() {
  if (queue_) {
    const std::optional<LaunchQueue::Failure> failed = queue_->take_failure();
    if (failed) return Kernel::describe(*failed);
  }
  const std::lock_guard lock(failure_mutex_);
  return std::exchange(failure_, std::nullopt);
}

std::optional<uint64_t> Stream::failed_launch() const {
  if (queue_) return queue_->failed_launch();
  const std::lock_guard lock(failure_mutex_);
  return failure_ ? std::optional(failure_->launch) : std::nullopt;
}

void Stream::keep_failure(StreamFailure failure) {
  const std::lock_guard lock(failure_mutex_);
  if (!failure_) failure_ = std::move(failure);
}

}  // namespace qd
