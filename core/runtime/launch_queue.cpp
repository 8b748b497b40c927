#include "core/runtime/launch_queue.h"

#include <algorithm>
#include <utility>

#include "core/ir/error.h"

namespace qd {
namespace {

constexpr size_t kStackImage = 2048;

}  // namespace

LaunchQueue::LaunchQueue(rhi::Device& device, rhi::Stream stream, GroupStreams& groups, int32_t number)
    : device_(device), stream_(stream), groups_(groups), trace_(device, stream, number) {
  slot_ = device_.create_slot();
  try {
    forked_ = device_.create_event();
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
  for (Batch& batch : batches_) trace_.drop(batch.traced);
  trace_.drop(open_.traced);
  for (const Batch& batch : batches_) whatever_happens([&] { device_.destroy_event(batch.event); });
  for (const Batch& batch : spare_) whatever_happens([&] { device_.destroy_event(batch.event); });
  if (open_.event != nullptr) whatever_happens([&] { device_.destroy_event(open_.event); });
  whatever_happens([&] { device_.destroy_event(forked_); });
  whatever_happens([&] { device_.destroy_slot(slot_); });
}

void LaunchQueue::launch(const LaunchRequest& request, std::shared_ptr<const void> launched) {
  LaunchRequest wanted = request;
  wanted.temps_size = 0;
  const size_t size = block_size(wanted);
  alignas(64) char on_stack[kStackImage];
  LaunchBlockPool::Lease lease;
  void* image = on_stack;
  if (size > kStackImage) {
    lease = images_.take(size);
    image = lease.get();
  }
  fill_block(image, wanted);

  std::vector<Batch> passed;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) throw Error(Code::closed, "the runtime is closed");
    if (open_.launches.size() >= kBatch) {
      close_batch();
      if (batches_.size() > kMostBatches) device_.sync(batches_.front().event);
      collect(passed);
    }
    open_.launches.push_back({request.launch, std::move(launched)});  // before: what is queued uses it whatever happens
    queue(request, {.image = image, .size = size, .temps_size = request.temps_size, .number = request.launch});
  }
  recycle(passed);
}

void LaunchQueue::queue(const LaunchRequest& request, const rhi::LaunchImage& image) {
  const rhi::StreamUse use(device_, stream_);
  groups_.settle(stream_);
  if (request.kernel != nullptr && !trace_.on() &&
      device_.launch_whole(stream_, slot_, image, *request.kernel, request.plan))
    return;
  device_.open_launch(stream_, slot_, image);
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
  std::vector<Batch> passed;
  {
    const std::lock_guard lock(mutex_);
    open_.kept.push_back(std::move(kept));
    close_batch();
    collect(passed);
  }
  recycle(passed);
}

void LaunchQueue::drain() {
  {
    const std::lock_guard lock(mutex_);
    close_batch();
  }
  device_.sync(stream_);
  std::vector<Batch> passed;
  {
    const std::lock_guard lock(mutex_);
    collect(passed);
  }
  recycle(passed);
}

void LaunchQueue::close_batch() {
  groups_.settle(stream_);
  if (open_.empty()) return;
  if (open_.event == nullptr) open_.event = device_.create_event();
  device_.record(open_.event, stream_);
  batches_.push_back(std::exchange(open_, Batch{}));
  if (!spare_.empty()) {
    open_ = std::move(spare_.back());
    spare_.pop_back();
  }
}

void LaunchQueue::collect(std::vector<Batch>& passed) {
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
  const Entry* entry = find(failed->number);
  failure_ = Failure{*failed, entry == nullptr ? nullptr : entry->launched};
}

const LaunchQueue::Entry* LaunchQueue::find(uint64_t number) const {
  const auto in = [number](const Batch& batch) -> const Entry* {
    const auto at =
        std::find_if(batch.launches.begin(), batch.launches.end(), [&](const Entry& e) { return e.number == number; });
    return at == batch.launches.end() ? nullptr : &*at;
  };
  for (const Batch& batch : batches_) {
    if (const Entry* entry = in(batch)) return entry;
  }
  return in(open_);
}

void LaunchQueue::recycle(std::vector<Batch>& passed) {
  for (Batch& batch : passed) {
    batch.launches.clear();
    batch.kept.clear();
  }
  const std::lock_guard lock(mutex_);
  for (Batch& batch : passed) spare_.push_back(std::move(batch));
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
