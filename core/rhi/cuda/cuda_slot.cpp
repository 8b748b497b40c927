#include "core/rhi/cuda/cuda_slot.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <new>
#include <utility>

namespace qd::rhi::cuda {
namespace {

constexpr int64_t kLeastTemps = 4096;

}  // namespace

CudaSlot::CudaSlot(Context& context, DeviceMemory& memory, Staging& staging, CUstream stream)
    : context_(context), memory_(memory), staging_(staging), internal_(stream) {
  const Driver& driver = context_.driver();
  void* shared = nullptr;
  context_.check(driver.cuMemHostAlloc(&shared, sizeof(Shared), CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
                 "allocating pinned memory");
  try {
    shared_ = new (shared) Shared{};
    shared_->empty_prints.capacity = kPrintWords;
    CUdeviceptr record = 0;
    context_.check(driver.cuMemHostGetDevicePointer(&record, &shared_->failure, 0), "mapping pinned memory");
    state_ = memory_.take(sizeof(CudaState), internal_);
    context_.check(driver.cuMemsetD8Async(state_, 0, sizeof(CudaState), internal_), "preparing a stream");
    set_words(state_ + offsetof(CudaState, record), record, internal_, "preparing a stream");
    context_.check(driver.cuStreamSynchronize(internal_), "preparing a stream");
  } catch (...) {
    if (state_ != 0) memory_.give_back(state_, internal_);
    driver.cuMemFreeHost(shared);
    throw;
  }
  parameters_.launch().state = state_;
}

CudaSlot::~CudaSlot() {
  const CurrentToRelease current(context_);
  for (const CUdeviceptr memory : {state_, temps_, prints_}) {
    if (memory != 0) memory_.give_back(memory, internal_);
  }
  context_.driver().cuMemFreeHost(shared_);
}

void CudaSlot::grow_temps(int64_t size, CUstream stream) {
  if (temps_ != 0) memory_.give_back(std::exchange(temps_, 0), stream);
  temps_size_ = 0;
  const auto wanted = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max(size, kLeastTemps))));
  temps_ = memory_.take(wanted, stream);
  temps_size_ = wanted;
}

void CudaSlot::zero_temps(int64_t size, CUstream stream) {
  if (size == 0) return;
  context_.check(context_.driver().cuMemsetD8Async(temps_, 0, static_cast<size_t>(size), stream),
                 "zeroing temporaries");
}

void CudaSlot::need_prints(CUstream stream) {
  printed_.store(true, std::memory_order_relaxed);
  if (prints_ != 0) return;
  const Driver& driver = context_.driver();
  constexpr size_t kSize = sizeof(CudaPrints) + kPrintWords * sizeof(uint64_t);
  const CUdeviceptr made = memory_.take(kSize, stream);
  try {
    context_.check(driver.cuMemsetD8Async(made, 0, kSize, stream), "preparing to print");
    context_.check(driver.cuMemcpyHtoDAsync(made, &shared_->empty_prints, sizeof(CudaPrints), stream),
                   "preparing to print");
  } catch (...) {
    memory_.give_back(made, stream);
    throw;
  }
  prints_ = made;
}

void CudaSlot::begin_launch(CUstream stream, const QueuedLaunch& launch) {
  stream_ = stream;
  need_temps(launch.temps_size, stream);
}

void CudaSlot::set_parameters(const QueuedLaunch& launch) {
  parameters_.set(launch);
  parameters_.launch().temps = temps_;
}

void CudaSlot::open(CUstream stream, const QueuedLaunch& launch) {
  begin_launch(stream, launch);
  set_parameters(launch);
  // Which kernel it is, and so whether it relies on this, shows only later, perhaps on another stream.
  zero_temps(launch.temps_size, stream);
}

void CudaSlot::launch(CUstream stream, const LoadedTask& task) {
  const CudaGrid grid = parameters_.plan(task);
  if (grid.too_many) {
    fail_too_many(stream, task);
    return;
  }
  if (grid.blocks == 0) return;
  if (task.prints) need_prints(stream_);
  parameters_.launch().prints = prints_;
  void* parameter = parameters_.data(task);
  context_.check(context_.driver().cuLaunchKernel(
                     task.function, static_cast<unsigned>(grid.blocks), 1, 1, static_cast<unsigned>(grid.threads), 1, 1,
                     static_cast<unsigned>(grid.shared_bytes), stream, &parameter, nullptr),
                 "launching a kernel");
}

