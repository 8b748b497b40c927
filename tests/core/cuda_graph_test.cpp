// Launches of whole kernels as graphs on the CUDA device.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "core/ir/error.h"
#include "tests/core/cuda_launch_fixture.h"

namespace qd::rhi::cuda {
namespace {

TEST_F(CudaLaunching, AGraphForksAndJoins) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  EXPECT_FALSE(launch_whole(kernel, kRegion, Image(1, {.n = 500})));
  EXPECT_EQ(recorder_.count("cuGraph") + recorder_.count("cuLaunch"), 0);
  EXPECT_TRUE(launch_whole(kernel, kRegion, Image(2, {.n = 500})));
  EXPECT_EQ(recorder_.count("cuGraphAddKernelNode a after "), 1);
  Names nodes;
  for (const std::string& call : recorder_.calls) {
    if (call.starts_with("cuGraphAddKernelNode ")) nodes.push_back(call.substr(21));
  }
  EXPECT_EQ(nodes, Names({"a after ", "b after 0", "c after 1", "d after 0", "e after 2,3"}));
  EXPECT_EQ(recorder_.count("cuGraphInstantiateWithFlags"), 1);
  recorder_.calls.clear();
  EXPECT_TRUE(launch_whole(kernel, kRegion, Image(3, {.n = 90'000})));
  EXPECT_EQ(recorder_.count("cuGraphExecKernelNodeSetParams"), 5);
  EXPECT_EQ(recorder_.count("cuGraphLaunch"), 1);
  EXPECT_EQ(recorder_.count("cu"), 6 + recorder_.count("cuCtxSetCurrent"));
  device_->sync(stream_);
  ASSERT_EQ(ran(), Names({"a", "b", "c", "d", "e", "a", "b", "c", "d", "e"}));
  for (size_t i = 0; i < 10; ++i) {  // each launch has its own parameters, though both were queued at once
    EXPECT_EQ(launch_of(recorder_.runs[i]).launch, i < 5 ? 2U : 3U);
    EXPECT_EQ(arguments_of(recorder_.runs[i]).n, i < 5 ? 500 : 90'000);
  }
  EXPECT_GT(recorder_.runs[8].blocks * recorder_.runs[8].threads, recorder_.runs[3].blocks * recorder_.runs[3].threads);
}

TEST_F(CudaLaunching, AnEmptyRangeIsLeftOutOfAGraph) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  uint64_t number = 0;
  for (const int64_t n : {0, 0, 10, 0, 10, 10}) launch_whole(kernel, kRegion, Image(++number, {.n = n}));
  device_->sync(stream_);
  EXPECT_EQ(ran(), Names({"a", "b", "c", "e", "a", "b", "c", "d", "e", "a", "b", "c", "e", "a", "b", "c", "d", "e",  //
                          "a", "b", "c", "d", "e"}));
  EXPECT_EQ(recorder_.count("cuGraphNodeSetEnabled"), 4);
}

// A graph's node follows the array's length, as a launch does: "more" stands where the length is.
TEST_F(CudaLaunching, PrivateArraysGetSharedMemory) {
  const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0}}}}}};
  CudaTask task = range("r");
  task.private_array = {.offset = offsetof(Arguments, more) - 8, .rank = 1, .cell_size = 4};
  const CompiledKernel& kernel = load(code({task}));
  launch(kernel, Image(1, {.n = 100'000, .more = 256}));
  EXPECT_FALSE(launch_whole(kernel, plan, Image(2, {.n = 100'000, .more = 256})));
  for (const int64_t cells : {256, 1'000'000, 8}) {
    EXPECT_TRUE(launch_whole(kernel, plan, Image(3, {.n = 100'000, .more = cells})));
  }
  device_->sync(stream_);
  std::vector<unsigned> bytes, cells;
  for (const Recorder::Run& run : recorder_.runs) {
    bytes.push_back(run.shared);
    cells.push_back(launch_of(run).private_cells);
  }
  EXPECT_EQ(bytes, std::vector<unsigned>({1024, 1024, 0, 32}));
  EXPECT_EQ(cells, std::vector<unsigned>({256, 256, 0, 8}));
}

TEST_F(CudaLaunching, TooManyIterationsAreNoGraphsMatter) {
  const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0}}}}}};
  const CompiledKernel& kernel = load(code({range("r", 2)}));
  EXPECT_FALSE(launch_whole(kernel, plan, Image(1, {.n = 3})));
  EXPECT_TRUE(launch_whole(kernel, plan, Image(2, {.n = 3})));
  EXPECT_FALSE(launch_whole(kernel, plan, Image(3, {.n = int64_t{1} << 40})));
  EXPECT_TRUE(launch_whole(kernel, plan, Image(4, {.n = 3})));
  device_->sync(stream_);
  EXPECT_EQ(ran().size(), 2U);
}

TEST_F(CudaLaunching, AKernelTakesItsGraphsAlong) {
  const Slot other = device_->create_slot();
  const CompiledKernel& kept = load(code({serial("kept"), serial("b"), serial("c"), range("d"), serial("e")}));
  const CompiledKernel& freed = load(code(region_tasks()));
  for (const CompiledKernel* kernel : {&kept, &freed}) {
    for (const Slot slot : {slot_, other}) {
      for (int i = 0; i < 2; ++i) device_->launch_whole(stream_, slot, Image(1, {.n = 1}).get(), *kernel, kRegion);
    }
  }
  EXPECT_EQ(recorder_.live("execs"), 4);
  EXPECT_EQ(recorder_.live("graphs"), 4);
  device_->sync(stream_);
  device_->destroy_slot(other);
  EXPECT_EQ(recorder_.live("execs"), 2);
  kernels_.pop_back();
  EXPECT_EQ(recorder_.live("execs"), 1);
  EXPECT_EQ(recorder_.live("modules"), 1);
  EXPECT_TRUE(launch_whole(kept, kRegion, Image(2, {.n = 1})));
  device_->destroy_slot(slot_);
  slot_ = nullptr;
  EXPECT_EQ(recorder_.live("execs") + recorder_.live("graphs"), 0);
}

TEST_F(CudaLaunching, GraphsAreBounded) {
  for (int i = 0; i < 200; ++i) {
    const CompiledKernel& kernel = load(code({serial("k" + std::to_string(i))}));
    const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0}}}}}};
    EXPECT_FALSE(launch_whole(kernel, plan, Image(1)));
    EXPECT_TRUE(launch_whole(kernel, plan, Image(1)));
    EXPECT_TRUE(launch_whole(*kernels_.front(), plan, Image(1)) || i == 0);  // in use: never the one to go
  }
  EXPECT_EQ(recorder_.live("execs"), 64);
}

