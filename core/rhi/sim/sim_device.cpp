#include "core/rhi/sim/sim_device.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/ir/error.h"
#include "core/rhi/sim/sim_slot.h"

namespace qd::rhi {
namespace {

SimEvent* real(Event event) { return reinterpret_cast<SimEvent*>(event); }
SimSlot* real(Slot slot) { return reinterpret_cast<SimSlot*>(slot); }

}  // namespace

SimDevice::SimDevice(const SimOptions& options)
    : options_(options), scheduler_(options.seed), default_(scheduler_.add_stream()) {}

SimDevice::~SimDevice() = default;

DeviceInfo SimDevice::info() const {
  DeviceInfo info;
  info.name = "simulated device, seed " + std::to_string(options_.seed);
  info.memory_bytes = memory_.physical_bytes();
  info.queues = true;
  info.group_streams = options_.group_streams;
  return info;
}

LeakCounts SimDevice::leaks() const {
  const std::lock_guard lock(mutex_);
  return {memory_.live_allocations(), memory_.live_bytes(), streams_.load(), events_.load()};
}

SimDevice::Lock SimDevice::enter(const char* call) {
  Lock lock(mutex_);
  const int64_t number = calls_.fetch_add(1) + 1;
  if (options_.lose_call > 0 && number >= options_.lose_call) lost_ = true;
  if (lost_) {
    throw Error(Code::device_lost, "the simulated device was lost at call " + std::to_string(options_.lose_call) +
                                       "; open another runtime");
  }
  if (number >= options_.fail_call && number - options_.fail_call < options_.fail_calls && options_.fail_call > 0) {
    throw Error(Code::out_of_memory,
                "the simulated device fails call " + std::to_string(number) + ", " + std::string(call));
  }
  scheduler_.wander();
  return lock;
}

std::unique_ptr<CompiledKernel> SimDevice::compile(const KernelIR& kernel, const CompileOptions& options, int threads) {
  enter("compile").unlock();
  return compile_for_cpu(kernel, options, threads);
}

void* SimDevice::allocate(int64_t size) {
  const Lock lock = enter("allocate");
  return memory_.allocate(size);
}

void SimDevice::free(void* memory, int64_t size) {
  const std::lock_guard lock(mutex_);
  memory_.free(memory, size);
}

void SimDevice::require_allocated(const void* memory, int64_t size) const {
  const std::lock_guard lock(mutex_);
  memory_.require_allocated(memory, size);
}

void SimDevice::add_once(Stream stream, std::function<void()> work) {
  SimWork queued;
  queued.step = [work = std::move(work)](SimWork&) {
    work();
    return true;
  };
  add(stream, std::move(queued));
}

void SimDevice::finish(Stream stream) { scheduler_.run_until_empty(real(stream)); }

void SimDevice::copy_in(Stream stream, void* device, const void* host, int64_t size) {
  const StreamUse use(*this, stream);
  const Lock lock = enter("copy_in");
  if (size > 0) add_once(stream, [=] { std::memcpy(device, host, static_cast<size_t>(size)); });
  finish(stream);
}

void SimDevice::copy_out(Stream stream, void* host, const void* device, int64_t size) {
  const StreamUse use(*this, stream);
  const Lock lock = enter("copy_out");
  if (size > 0) add_once(stream, [=] { std::memcpy(host, device, static_cast<size_t>(size)); });
  finish(stream);
}

void SimDevice::fill(Stream stream, void* device, int64_t size, const void* pattern, int64_t pattern_size) {
  const StreamUse use(*this, stream);
  const Lock lock = enter("fill");
  add_once(stream, [=] {
    for (int64_t at = 0; at < size; at += pattern_size) {
      std::memcpy(static_cast<char*>(device) + at, pattern, static_cast<size_t>(pattern_size));
    }
  });
  finish(stream);
}

Stream SimDevice::create_stream() {
  const Lock lock = enter("create_stream");
  SimStream* stream = scheduler_.add_stream();
  streams_.fetch_add(1);
  return reinterpret_cast<Stream>(stream);
}

void SimDevice::destroy_stream(Stream stream) {
  if (stream == nullptr) return;
  const Lock lock(mutex_);
  if (!lost_) scheduler_.run_until_empty(real(stream));
  scheduler_.remove_stream(real(stream));
  streams_.fetch_sub(1);
}

void SimDevice::sync(Stream stream) {
  const Lock lock = enter("sync");
  finish(stream);
  memory_.check_freed();
}

Event SimDevice::create_event() {
  const Lock lock = enter("create_event");
  auto event = std::make_unique<SimEvent>();
  events_.fetch_add(1);
  return reinterpret_cast<Event>(event.release());
}

void SimDevice::destroy_event(Event event) {
  if (event == nullptr) return;
  const Lock lock(mutex_);
  const std::unique_ptr<SimEvent> owned(qd::rhi::real(event));
  events_.fetch_sub(1);
}

void SimDevice::record(Event event, Stream stream) {
  const Lock lock = enter("record");
  SimWork work;
  work.made = std::make_shared<SimPoint>();
  qd::rhi::real(event)->latest = work.made;
  add(stream, std::move(work));
}

void SimDevice::wait(Stream stream, Event event) {
  const Lock lock = enter("wait");
  SimWork work;
  work.awaited = qd::rhi::real(event)->latest;
  if (work.awaited != nullptr) add(stream, std::move(work));
}

void SimDevice::sync(Event event) {
  const Lock lock = enter("sync of an event");
  if (const std::shared_ptr<SimPoint> point = qd::rhi::real(event)->latest) scheduler_.run_until_reached(*point);
}

bool SimDevice::passed(Event event) {
  const Lock lock = enter("passed");
  const std::shared_ptr<SimPoint> point = qd::rhi::real(event)->latest;
  return point == nullptr || point->reached;
}

double SimDevice::elapsed_seconds(Event from, Event to) {
  const Lock lock = enter("elapsed_seconds");
  const std::shared_ptr<SimPoint> first = qd::rhi::real(from)->latest, last = qd::rhi::real(to)->latest;
  if (first == nullptr || last == nullptr) throw Error(Code::invalid, "the event was never recorded");
  scheduler_.run_until_reached(*first);
  scheduler_.run_until_reached(*last);
  return last->seconds - first->seconds;
}

void SimDevice::begin(Stream stream) {
  std::unique_lock lock(use_mutex_);
  unused_.wait(lock, [&] { return real(stream)->in_use == 0; });
  real(stream)->in_use = 1;
}

void SimDevice::end(Stream stream) {
  {
    const std::lock_guard lock(use_mutex_);
    real(stream)->in_use = 0;
  }
  unused_.notify_all();
}

Slot SimDevice::create_slot() {
  const Lock lock = enter("create_slot");
  auto slot = std::make_unique<SimSlot>();
  slots_.fetch_add(1);
  return reinterpret_cast<Slot>(slot.release());
}

void SimDevice::destroy_slot(Slot slot) {
  if (slot == nullptr) return;
  const Lock lock(mutex_);
  const std::unique_ptr<SimSlot> owned(qd::rhi::real(slot));
  slots_.fetch_sub(1);
}

void SimDevice::open_launch(Stream stream, Slot slot, const QueuedLaunch& launch) {
  const Lock lock = enter("open_launch");
  SimSlot& s = *qd::rhi::real(slot);
  add_once(stream, s.upload(launch));
}

void SimDevice::close_launch(Stream stream, Slot slot) {
  const Lock lock = enter("close_launch");
  add_once(stream, [s = qd::rhi::real(slot)] { s->collect(); });
}

void SimDevice::launch(Stream stream, const CompiledTask& task, void* slot) {
  const Lock lock = enter("launch");
  add(stream, qd::rhi::real(static_cast<Slot>(slot))->work(task, scheduler_));
}

std::optional<FailedLaunch> SimDevice::take_failure(Slot slot) {
  const Lock lock(mutex_);
  return std::exchange(qd::rhi::real(slot)->failure, std::nullopt);
}

std::unique_ptr<Device> make_sim_device(const SimOptions& options) { return std::make_unique<SimDevice>(options); }

}  // namespace qd::rhi
