#include "core/rhi/cpu/cpu_device.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include "core/ir/error.h"
#include "core/rhi/cpu/bulk.h"
#include "core/rhi/cpu/float_control.h"
#include "core/rhi/cpu/iteration_space.h"

namespace qd::rhi {
namespace {

constexpr int32_t kMostThreads = 1024;

// The cores this process may use, not those the machine has.
int32_t available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int32_t>(std::thread::hardware_concurrency()));
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  return "CPU";
}

int32_t resolve_threads(int32_t threads) {
  if (threads < 0) throw Error(Code::invalid, "the number of threads is negative");
  if (threads > kMostThreads) {
    throw Error(Code::invalid, std::to_string(threads) + " threads wanted, at most " + std::to_string(kMostThreads));
  }
  return threads == 0 ? std::min(available_cores(), kMostThreads) : threads;
}

// As a failing check in the task's code would. Streams run tasks later, so an exception would reach nobody.
void fail_too_many(const CompiledTask& task, void* block) {
  auto* header = static_cast<LaunchHeader*>(block);
  int32_t running = static_cast<int32_t>(LaunchState::running);
  if (!__atomic_compare_exchange_n(&header->state, &running, static_cast<int32_t>(LaunchState::claimed), false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return;
  }
  header->check = kTooManyIterations;
  header->values[0] = static_cast<uint64_t>(int64_t{task.task.pos});
  __atomic_store_n(&header->state, static_cast<int32_t>(LaunchState::failed), __ATOMIC_RELEASE);
}

}  // namespace

CpuDevice::CpuDevice(int32_t threads) : pool_(resolve_threads(threads)), name_(cpu_name()) {}

CpuDevice::~CpuDevice() = default;

DeviceInfo CpuDevice::info() const { return {name_, pool_.threads(), memory_.physical_bytes()}; }

LeakCounts CpuDevice::leaks() const {
  return {memory_.live_allocations(), memory_.live_bytes(), streams_.load(), events_.load()};
}

void* CpuDevice::allocate(int64_t size) { return memory_.allocate(size); }

void CpuDevice::free(void* memory, int64_t size) { memory_.free(memory, size); }

void CpuDevice::require_allocated(const void* memory, int64_t size) const { memory_.require_allocated(memory, size); }

void CpuDevice::run_and_wait(Stream stream, const std::function<void()>& work) {
  if (stream == nullptr) {
    const std::lock_guard lock(default_stream_);
    work();
  } else if (stream->queue == nullptr) {
    work();
  } else {
    stream->queue->add(work);
    stream->queue->sync();
  }
}

void CpuDevice::copy_in(Stream stream, void* device, const void* host, int64_t size) {
  run_and_wait(stream, [&] { bulk_copy(pool_, device, host, size); });
}

void CpuDevice::copy_out(Stream stream, void* host, const void* device, int64_t size) {
  run_and_wait(stream, [&] { bulk_copy(pool_, host, device, size); });
}

void CpuDevice::fill(Stream stream, void* device, int64_t size, const void* pattern, int64_t pattern_size) {
  run_and_wait(stream, [&] { bulk_fill(pool_, device, size, pattern, pattern_size); });
}

Stream CpuDevice::create_stream() {
  auto stream = std::make_unique<StreamObject>(std::make_unique<WorkQueue>());
  streams_.fetch_add(1);
  return stream.release();
}

void CpuDevice::destroy_stream(Stream stream) {
  if (stream == nullptr) return;
  const std::unique_ptr<StreamObject> owned(stream);
  streams_.fetch_sub(1);
}

void CpuDevice::sync(Stream stream) {
  if (stream == nullptr) {
    const std::lock_guard lock(default_stream_);
  } else if (stream->queue != nullptr) {
    stream->queue->sync();
  }
}

Event CpuDevice::create_event() {
  auto event = std::make_unique<EventObject>();
  events_.fetch_add(1);
  return event.release();
}