// One after the other, and then all of them as blocks of one node, beside a branch of their region.
TEST_F(CudaLaunching, ScopesThatShareAnEntryAreOneNode) {
  std::vector<CudaTask> tasks{serial("a")};
  for (const CudaTask& task : scopes("s", 3)) tasks.push_back(task);
  for (const char* name : {"b", "c"}) tasks.push_back(serial(name));
  tasks.insert(tasks.begin() + 3, range("r"));
  const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0}}}},
                                   {.chains = {{.group = 1, .tasks = {1}},
                                               {.group = 2, .tasks = {2}},
                                               {.group = 3, .tasks = {3, 5}},
                                               {.group = 4, .tasks = {4}}}},
                                   {.chains = {{.group = 0, .tasks = {6}}}}}};
  const CompiledKernel& kernel = load(code(tasks));
  launch(kernel, Image(1, {.n = 9}));
  EXPECT_FALSE(launch_whole(kernel, plan, Image(2, {.n = 9})));
  EXPECT_TRUE(launch_whole(kernel, plan, Image(3, {.n = 9})));
  Names nodes;
  for (const std::string& call : recorder_.calls) {
    if (call.starts_with("cuGraphAddKernelNode ")) nodes.push_back(call.substr(21));
  }
  EXPECT_EQ(nodes, Names({"a after ", "s after 0", "r after 0", "b after 2", "c after 1,3"}));
  device_->sync(stream_);
  EXPECT_EQ(ran(), Names({"a", "s", "s", "r", "s", "b", "c", "a", "s", "r", "b", "c"}));
  std::vector<std::tuple<uint64_t, uint64_t, unsigned>> parts;
  for (const Recorder::Run& run : recorder_.runs) {
    if (run.entry != "s") continue;
    EXPECT_EQ(run.threads, 1U);
    EXPECT_EQ(arguments_of(run).n, 9);
    EXPECT_NE(launch_of(run).state, 0U);
    parts.emplace_back(launch_of(run).launch, launch_of(run).first_scope, run.blocks);
  }
  EXPECT_EQ(parts, (std::vector<std::tuple<uint64_t, uint64_t, unsigned>>{{1, 0, 1}, {1, 1, 1}, {1, 2, 1}, {3, 0, 3}}));
}

