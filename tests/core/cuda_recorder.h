// A driver table for tests of the CUDA device: it notes the calls, does what is queued no earlier than somebody waits
// for it, fails the call that a test chooses, and knows what was not given back. Memory is the host's. It shows that
// the device makes the right calls in the right order, not what a GPU makes of them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/rhi/cuda/context.h"
#include "core/rhi/cuda/driver.h"

namespace qd::rhi::cuda {

class Recorder {
 public:
  struct Run {  // of a task, when its turn came
    std::string entry;
    CUfunction function = nullptr;
    unsigned blocks = 0, threads = 0, shared = 0;
    std::vector<char> parameter;
  };

  Recorder() { active() = this; }
  ~Recorder() {
    for (void* memory : freed_) std::free(memory);
    active() = nullptr;
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Its functions may be called from any thread.
  static const Driver& table() {
    static const Driver driver = lock_all(std::make_index_sequence<std::tuple_size_v<decltype(kDriverEntries)>>());
    return driver;
  }

  // What the machine is like.
  int devices = 1, version = 12040, memory_pools = 1, multiprocessors = 4, blocks_each = 2;
  size_t total_memory = size_t{1} << 30;
  std::string error_log;                   // of a module that fails
  std::function<void(const Run&)> on_run;  // a task's effects
  std::map<std::string, CUresult> always;  // by function: it fails with this
  int fail_call = 0;                       // the number of the call that fails; see may_fail
  CUresult fail_with = CUDA_ERROR_OUT_OF_MEMORY;
  CUresult stream_result = CUDA_SUCCESS;  // of everything, once a task has run

  // What happened.
  std::vector<std::string> calls;  // names, some with what matters of their arguments
  std::vector<Run> runs;
  std::vector<std::string> faults;  // of the device: calls without its context, on no stream, with dead handles
  std::string ptx;                  // of the latest module
  int counted = 0;                  // calls that may fail

  int count(const std::string& prefix) const {
    return static_cast<int>(std::count_if(calls.begin(), calls.end(), [&](auto& c) { return c.starts_with(prefix); }));
  }
  std::string not_given_back() const {
    std::string text;
    for (const auto& [what, number] : live_) {
      if (number != 0) text += what + " " + std::to_string(number) + " ";
    }
    return text;
  }
  int live(const std::string& what) { return live_[what]; }
  CUcontext primary() const { return reinterpret_cast<CUcontext>(0x1000); }
  CUcontext other() const { return reinterpret_cast<CUcontext>(0x2000); }
  static CUcontext& current() {
    static thread_local CUcontext context = nullptr;
    return context;
  }
  // A stream that the device did not make.
  uint64_t foreign_stream(CUcontext context) {
    auto* stream = new Queue;
    stream->context = context;
    streams_.insert(stream);
    foreign_.emplace_back(stream);
    return reinterpret_cast<uintptr_t>(stream);
  }
  bool alive(uint64_t stream) const { return streams_.contains(reinterpret_cast<Queue*>(stream)); }

 private:
  struct Queue {
    std::deque<std::function<void()>> work;
    CUcontext context = nullptr;
  };
  struct Mark {
    uint64_t recorded = 0, reached = 0;
    Queue* stream = nullptr;
  };
  struct Marker {
    std::shared_ptr<Mark> mark = std::make_shared<Mark>();
  };
  struct Function {
    std::string entry;
    size_t parameter_size = 0;
  };
  struct Code {
    std::string ptx;
    std::deque<Function> functions;
  };
  struct Node {
    Run run;
    bool enabled = true;
  };
  struct Graph {
    std::deque<Node> nodes;
  };
  struct Exec {
    std::map<const Node*, Node> nodes;  // a deque's elements, in order of their making
    std::vector<const Node*> order;
  };

  static Recorder*& active() {
    static Recorder* recorder = nullptr;
    return recorder;
  }

  enum Kind { may_fail, never_fails };
  // Notes the call; the result it is to fail with.
  CUresult enter(const std::string& call, Kind kind = may_fail, bool needs_context = true) {
    calls.push_back(call);
    if (needs_context && current() != primary()) faults.push_back(call + " without the context");
    const std::string name = call.substr(0, call.find(' '));
    if (const auto at = always.find(name); at != always.end()) return at->second;
    if (kind == never_fails || ++counted != fail_call) return CUDA_SUCCESS;
    if (loses_context(fail_with)) {
      for (Queue* stream : streams_) stream->work.clear();
    }
    return fail_with;
  }
  Queue* queue(CUstream stream, const char* call) {
    if (reinterpret_cast<uintptr_t>(stream) == CU_STREAM_LEGACY) return &legacy_;
    auto* found = reinterpret_cast<Queue*>(stream);
    if (!streams_.contains(found)) {
      faults.push_back(std::string(call) + " on no stream of the device");
      return nullptr;
    }
    return found;
  }
  CUresult add(CUstream stream, const char* call, std::function<void()> work) {
    if (Queue* to = queue(stream, call)) to->work.push_back(std::move(work));
    return stream_result;
  }
  static void step(Queue* stream) {
    auto work = std::move(stream->work.front());
    stream->work.pop_front();
    work();
  }
  static void run_until(const std::shared_ptr<Mark>& mark, uint64_t record) {
    while (mark->reached < record && !mark->stream->work.empty()) step(mark->stream);
  }
  void run(const Run& run) {
    runs.push_back(run);
    if (on_run) on_run(run);
  }
  Run make_run(CUfunction function, unsigned blocks, unsigned threads, unsigned shared, void** parameters) const {
    const auto* from = static_cast<const char*>(parameters[0]);
    const auto* of = reinterpret_cast<Function*>(function);
    return {of->entry, function, blocks, threads, shared, {from, from + of->parameter_size}};
  }
  static std::string names(const Graph& graph, const CUgraphNode* nodes, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      for (size_t n = 0; n < graph.nodes.size(); ++n) {
        if (reinterpret_cast<CUgraphNode>(const_cast<Node*>(&graph.nodes[n])) == nodes[i]) {
          text += (text.empty() ? "" : ",") + std::to_string(n);
        }
      }
    }
    return text;
  }

