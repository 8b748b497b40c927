#include "core/program/program.h"

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

#include "core/ir/error.h"
#include "core/program/kernel.h"
#include "core/program/stream.h"

namespace qd {
namespace {

struct LeftBehind {
  std::atomic<int64_t> allocations{0}, bytes{0}, streams{0}, events{0};
};
LeftBehind& everything_left() {
  static LeftBehind left;
  return left;
}

DumpRequest dump_request_of_environment() {
  const char* text = std::getenv("QD_DUMP");
  return parse_dump_request(text == nullptr ? "" : text);
}

}  // namespace

Program::Program(std::unique_ptr<rhi::Device> device, const ProgramOptions& options)
    : device_(std::move(device)),
      options_(options),
      workers_(device_->info().workers),
      dump_request_(dump_request_of_environment()) {
  const rhi::DeviceInfo info = device_->info();
  if (!info.queues) return;
  groups = std::make_unique<GroupStreams>(*device_, info.group_streams);
  default_queue = std::make_unique<LaunchQueue>(*device_, rhi::Stream{}, *groups);
}

Program::~Program() {
  default_queue.reset();
  groups.reset();
  const rhi::LeakCounts left = device_->leaks();
  LeftBehind& all = everything_left();
  all.allocations.fetch_add(left.allocations);
  all.bytes.fetch_add(left.bytes);
  all.streams.fetch_add(left.streams);
  all.events.fetch_add(left.events);
}

rhi::LeakCounts Program::left_behind() {
  const LeftBehind& all = everything_left();
  return {all.allocations.load(), all.bytes.load(), all.streams.load(), all.events.load()};
}

int32_t Program::compile_threads() const {
  if (default_queue == nullptr) return workers_;
  return static_cast<int32_t>(std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
}

CompileOptions Program::compile_options() const {
  CompileOptions options;
  options.checks = options_.checks;
  options.fast_math = options_.fast_math;
  return options;
}

void Program::drain() {
  drain_default();
  streams.drain();
}

void Program::drain_default() {
  if (default_queue != nullptr) {
    default_queue->drain();
  } else {
    device_->sync(rhi::Stream{});
  }
}

void Program::close() {
  closed_.store(true, std::memory_order_release);
  if (default_queue != nullptr) default_queue->close();
  streams.close();
  drain();
}

void Program::keep(const std::shared_ptr<const void>& kept) {
  if (default_queue != nullptr) {
    default_queue->keep(kept);
  } else {
    device_->keep(rhi::Stream{}, kept);
  }
  streams.keep(kept);
}

std::optional<StreamFailure> Program::take_default_failure() {
  if (default_queue == nullptr) return std::nullopt;
  const std::optional<LaunchQueue::Failure> failure = default_queue->take_failure();
  return failure ? std::optional(Kernel::describe(*failure)) : std::nullopt;
}

std::optional<StreamFailure> Program::take_failure() {
  if (default_queue != nullptr) {
    if (const std::optional<uint64_t> failed = default_queue->failed_launch()) {
      std::optional<StreamFailure> earlier = streams.take_failure(*failed);
      return earlier ? std::move(earlier) : take_default_failure();
    }
  }
  return streams.take_failure();
}

void Program::fail_closed() { throw Error(Code::closed, "the runtime is closed"); }

}  // namespace qd