// Tasks that do not read the launch's number.
std::vector<CudaTask> unnumbered(std::vector<CudaTask> tasks) {
  for (CudaTask& task : tasks) task.reads_number = false;
  return tasks;
}

TEST_F(CudaLaunching, ParametersThatDidNotChangeAreNotSetAgain) {
  std::vector<CudaTask> tasks = unnumbered(region_tasks());
  tasks[2].reads_number = true;
  const CompiledKernel& kernel = load(code(tasks));
  uint64_t number = 0;
  const auto sets = [&](Arguments args, int64_t temps_size = 0) {
    const int before = recorder_.count("cuGraphExecKernelNodeSetParams");
    ++number;
    EXPECT_EQ(launch_whole(kernel, kRegion, Image(number, args, temps_size)), number > 1);
    return recorder_.count("cuGraphExecKernelNodeSetParams") - before;
  };
  sets({.n = 500, .more = 1});
  EXPECT_EQ(sets({.n = 500, .more = 1}), 5);
  EXPECT_EQ(sets({.n = 500, .more = 1}), 1);  // the one that reads the number
  EXPECT_EQ(sets({.n = 500, .more = 2}), 5);  // no range depends on it, but a task may
  EXPECT_EQ(sets({.n = 500, .more = 1}), 5);  // it was not the launch before
  EXPECT_EQ(sets({.n = 0, .more = 1}), 4);    // one is left out
  EXPECT_EQ(sets({.n = 0, .more = 1}), 1);
  EXPECT_EQ(sets({.n = 500, .more = 1}), 4);        // which still has what it had
  EXPECT_EQ(sets({.n = 500, .more = 1}, 4096), 5);  // the temporaries are somewhere else now
  EXPECT_EQ(sets({.n = 500, .more = 1}, 4096), 1);
  device_->sync(stream_);
  std::vector<int64_t> n, more;
  std::vector<uint64_t> numbers;
  for (const Recorder::Run& run : recorder_.runs) {
    if (run.entry == "a") {
      n.push_back(arguments_of(run).n);
      more.push_back(arguments_of(run).more);
    }
    if (run.entry == "c") numbers.push_back(launch_of(run).launch);
  }
  EXPECT_EQ(n, std::vector<int64_t>({500, 500, 500, 500, 0, 0, 500, 500, 500}));
  EXPECT_EQ(more, std::vector<int64_t>({1, 1, 2, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(numbers, std::vector<uint64_t>({2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

// What the host prints, or seeds, belongs to the parameters too.
TEST_F(CudaLaunching, AllParametersAreCompared) {
  const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0}}}}}};
  const CompiledKernel& kernel = load(code(unnumbered({serial("s")})));
  const Arguments args;
  const QueuedLaunch first{
      .args = &args, .args_size = sizeof args, .temps_size = 0, .seed = 1, .number = 1, .host = nullptr};
  const auto sets = [&](const QueuedLaunch& launch) {
    recorder_.calls.clear();
    device_->launch_whole(stream_, slot_, launch, kernel, plan);
    return recorder_.count("cuGraphExecKernelNodeSetParams");
  };
  sets(first);
  sets(first);
  EXPECT_EQ(sets(first), 0);
  QueuedLaunch changed = first;
  changed.seed = 2;
  EXPECT_EQ(sets(changed), 1);
  HostServices services{};
  changed.host = &services;
  EXPECT_EQ(sets(changed), 1);
  changed.number = 2;
  EXPECT_EQ(sets(changed), 0);
  EXPECT_EQ(recorder_.count("cuGraphLaunch"), 1);
}

// What failed is not taken for set.
TEST_F(CudaLaunching, ARefusedParameterIsNotTakenForSet) {
  const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0}}}}}};
  const CompiledKernel& kernel = load(code(unnumbered({serial("s")})));
  launch_whole(kernel, plan, Image(1, {.n = 1}));
  EXPECT_TRUE(launch_whole(kernel, plan, Image(2, {.n = 1})));
  recorder_.always = {{"cuGraphExecKernelNodeSetParams", CUDA_ERROR_INVALID_VALUE}};
  EXPECT_FALSE(launch_whole(kernel, plan, Image(3, {.n = 2})));
  recorder_.always.clear();
  EXPECT_FALSE(launch_whole(kernel, plan, Image(4, {.n = 2})));  // by tasks from now on
}

