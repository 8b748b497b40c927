#include "core/rhi/cuda/cuda_device.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/ir/error.h"
#include "core/rhi/cuda/fill.h"
#include "core/rhi/cuda/load_driver.h"
#include "core/rhi/cuda/loaded_kernel.h"

namespace qd::rhi {

using cuda::Current;
using cuda::CurrentToRelease;

namespace {

// How many groups a GPU runs side by side before further streams gain nothing.
constexpr int32_t kGroupStreams = 32;

cuda::CudaEvent& object(Event event) { return *reinterpret_cast<cuda::CudaEvent*>(event); }
cuda::CudaSlot& object(Slot slot) { return *reinterpret_cast<cuda::CudaSlot*>(slot); }
cuda::CUdeviceptr address(const void* memory) { return reinterpret_cast<uintptr_t>(memory); }

}  // namespace

int32_t cuda_ordinal(const CudaOptions& options) {
  if (options.device >= 0) return options.device;
  const char* text = std::getenv("QD_CUDA_DEVICE");
  if (text == nullptr || *text == '\0') return 0;
  int32_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc() || stop != end || value < 0) {
    throw Error(Code::invalid, "QD_CUDA_DEVICE is \"" + std::string(text) + "\", not the number of a GPU");
  }
  return value;
}

CudaDevice::Parts::Parts(cuda::Context& context)
    : internal(context), fallback(context), memory(context, internal.handle()), staging(context), modules(context) {}

CudaDevice::CudaDevice(const cuda::Driver& driver, int32_t ordinal) : context_(driver, ordinal) {
  const Current current(context_);
  parts_.emplace(context_);
}

CudaDevice::~CudaDevice() {
  const CurrentToRelease current(context_);
  parts_.reset();
}

DeviceInfo CudaDevice::info() const {
  return {.name = context_.name(),
          .workers = context_.multiprocessors(),
          .memory_bytes = context_.memory_bytes(),
          .queues = true,
          .math = math(),
          .group_streams = kGroupStreams};
}

LeakCounts CudaDevice::leaks() const {
  return {parts_->memory.live_allocations(), parts_->memory.live_bytes(), streams_.load(), events_.load()};
}

cuda::CudaStream& CudaDevice::object(Stream stream) const {
  return stream == nullptr ? const_cast<cuda::CudaStream&>(parts_->fallback)
                           : *reinterpret_cast<cuda::CudaStream*>(stream);
}

const cuda::DeviceMath& CudaDevice::find_math() {
  const std::lock_guard lock(math_mutex_);
  if (!math_) math_ = cuda::find_device_math([](const char* name) -> const char* { return std::getenv(name); });
  return *math_;
}

std::string CudaDevice::math() const {
  const std::lock_guard lock(math_mutex_);
  if (!math_) return "";
  switch (math_->kind) {
    case cuda::DeviceMath::libdevice:
      return "libdevice " + math_->path;
    case cuda::DeviceMath::libclc:
      return "libclc " + math_->path;
    case cuda::DeviceMath::none:
      break;
  }
  return "none";
}

std::unique_ptr<CompiledKernel> CudaDevice::compile(const KernelIR& kernel, const CompileOptions& options, int) {
  context_.require_alive();
  const cuda::DeviceMath& math = find_math();
  const auto bitcode = [&](cuda::DeviceMath::Kind kind) {
    return math.kind == kind ? std::string_view(math.bitcode) : std::string_view();
  };
  const CudaTarget target{.sm = context_.compute_capability(),
                          .driver_ptx = cuda::newest_ptx(context_.driver_version()),
                          .libdevice = bitcode(cuda::DeviceMath::libdevice),
                          .libclc = bitcode(cuda::DeviceMath::libclc)};
  return load(compile_for_cuda(kernel, options, target), kernel.name);
}

std::unique_ptr<CompiledKernel> CudaDevice::load(std::unique_ptr<CudaModule> code, const std::string& name) {
  const Current current(context_);
  return std::make_unique<cuda::LoadedKernel>(context_, parts_->modules, std::move(code), name);
}

void* CudaDevice::allocate(int64_t size) { return parts_->memory.allocate(size); }

void CudaDevice::free(void* memory, int64_t size) { parts_->memory.free(memory, size); }

void CudaDevice::require_allocated(const void* memory, int64_t size) const {
  parts_->memory.require_allocated(memory, size);
}

void CudaDevice::copy_in(Stream stream, void* device, const void* host, int64_t size) {
  cuda::CudaStream& on = object(stream);
  const std::lock_guard lock(on.mutex());
  const Current current(context_);
  parts_->staging.copy_in(on.handle(), address(device), host, static_cast<size_t>(size));
}

void CudaDevice::copy_out(Stream stream, void* host, const void* device, int64_t size) {
  cuda::CudaStream& on = object(stream);
  const std::lock_guard lock(on.mutex());
  const Current current(context_);
  parts_->staging.copy_out(on.handle(), host, address(device), static_cast<size_t>(size));
}

void CudaDevice::fill(Stream stream, void* device, int64_t size, const void* pattern, int64_t pattern_size) {
  cuda::CudaStream& on = object(stream);
  const std::lock_guard lock(on.mutex());
  const Current current(context_);
  cuda::fill(context_, parts_->staging, on.handle(), address(device), static_cast<size_t>(size), pattern,
             static_cast<size_t>(pattern_size));
  context_.check(context_.driver().cuStreamSynchronize(on.handle()), "filling memory");
}

