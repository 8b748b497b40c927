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
#include "core/rhi/cpu/region.h"
#include "core/rhi/cpu/traced_task.h"

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

}  // namespace

CpuDevice::CpuDevice(int32_t threads) : pool_(resolve_threads(threads)), name_(cpu_name()) {}

CpuDevice::~CpuDevice() = default;

DeviceInfo CpuDevice::info() const {
  DeviceInfo info;
  info.name = name_;
  info.workers = pool_.threads();
  info.memory_bytes = memory_.physical_bytes();
  return info;
}

LeakCounts CpuDevice::leaks() const {
  return {memory_.live_allocations(), memory_.live_bytes(), streams_.load(), events_.load()};
}

std::unique_ptr<CompiledKernel> CpuDevice::compile(const KernelIR& kernel, const CompileOptions& options, int threads) {
  return compile_for_cpu(kernel, options, threads);
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
  const int32_t number = streams_made_.fetch_add(1) + 1;
  auto stream = std::make_unique<StreamObject>(std::make_unique<WorkQueue>(number), number);
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
  std::unique_lock lock(default_stream_, std::defer_lock);
  if (stream == nullptr) lock.lock();
  event->record([&](const std::shared_ptr<EventPoint>& point) {
    if (stream == nullptr || stream->queue == nullptr) {
      point->reach();
    } else {
      stream->queue->add([point] { point->reach(); });
    }
  });
}

void CpuDevice::wait(Stream stream, Event event) {
  const std::shared_ptr<EventPoint> point = event->latest();
  if (point == nullptr) return;
  if (stream == nullptr) {
    const std::lock_guard lock(default_stream_);
    point->wait();
  } else if (stream->queue == nullptr) {
    point->wait();
  } else {
    stream->queue->add([point] { point->wait(); });
  }
}

void CpuDevice::sync(Event event) {
  if (const std::shared_ptr<EventPoint> point = event->latest()) point->wait();
}

bool CpuDevice::passed(Event event) {
  const std::shared_ptr<EventPoint> point = event->latest();
  return point == nullptr || point->reached();
}

double CpuDevice::elapsed_seconds(Event from, Event to) {
  const std::shared_ptr<EventPoint> first = from->latest(), last = to->latest();
  if (first == nullptr || last == nullptr) throw Error(Code::invalid, "the event was never recorded");
  return std::chrono::duration<double>(last->time() - first->time()).count();
}

std::atomic<int64_t>* CpuDevice::remembered_cost(TaskFunction function) {
  const auto address = reinterpret_cast<uintptr_t>(function);
  Remembered& remembered = remembered_[(address >> 4 ^ address >> 12) % kRemembered];
  if (remembered.task.load(std::memory_order_relaxed) != function) {
    remembered.cost.store(0, std::memory_order_relaxed);
    remembered.task.store(function, std::memory_order_relaxed);
  }
  return &remembered.cost;
}

std::optional<int64_t> CpuDevice::expected_cost(const CompiledTask& task, void* block) {
  if (task.task.type == TaskType::serial) return std::nullopt;
  const std::optional<int64_t> count = iteration_count(task, block);
  if (!count || *count == 0) return count;
  // The pool measures all loops that it does not share out, except for those of one iteration.
  const int64_t remembered = remembered_cost(task.function)->load(std::memory_order_relaxed);
  if (remembered == 0 || *count == 1 || task.task.options.serialize) return std::nullopt;
  return total_cost(*count, std::max(remembered, task.task.cost));
}

void CpuDevice::run_task(int32_t stream, const CompiledTask& task, void* block) {
  const auto* header = static_cast<const LaunchHeader*>(block);
  if (__atomic_load_n(&header->state, __ATOMIC_RELAXED) != 0) return;
  const DefaultFloatControl control;
  if (!trace_.on()) {
    run_iterations(stream, task, block, task.function, block);
    return;
  }
  TracedTask traced(pool_, task.function, block);
  run_iterations(stream, task, block, TracedTask::run, &traced);
  traced.report(trace_, task, stream);
}

void CpuDevice::run_iterations(int32_t stream, const CompiledTask& task, void* block, TaskFunction function,
                               void* context) {
  const auto* header = static_cast<const LaunchHeader*>(block);
  if (task.task.type == TaskType::serial) {
    function(context, 0, 1);
    return;
  }
  const std::optional<int64_t> count = iteration_count(task, block);
  if (!count) {
    fail_too_many(task, block);
    return;
  }
  if (task.task.options.serialize) {
    if (*count > 0) function(context, 0, *count);
    return;
  }
  pool_.run({.function = function,
             .context = context,
             .count = *count,
             .cost = task.task.cost,
             .stop = &header->state,
             .stream = stream,
             .remembered_cost = remembered_cost(task.function)});
}

void CpuDevice::launch(Stream stream, const CompiledTask& task, void* block) {
  const int32_t number = stream == nullptr ? 0 : stream->number;
  if (stream == nullptr || stream->queue == nullptr) {
    Region* region = stream == nullptr ? default_region_ : stream->region;
    if (region != nullptr) region->before_task(expected_cost(task, block));
    run_task(number, task, block);
    return;
  }
  stream->queue->add([this, number, task, block] { run_task(number, task, block); });
}

void CpuDevice::start_trace(int64_t most_spans) { trace_.start(most_spans); }

TraceRecord CpuDevice::stop_trace() { return trace_.stop(); }

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
  Region*& of_stream = stream == nullptr ? default_region_ : stream->region;
  Region(pool_, stream == nullptr ? 0 : stream->number, of_stream).run(count, chain, context);
  return true;
}

std::unique_ptr<Device> make_cpu_device(const CpuOptions& options) {
  return std::make_unique<CpuDevice>(options.threads);
}

}  // namespace qd::rhi