  static const Driver& unlocked() {
    static const Driver driver = make();
    return driver;
  }
  template <auto Member, class... Arguments>
  static CUresult locked(Arguments... arguments) {
    const std::lock_guard lock(one_mutex());
    return (unlocked().*Member)(arguments...);
  }
  static std::recursive_mutex& one_mutex() {
    static std::recursive_mutex mutex;
    return mutex;
  }
  template <auto Member, class... Arguments>
  static void lock_one(Driver& driver, CUresult (*Driver::*)(Arguments...)) {
    driver.*Member = &locked<Member, Arguments...>;
  }
  template <size_t... Index>
  static Driver lock_all(std::index_sequence<Index...>) {
    Driver driver{};
    (lock_one<std::get<Index>(kDriverEntries).member>(driver, std::get<Index>(kDriverEntries).member), ...);
    return driver;
  }

  static Driver make();
  static void make_devices(Driver& d);
  static void make_memory(Driver& d);
  static void make_streams(Driver& d);
  static void make_kernels(Driver& d);
  static void make_graphs(Driver& d);

  std::map<std::string, int> live_;
  std::set<Queue*> streams_;
  std::set<Exec*> execs_;
  Queue legacy_;
  std::vector<std::unique_ptr<Queue>> foreign_;
  std::map<CUdeviceptr, size_t> memory_;
  std::vector<void*> freed_;  // not used again, so that a use after free shows
};

inline void Recorder::make_devices(Driver& d) {
  d.cuInit = [](unsigned) { return active()->enter("cuInit", may_fail, false); };
  d.cuDriverGetVersion = [](int* version) {
    *version = active() == nullptr ? 12000 : active()->version;
    return active() == nullptr ? CUDA_SUCCESS : active()->enter("cuDriverGetVersion", may_fail, false);
  };
  d.cuGetErrorName = [](CUresult result, const char** name) {
    *name = result == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OF_A_TEST";
    return CUresult{CUDA_SUCCESS};
  };
  d.cuGetErrorString = [](CUresult, const char** text) {
    *text = "as a test wants it";
    return CUresult{CUDA_SUCCESS};
  };
  d.cuDeviceGetCount = [](int* count) {
    *count = active()->devices;
    return active()->enter("cuDeviceGetCount", may_fail, false);
  };
  d.cuDeviceGet = [](CUdevice* device, int ordinal) {
    *device = ordinal;
    return active()->enter("cuDeviceGet", may_fail, false);
  };
  d.cuDeviceGetName = [](char* name, int size, CUdevice) {
    std::strncpy(name, "A GPU of tests", static_cast<size_t>(size));
    return active()->enter("cuDeviceGetName", may_fail, false);
  };
  d.cuDeviceTotalMem = [](size_t* bytes, CUdevice) {
    *bytes = active()->total_memory;
    return active()->enter("cuDeviceTotalMem", may_fail, false);
  };
  d.cuDeviceGetAttribute = [](int* value, CUdevice_attribute attribute, CUdevice) {
    const std::map<int, int> values{{CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, active()->multiprocessors},
                                    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
                                    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
                                    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
                                    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, active()->memory_pools}};
    *value = values.at(attribute);
    return active()->enter("cuDeviceGetAttribute", may_fail, false);
  };
  d.cuDevicePrimaryCtxRetain = [](CUcontext* context, CUdevice) {
    const CUresult result = active()->enter("cuDevicePrimaryCtxRetain", may_fail, false);
    if (result == CUDA_SUCCESS) *context = active()->primary(), ++active()->live_["contexts"];
    return result;
  };
  d.cuDevicePrimaryCtxRelease = [](CUdevice) {
    --active()->live_["contexts"];
    return active()->enter("cuDevicePrimaryCtxRelease", never_fails, false);
  };
  d.cuCtxGetCurrent = [](CUcontext* context) {
    *context = current();
    return CUresult{CUDA_SUCCESS};
  };
  d.cuCtxSetCurrent = [](CUcontext context) {
    current() = context;
    return active()->enter("cuCtxSetCurrent", never_fails, false);
  };
}

