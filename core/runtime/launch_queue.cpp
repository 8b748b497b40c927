#include "core/runtime/launch_queue.h"

#include <algorithm>
#include <utility>

#include "core/ir/error.h"

namespace qd {

LaunchQueue::LaunchQueue(rhi::Device& device, rhi::Stream stream, GroupStreams& groups, int32_t number)
    : device_(device), stream_(stream), groups_(groups), trace_(device, stream, number) {
  slot_ = device_.create_slot();
  try {
    forked_ = device_.create_mark();
  } catch (...) {
    device_.destroy_slot(slot_);
    throw;
  }
}

LaunchQueue::~LaunchQueue() {
  const auto whatever_happens = [](auto&& f) {
    try {
      f();
    } catch (...) {
      // A lost device: there is nothing to wait for or to free.
    }
  };
  whatever_happens([&] { device_.sync(stream_); });
  for (LaunchBatch& batch : batches_) trace_.drop(batch.traced);
  trace_.drop(open_.traced);
  for (const LaunchBatch& batch : batches_) whatever_happens([&] { device_.destroy_event(batch.event); });
  for (const LaunchBatch& batch : spare_) whatever_happens([&] { device_.destroy_event(batch.event); });
  if (open_.event != nullptr) whatever_happens([&] { device_.destroy_event(open_.event); });
  whatever_happens([&] { device_.destroy_event(forked_); });
  whatever_happens([&] { device_.destroy_slot(slot_); });
}

void LaunchQueue::start_batch(std::vector<LaunchBatch>& passed) {
  if (closed_) throw Error(Code::closed, "the runtime is closed");
  close_batch();
  if (batches_.size() > kMostBatches) device_.sync(batches_.front().event);
  collect(passed);
}

void LaunchQueue::queue(const LaunchRequest& request) {
  const rhi::QueuedLaunch launch{.args = request.args,
                                 .args_size = static_cast<size_t>(request.args_size),
                                 .temps_size = request.temps_size,
                                 .seed = request.seed,
                                 .number = request.launch,
                                 .host = request.host};
  groups_.settle(stream_);
  if (request.kernel != nullptr && !trace_.on() &&
      device_.launch_whole(stream_, slot_, launch, *request.kernel, request.plan))
    return;
  const rhi::StreamUse use(device_, stream_);
  device_.open_launch(stream_, slot_, launch);
  for (const PlanPhase& phase : request.plan.phases) {
    if (phase.parallel()) {
      fork(request, phase);
    } else if (!phase.chains.empty()) {
      run_chain(stream_, 0, request, phase.chains.front());
    }
  }
  device_.close_launch(stream_, slot_);
}

void LaunchQueue::run_chain(rhi::Stream stream, int32_t lane, const LaunchRequest& request, const PlanChain& chain) {
  for (const int32_t index : chain.tasks) {
    const CompiledTask& task = request.tasks[static_cast<size_t>(index)];
    if (trace_.on()) {
      trace_.launch(stream, lane, task, slot_, request.launch, open_.traced);
    } else {
      device_.launch(stream, task, slot_);
    }
  }
}

void LaunchQueue::fork(const LaunchRequest& request, const PlanPhase& phase) {
  const auto chains = static_cast<int32_t>(phase.chains.size());
  GroupStreams::Fork fork(groups_, stream_, forked_, chains - 1);
  // Lane 0 is the launching stream. It comes last, so that the others have started when it does.
  for (int32_t lane = fork.lanes() - 1; lane >= 0; --lane) {
    for (int32_t chain = lane; chain < chains; chain += fork.lanes()) {
      run_chain(fork.lane(lane), lane, request, phase.chains[static_cast<size_t>(chain)]);
    }
  }
  fork.join();
}

void LaunchQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

void LaunchQueue::keep(std::shared_ptr<const void> kept) {
  Passed passed(*this);
  const std::lock_guard lock(mutex_);
  open_.kept.push_back(std::move(kept));
  close_batch();
  collect(passed.batches);
}

void LaunchQueue::drain() {
  {
    const std::lock_guard lock(mutex_);
    close_batch();
  }
  device_.sync(stream_);
  Passed passed(*this);
  const std::lock_guard lock(mutex_);
  collect(passed.batches);
}

void LaunchQueue::close_batch() {
  groups_.settle(stream_);
  if (open_.empty()) return;
  if (open_.event == nullptr) open_.event = device_.create_mark();
  device_.record(open_.event, stream_);
  batches_.push_back(std::exchange(open_, LaunchBatch{}));
  if (!spare_.empty()) {
    open_ = std::move(spare_.back());
    spare_.pop_back();
  }
}

void LaunchQueue::collect(std::vector<LaunchBatch>& passed) {
  while (!batches_.empty() && device_.passed(batches_.front().event)) {
    trace_.report(batches_.front().traced);
    find_failure();  // while the launches it may be about are known
    passed.push_back(std::move(batches_.front()));
    batches_.pop_front();
  }
}

void LaunchQueue::find_failure() {
  const std::optional<rhi::FailedLaunch> failed = device_.take_failure(slot_);
  if (!failed || failure_) return;
  failure_ = Failure{*failed, find(failed->number)};
}

std::shared_ptr<const void> LaunchQueue::find(uint64_t number) const {
  std::shared_ptr<const void> launched;
  for (const LaunchBatch& batch : batches_) {
    if (batch.find(number, launched)) return launched;
  }
  open_.find(number, launched);
  return launched;
}

void LaunchQueue::recycle(std::vector<LaunchBatch>& passed) noexcept {
  for (LaunchBatch& batch : passed) batch.clear();
  const std::lock_guard lock(mutex_);
  for (LaunchBatch& batch : passed) {
    try {
      spare_.push_back(std::move(batch));
    } catch (...) {
      // No memory: the event is lost, and counted as not given back.
    }
  }
}

std::optional<LaunchQueue::Failure> LaunchQueue::take_failure() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failure_, std::nullopt);
}

std::optional<uint64_t> LaunchQueue::failed_launch() const {
  const std::lock_guard lock(mutex_);
  return failure_ ? std::optional(failure_->failed.number) : std::nullopt;
}

}  // namespace qd