Stream CudaDevice::add_stream(std::unique_ptr<cuda::CudaStream> stream) {
  streams_.fetch_add(1);
  return reinterpret_cast<Stream>(stream.release());
}

Stream CudaDevice::create_stream() {
  const Current current(context_);
  return add_stream(std::make_unique<cuda::CudaStream>(context_));
}

Stream CudaDevice::wrap_stream(uint64_t handle) {
  const Current current(context_);
  return add_stream(std::make_unique<cuda::CudaStream>(context_, handle));
}

void CudaDevice::destroy_stream(Stream stream) {
  if (stream == nullptr) return;
  const std::unique_ptr<cuda::CudaStream> owned(&object(stream));
  streams_.fetch_sub(1);
}

void CudaDevice::sync(Stream stream) {
  const Current current(context_);
  context_.check(context_.driver().cuStreamSynchronize(object(stream).handle()), "waiting for a stream");
}

Event CudaDevice::add_event(unsigned flags) {
  const Current current(context_);
  auto event = std::make_unique<cuda::CudaEvent>(context_, flags);
  events_.fetch_add(1);
  return reinterpret_cast<Event>(event.release());
}

Event CudaDevice::create_event() { return add_event(cuda::CU_EVENT_DEFAULT); }

Event CudaDevice::create_mark() { return add_event(cuda::CU_EVENT_DISABLE_TIMING); }

void CudaDevice::destroy_event(Event event) {
  if (event == nullptr) return;
  const std::unique_ptr<cuda::CudaEvent> owned(&rhi::object(event));
  events_.fetch_sub(1);
}

void CudaDevice::record(Event event, Stream stream) {
  cuda::CudaStream& on = object(stream);
  const std::lock_guard lock(on.mutex());
  const Current current(context_);
  rhi::object(event).record(on.handle());
}

void CudaDevice::wait(Stream stream, Event event) {
  const cuda::CudaEvent& awaited = rhi::object(event);
  if (!awaited.recorded()) return;
  cuda::CudaStream& on = object(stream);
  const std::lock_guard lock(on.mutex());
  const Current current(context_);
  context_.check(context_.driver().cuStreamWaitEvent(on.handle(), awaited.handle(), 0), "waiting for an event");
}

void CudaDevice::sync(Event event) {
  const cuda::CudaEvent& awaited = rhi::object(event);
  if (!awaited.recorded()) return;
  const Current current(context_);
  context_.check(context_.driver().cuEventSynchronize(awaited.handle()), "waiting for an event");
}

bool CudaDevice::passed(Event event) {
  const cuda::CudaEvent& asked = rhi::object(event);
  if (!asked.recorded()) return true;
  const Current current(context_);
  return context_.check_ready(context_.driver().cuEventQuery(asked.handle()), "looking at an event");
}

double CudaDevice::elapsed_seconds(Event from, Event to) {
  for (const Event event : {from, to}) {
    if (!rhi::object(event).recorded()) throw Error(Code::invalid, "the event was never recorded");
    sync(event);
  }
  const Current current(context_);
  float milliseconds = 0;
  context_.check(
      context_.driver().cuEventElapsedTime(&milliseconds, rhi::object(from).handle(), rhi::object(to).handle()),
      "timing between events");
  return static_cast<double>(milliseconds) / 1e3;
}

void CudaDevice::begin(Stream stream) { object(stream).mutex().lock(); }

void CudaDevice::end(Stream stream) { object(stream).mutex().unlock(); }

Slot CudaDevice::create_slot() {
  const Current current(context_);
  auto slot = std::make_unique<cuda::CudaSlot>(context_, parts_->memory, parts_->staging, parts_->internal.handle());
  return reinterpret_cast<Slot>(slot.release());
}

void CudaDevice::destroy_slot(Slot slot) {
  if (slot == nullptr) return;
  const std::unique_ptr<cuda::CudaSlot> owned(&rhi::object(slot));
}

void CudaDevice::open_launch(Stream stream, Slot slot, const QueuedLaunch& launch) {
  const Current current(context_);
  rhi::object(slot).open(object(stream).handle(), launch);
}

void CudaDevice::launch(Stream stream, const CompiledTask& task, void* slot) {
  const Current current(context_);
  rhi::object(static_cast<Slot>(slot)).launch(object(stream).handle(), cuda::loaded_task(task));
}

bool CudaDevice::launch_whole(Stream stream, Slot slot, const QueuedLaunch& launch, const CompiledKernel& kernel,
                              const LaunchPlan& plan) {
  const Current current(context_);
  return rhi::object(slot).launch_whole(object(stream).handle(), launch, static_cast<const cuda::LoadedKernel&>(kernel),
                                        plan);
}

std::optional<FailedLaunch> CudaDevice::take_failure(Slot slot) {
  cuda::CudaSlot& asked = rhi::object(slot);
  if (asked.quiet()) return std::nullopt;
  const Current current(context_);
  return asked.take_failure();
}

std::unique_ptr<Device> make_cuda_device(const CudaOptions& options) {
  const int32_t ordinal = cuda_ordinal(options);
  return std::make_unique<CudaDevice>(cuda::system_driver(), ordinal);
}

}  // namespace qd::rhi
