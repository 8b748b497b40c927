// What the tests of launches on the CUDA device share: kernels that a recorder runs, and launches of them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/rhi/cuda/cuda_device.h"
#include "tests/core/cuda_recorder.h"

namespace qd::rhi::cuda {

using Names = std::vector<std::string>;

struct Arguments {
  int64_t n = 0, more = 0;
};

inline CudaTask serial(const std::string& name) {
  CudaTask task;
  task.entry = name;
  task.task.name = name;
  task.task.type = TaskType::serial;
  return task;
}

// Over 0 … n of its arguments, along each of its axes.
inline CudaTask range(const std::string& name, int32_t dims = 1) {
  CudaTask task;
  task.entry = name;
  task.task.name = name;
  task.task.type = TaskType::range_for;
  task.task.dims = dims;
  task.task.pos = 77;
  task.bounds_on_host = true;
  task.block_dim = 128;
  task.bounds = [](void* block, int64_t* bounds) {
    const auto* args = reinterpret_cast<const Arguments*>(static_cast<const char*>(block) + kHeaderSize);
    for (int axis = 0; axis < 2; ++axis) {
      bounds[2 * axis] = 0;
      bounds[2 * axis + 1] = args->n;
    }
  };
  return task;
}

inline std::unique_ptr<CudaModule> code(std::vector<CudaTask> tasks, bool prints = false) {
  auto made = std::make_unique<CudaModule>();
  for (const CudaTask& task : tasks) {
    const size_t size = sizeof(CudaLaunch) - task.launch_begin + sizeof(Arguments);
    made->ptx += ".param .align 16 .b8 " + task.entry + "_param_0[" + std::to_string(size) + "];\n";
  }
  made->tasks = std::move(tasks);
  made->params_size = sizeof(Arguments);
  if (prints) made->prints.emplace_back();
  return made;
}

class Image {
 public:
  Image(uint64_t number, Arguments args = {}, int64_t temps_size = 0, HostServices* host = nullptr)
      : number_(number), args_(args), temps_size_(temps_size), host_(host) {}
  QueuedLaunch get() const {
    return {.args = &args_,
            .args_size = sizeof args_,
            .temps_size = temps_size_,
            .seed = 5,
            .number = number_,
            .host = host_};
  }

 private:
  const uint64_t number_;
  const Arguments args_;
  const int64_t temps_size_;
  HostServices* const host_;
};

// Zero where the task gets none of it.
inline CudaLaunch launch_of(const Recorder::Run& run) {
  CudaLaunch launch{};
  const size_t got = run.parameter.size() - sizeof(Arguments);
  std::memcpy(reinterpret_cast<char*>(&launch + 1) - got, run.parameter.data(), got);
  return launch;
}
inline Arguments arguments_of(const Recorder::Run& run) {
  Arguments args;
  std::memcpy(&args, run.parameter.data() + run.parameter.size() - sizeof args, sizeof args);
  return args;
}
inline CudaState& state_of(const Recorder::Run& run) { return *reinterpret_cast<CudaState*>(launch_of(run).state); }

// What a task does when a check fails.
inline void fail(const Recorder::Run& run, int32_t check) {
  const CudaLaunch launch = launch_of(run);
  CudaState& state = state_of(run);
  state.ended = launch.launch + 1;
  if (state.claimed != 0) return;
  state.claimed = launch.launch + 1;
  auto* record = reinterpret_cast<CudaFailure*>(state.record);
  record->check = check;
  record->values[1] = 9;
  record->launch_plus_1 = launch.launch + 1;
}

class CudaLaunching : public testing::Test {
 protected:
  void SetUp() override {
    device_ = std::make_unique<CudaDevice>(Recorder::table(), 0);
    stream_ = device_->create_stream();
    slot_ = device_->create_slot();
  }
  void TearDown() override {
    kernels_.clear();
    device_->destroy_slot(slot_);
    device_->destroy_stream(stream_);
    device_.reset();
    EXPECT_EQ(recorder_.not_given_back(), "");
    EXPECT_EQ(recorder_.faults, std::vector<std::string>());
  }
  const CompiledKernel& load(std::unique_ptr<CudaModule> module) {
    kernels_.push_back(device_->load(std::move(module), "kernel"));
    return *kernels_.back();
  }
  void launch(const CompiledKernel& kernel, const Image& image) {
    device_->begin(stream_);
    device_->open_launch(stream_, slot_, image.get());
    for (const CompiledTask& task : kernel.tasks) device_->launch(stream_, task, slot_);
    device_->close_launch(stream_, slot_);
    device_->end(stream_);
  }
  bool launch_whole(const CompiledKernel& kernel, const LaunchPlan& plan, const Image& image) {
    device_->begin(stream_);
    const bool done = device_->launch_whole(stream_, slot_, image.get(), kernel, plan);
    device_->end(stream_);
    return done;
  }
  std::vector<std::string> ran() const {
    std::vector<std::string> names;
    for (const Recorder::Run& run : recorder_.runs) names.push_back(run.entry);
    return names;
  }

  Recorder recorder_;
  std::unique_ptr<CudaDevice> device_;
  Stream stream_{};
  Slot slot_{};
  std::vector<std::unique_ptr<CompiledKernel>> kernels_;
};

struct Lines {
  std::vector<std::tuple<int32_t, uint64_t>> lines;  // site, and the last value
  HostServices services{.print =
                            [](void* context, int32_t site, const uint64_t* values, int32_t count) {
                              static_cast<Lines*>(context)->lines.emplace_back(site, count > 0 ? values[count - 1] : 0);
                            },
                        .context = this};
};

inline const LaunchPlan kRegion{.phases = {{.chains = {{.group = 0, .tasks = {0}}}},
                                           {.chains = {{.group = 1, .tasks = {1, 2}}, {.group = 2, .tasks = {3}}}},
                                           {.chains = {{.group = 0, .tasks = {4}}}}}};

// Scopes of one serial task each, as codegen describes those that share an entry.
inline std::vector<CudaTask> scopes(const std::string& entry, int32_t count) {
  std::vector<CudaTask> tasks;
  for (int32_t i = 0; i < count; ++i) {
    CudaTask& task = tasks.emplace_back(serial(entry));
    task.launch_begin = offsetof(CudaLaunch, first_scope);
    task.scope = i;
    task.scopes = count;
  }
  return tasks;
}

inline std::vector<CudaTask> region_tasks() { return {serial("a"), serial("b"), serial("c"), range("d"), serial("e")}; }

}  // namespace qd::rhi::cuda