TEST_F(CudaLaunching, GraphsOfKernelsThatAreGoneMakeRoomFirst) {
  const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0}}}}}};
  const auto add = [&] {
    const CompiledKernel& kernel = load(code({serial("k" + std::to_string(kernels_.size()))}));
    for (int i = 0; i < 2; ++i) launch_whole(kernel, plan, Image(1));
  };
  for (int i = 0; i < 64; ++i) add();
  kernels_.resize(32);
  EXPECT_EQ(recorder_.live("execs"), 32);
  for (int i = 0; i < 32; ++i) add();
  EXPECT_EQ(recorder_.live("execs"), 64);
  recorder_.calls.clear();
  for (const auto& kernel : kernels_) EXPECT_TRUE(launch_whole(*kernel, plan, Image(1)));
  EXPECT_EQ(recorder_.count("cuGraphInstantiate"), 0);
}

TEST_F(CudaLaunching, LeavesGraphsWhereTheDriverMakesNone) {
  for (const char* call : {"cuGraphCreate", "cuGraphAddKernelNode", "cuGraphInstantiateWithFlags"}) {
    const CompiledKernel& kernel = load(code(region_tasks()));
    recorder_.always = {{call, CUDA_ERROR_NOT_SUPPORTED}};
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(launch_whole(kernel, kRegion, Image(1, {.n = 1})));
    EXPECT_EQ(recorder_.count(call), 1);  // tried once
    EXPECT_TRUE(kernel.launched_by_task) << "the plan says so";
    EXPECT_EQ(recorder_.live("graphs") + recorder_.live("execs"), 0);
    recorder_.calls.clear();
  }
  recorder_.always.clear();
  const CompiledKernel& kernel = load(code(region_tasks()));
  EXPECT_FALSE(launch_whole(kernel, kRegion, Image(1, {.n = 1})));
  EXPECT_TRUE(launch_whole(kernel, kRegion, Image(1, {.n = 1})));
  EXPECT_FALSE(kernel.launched_by_task);
  recorder_.always = {{"cuGraphExecKernelNodeSetParams", CUDA_ERROR_INVALID_VALUE}};
  EXPECT_FALSE(launch_whole(kernel, kRegion, Image(1, {.n = 1})));
  recorder_.always.clear();
  EXPECT_FALSE(launch_whole(kernel, kRegion, Image(1, {.n = 1})));
  EXPECT_EQ(recorder_.live("execs"), 0);
}

}  // namespace
}  // namespace qd::rhi::cuda