bool CudaSlot::launch_whole(CUstream stream, const QueuedLaunch& launch, const LoadedKernel& kernel,
                            const LaunchPlan& plan) {
  if (kernel.tasks.empty()) return true;
  begin_launch(stream, launch);
  const bool repeats = kernel.keeps_number() && kernel.prints.empty();
  const LaunchGraphs::Told told{.temps = temps_, .failures = failures_};
  LaunchGraph* graph = repeats ? graphs_.repeated(kernel.id(), launch, told) : nullptr;
  if (graph == nullptr) {
    set_parameters(launch);
    graph = graphs_.find(context_, kernel, plan, parameters_);
    if (graph == nullptr) return false;
    if (!kernel.prints.empty()) need_prints(stream);
    parameters_.launch().prints = prints_;
    if (!graph->update(parameters_, failures_)) return false;
    if (repeats) graphs_.settled(kernel.id(), launch, told);
  }
  if (kernel.zero_temps()) zero_temps(launch.temps_size, stream);
  graph->launch(stream);
  return true;
}

void CudaSlot::set_words(CUdeviceptr to, uint64_t value, CUstream stream, const char* doing) {
  const Driver& driver = context_.driver();
  context_.check(driver.cuMemsetD32Async(to, static_cast<unsigned>(value), 1, stream), doing);
  context_.check(driver.cuMemsetD32Async(to + 4, static_cast<unsigned>(value >> 32), 1, stream), doing);
}

// As a failing check in a task would, which stops the launch's later tasks.
void CudaSlot::fail_too_many(CUstream stream, const LoadedTask& task) {
  const uint64_t number = parameters_.launch().launch;
  set_words(state_ + offsetof(CudaState, ended), number + 1, stream);
  if (host_failed_.load(std::memory_order_relaxed)) return;
  host_failure_ = {.number = number, .check = kTooManyIterations, .values = {}};
  host_failure_.values[0] = static_cast<uint64_t>(int64_t{task.task->task.pos});
  host_failed_.store(true, std::memory_order_release);
}

bool CudaSlot::quiet() const {
  return !printed_.load(std::memory_order_relaxed) && !host_failed_.load(std::memory_order_relaxed) &&
         std::atomic_ref(shared_->failure.launch_plus_1).load(std::memory_order_acquire) == 0;
}

std::optional<FailedLaunch> CudaSlot::take_device_failure() {
  CudaFailure& record = shared_->failure;
  std::atomic_ref number(record.launch_plus_1);
  const uint64_t plus_1 = number.load(std::memory_order_acquire);
  if (plus_1 == 0) return std::nullopt;
  FailedLaunch failed{.number = plus_1 - 1, .check = record.check, .values = {}};
  std::copy(std::begin(record.values), std::end(record.values), failed.values.begin());
  number.store(0, std::memory_order_release);
  // Only what is queued from now on is noted again.
  ++failures_;
  set_words(state_ + offsetof(CudaState, claimed), 0, stream_);
  return failed;
}

std::optional<FailedLaunch> CudaSlot::take_failure() {
  if (printed_.load(std::memory_order_relaxed)) collect_prints();
  if (!host_failed_.load(std::memory_order_acquire)) return take_device_failure();
  // A task before, of this launch or another, may have failed first.
  context_.check(context_.driver().cuStreamSynchronize(stream_), "waiting for a stream");
  const uint64_t plus_1 = std::atomic_ref(shared_->failure.launch_plus_1).load(std::memory_order_acquire);
  const bool device_first = plus_1 != 0 && plus_1 - 1 <= host_failure_.number;
  if (!device_first || plus_1 - 1 == host_failure_.number) host_failed_.store(false, std::memory_order_relaxed);
  return device_first ? take_device_failure() : host_failure_;
}

void CudaSlot::collect_prints() {
  printed_.store(false, std::memory_order_relaxed);
  if (prints_ == 0) return;
  CudaPrints ring{};
  staging_.copy_out(stream_, &ring, prints_, sizeof ring);  // waits for the stream
  const uint64_t used = std::min<uint64_t>(ring.used, kPrintWords);
  if (used == 0) return;
  std::vector<uint64_t> words(used);
  staging_.copy_out(stream_, words.data(), prints_ + sizeof ring, used * sizeof(uint64_t));
  context_.check(context_.driver().cuMemsetD8Async(prints_ + sizeof ring, 0, used * sizeof(uint64_t), stream_),
                 "collecting what was printed");
  set_words(prints_ + offsetof(CudaPrints, used), 0, stream_);
  const HostServices* host = nullptr;
  for (uint64_t at = 0; at + 2 <= used && words[at] != 0;) {
    host = reinterpret_cast<const HostServices*>(words[at]);
    const auto site = static_cast<int32_t>(words[at + 1]);
    const uint64_t count = words[at + 1] >> 32;
    if (count > used - at - 2) break;
    host->print(host->context, site, &words[at + 2], static_cast<int32_t>(count));
    at += 2 + count;
  }
  if (ring.used > kPrintWords && host != nullptr) host->print(host->context, kLostLines, nullptr, 0);
}

}  // namespace qd::rhi::cuda