void CpuDevice::destroy_event(Event event) {
  if (event == nullptr) return;
  const std::unique_ptr<EventObject> owned(event);
  events_.fetch_sub(1);
}

void CpuDevice::record(Event event, Stream stream) {
  if (stream == nullptr) {
    const std::lock_guard lock(default_stream_);
    event->state->record_reached();
  } else if (stream->queue == nullptr) {
    event->state->record_reached();
  } else {
    event->state->record(
        [&](uint64_t record) { stream->queue->add([state = event->state, record] { state->reach(record); }); });
  }
}

void CpuDevice::wait(Stream stream, Event event) {
  const uint64_t record = event->state->latest();
  if (stream == nullptr) {
    const std::lock_guard lock(default_stream_);
    event->state->wait_for(record);
  } else if (stream->queue == nullptr) {
    event->state->wait_for(record);
  } else if (record > 0) {
    stream->queue->add([state = event->state, record] { state->wait_for(record); });
  }
}

void CpuDevice::sync(Event event) { event->state->wait_for(event->state->latest()); }

double CpuDevice::elapsed_seconds(Event from, Event to) {
  return std::chrono::duration<double>(to->state->time() - from->state->time()).count();
}

std::atomic<int64_t>* CpuDevice::remembered_cost(TaskFunction function) {
  const auto address = reinterpret_cast<uintptr_t>(function);
  return &remembered_[(address >> 4 ^ address >> 12) % kRemembered];
}

void CpuDevice::run_task(const CompiledTask& task, void* block) {
  const auto* header = static_cast<const LaunchHeader*>(block);
  if (__atomic_load_n(&header->state, __ATOMIC_RELAXED) != 0) return;
  const DefaultFloatControl control;
  if (task.task.type == TaskType::serial) {
    task.function(block, 0, 1);
    return;
  }
  const std::optional<int64_t> count = iteration_count(task, block);
  if (!count) {
    fail_too_many(task, block);
    return;
  }
  if (task.task.options.serialize) {
    if (*count > 0) task.function(block, 0, *count);
    return;
  }
  pool_.run({.function = task.function,
             .context = block,
             .count = *count,
             .cost = task.task.cost,
             .stop = &header->state,
             .remembered_cost = remembered_cost(task.function)});
}

void CpuDevice::launch(Stream stream, const CompiledTask& task, void* block) {
  if (stream == nullptr || stream->queue == nullptr) {
    run_task(task, block);
    return;
  }
  stream->queue->add([this, task, block] { run_task(task, block); });
}

void CpuDevice::enqueue(Stream stream, std::unique_ptr<HostWork> work) {
  stream->queue->wait_for_room();
  stream->queue->add(std::move(work));
}

void CpuDevice::keep(Stream stream, std::shared_ptr<const void> kept) {
  if (stream == nullptr) {
    const std::lock_guard lock(default_stream_);
    kept.reset();
  } else if (stream->queue != nullptr && !stream->queue->idle()) {
    stream->queue->add([kept = std::move(kept)] {});
  }
}

void CpuDevice::begin(Stream stream) {
  if (stream == nullptr) default_stream_.lock();
}

void CpuDevice::end(Stream stream) {
  if (stream == nullptr) default_stream_.unlock();
}

bool CpuDevice::run_together(Stream stream, int32_t count, void (*chain)(void*, int32_t), void* context) {
  if (stream != nullptr && stream->queue != nullptr) return false;
  struct Chains {
    void (*chain)(void*, int32_t);
    void* context;
  } chains{chain, context};
  const auto run = [](void* opaque, int64_t begin, int64_t end) {
    const auto* c = static_cast<const Chains*>(opaque);
    for (int64_t i = begin; i < end; ++i) c->chain(c->context, static_cast<int32_t>(i));
  };
  pool_.run({.function = run, .context = &chains, .count = count, .always_parallel = true});
  return true;
}

std::unique_ptr<Device> make_cpu_device(const CpuOptions& options) {
  return std::make_unique<CpuDevice>(options.threads);
}

}  // namespace qd::rhi