inline void Recorder::make_memory(Driver& d) {
  d.cuMemGetInfo = [](size_t* free, size_t* total) {
    *total = active()->total_memory;
    *free = *total / 2;
    return active()->enter("cuMemGetInfo");
  };
  d.cuMemPoolCreate = [](CUmemoryPool* pool, const CUmemPoolProps*) {
    const CUresult result = active()->enter("cuMemPoolCreate");
    if (result == CUDA_SUCCESS) *pool = reinterpret_cast<CUmemoryPool>(0x3000), ++active()->live_["pools"];
    return result;
  };
  d.cuMemPoolDestroy = [](CUmemoryPool) {
    --active()->live_["pools"];
    return active()->enter("cuMemPoolDestroy", never_fails);
  };
  d.cuMemPoolSetAttribute = [](CUmemoryPool, CUmemPool_attribute, void* value) {
    return active()->enter("cuMemPoolSetAttribute " + std::to_string(*static_cast<uint64_t*>(value)));
  };
  d.cuMemPoolTrimTo = [](CUmemoryPool, size_t) { return active()->enter("cuMemPoolTrimTo"); };
  d.cuMemAllocFromPoolAsync = [](CUdeviceptr* memory, size_t size, CUmemoryPool, CUstream stream) {
    const CUresult result = active()->enter("cuMemAllocFromPoolAsync");
    if (result != CUDA_SUCCESS) return result;
    active()->queue(stream, "cuMemAllocFromPoolAsync");
    void* made = std::aligned_alloc(512, (size + 511) / 512 * 512);
    std::memset(made, 0xcd, size);
    *memory = reinterpret_cast<uintptr_t>(made);
    active()->memory_[*memory] = size;
    ++active()->live_["memory"];
    return result;
  };
  d.cuMemFreeAsync = [](CUdeviceptr memory, CUstream stream) {
    active()->enter("cuMemFreeAsync", never_fails);
    const auto at = active()->memory_.find(memory);
    if (at == active()->memory_.end()) {
      active()->faults.emplace_back("freed twice");
      return CUresult{CUDA_ERROR_INVALID_VALUE};
    }
    const size_t size = at->second;
    active()->memory_.erase(at);
    --active()->live_["memory"];
    auto* freed = reinterpret_cast<void*>(memory);
    if (active()->queue(stream, "cuMemFreeAsync") == nullptr) return CUresult{CUDA_ERROR_INVALID_HANDLE};
    active()->freed_.push_back(freed);
    return active()->add(stream, "cuMemFreeAsync", [freed, size] { std::memset(freed, 0xdd, size); });
  };
  d.cuMemHostAlloc = [](void** memory, size_t size, unsigned flags) {
    const CUresult result = active()->enter("cuMemHostAlloc flags=" + std::to_string(flags));
    if (result == CUDA_SUCCESS) *memory = std::calloc(1, size), ++active()->live_["host memory"];
    return result;
  };
  d.cuMemFreeHost = [](void* memory) {
    std::free(memory);
    --active()->live_["host memory"];
    return active()->enter("cuMemFreeHost", never_fails);
  };
  d.cuMemHostGetDevicePointer = [](CUdeviceptr* device, void* host, unsigned) {
    *device = reinterpret_cast<uintptr_t>(host);
    return active()->enter("cuMemHostGetDevicePointer");
  };
  d.cuMemcpyHtoDAsync = [](CUdeviceptr to, const void* from, size_t size, CUstream stream) {
    const CUresult result = active()->enter("cuMemcpyHtoDAsync");
    if (result != CUDA_SUCCESS) return result;
    return active()->add(stream, "cuMemcpyHtoDAsync", [=] { std::memcpy(reinterpret_cast<void*>(to), from, size); });
  };
  d.cuMemcpyDtoHAsync = [](void* to, CUdeviceptr from, size_t size, CUstream stream) {
    const CUresult result = active()->enter("cuMemcpyDtoHAsync");
    if (result != CUDA_SUCCESS) return result;
    return active()->add(stream, "cuMemcpyDtoHAsync",
                         [=] { std::memcpy(to, reinterpret_cast<const void*>(from), size); });
  };
  d.cuMemcpyDtoDAsync = [](CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
    const CUresult result = active()->enter("cuMemcpyDtoDAsync");
    if (result != CUDA_SUCCESS) return result;
    if (from < to + size && to < from + size) active()->faults.emplace_back("a copy onto itself");
    return active()->add(stream, "cuMemcpyDtoDAsync",
                         [=] { std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), size); });
  };
  d.cuMemsetD8Async = [](CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
    const CUresult result = active()->enter("cuMemsetD8Async");
    if (result != CUDA_SUCCESS) return result;
    return active()->add(stream, "cuMemsetD8Async", [=] { std::memset(reinterpret_cast<void*>(to), value, count); });
  };
  d.cuMemsetD16Async = [](CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
    const CUresult result = active()->enter("cuMemsetD16Async");
    if (result != CUDA_SUCCESS) return result;
    if (to % 2 != 0) active()->faults.emplace_back("cuMemsetD16Async is not aligned");
    return active()->add(stream, "cuMemsetD16Async",
                         [=] { std::fill_n(reinterpret_cast<unsigned short*>(to), count, value); });
  };
  d.cuMemsetD32Async = [](CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
    const CUresult result = active()->enter("cuMemsetD32Async");
    if (result != CUDA_SUCCESS) return result;
    if (to % 4 != 0) active()->faults.emplace_back("cuMemsetD32Async is not aligned");
    return active()->add(stream, "cuMemsetD32Async",
                         [=] { std::fill_n(reinterpret_cast<unsigned*>(to), count, value); });
  };
}

inline Driver Recorder::make() {
  Driver driver{};
  make_devices(driver);
  make_memory(driver);
  make_streams(driver);
  make_kernels(driver);
  make_graphs(driver);
  return driver;
}

}  // namespace qd::rhi::cuda

#include "tests/core/cuda_recorder_calls.h"
