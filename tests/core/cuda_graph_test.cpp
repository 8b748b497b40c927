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
  for (const int64_t n : {0, 0, 10, -1, 20, 20}) launch_whole(kernel, kRegion, Image(++number, {.n = n}));
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
  EXPECT_EQ(kernel.launched_as_one, 3);
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
  EXPECT_EQ(sets({.n = 0, .more = 2}), 4);    // one is left out
  EXPECT_EQ(sets({.n = 0, .more = 2}), 1);
  EXPECT_EQ(sets({.n = 600, .more = 2}), 5);
  EXPECT_EQ(sets({.n = 600, .more = 2}), 1);
  EXPECT_EQ(sets({.n = 500, .more = 1}), 5);        // another graph
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
  EXPECT_EQ(n, std::vector<int64_t>({500, 500, 500, 0, 0, 600, 600, 500, 500, 500}));
  EXPECT_EQ(more, std::vector<int64_t>({1, 1, 2, 2, 2, 2, 2, 1, 1, 1}));
  EXPECT_EQ(numbers, std::vector<uint64_t>({2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST_F(CudaLaunching, ArgumentsInTurnHaveGraphsOfTheirOwn) {
  const CompiledKernel& kernel = load(code(unnumbered(region_tasks())));
  uint64_t number = 0;
  const auto round = [&](int64_t sets_of_arguments) {
    for (int64_t more = 0; more < sets_of_arguments; ++more) {
      launch_whole(kernel, kRegion, Image(++number, {.n = 500, .more = more}));
    }
  };
  for (int i = 0; i < 4; ++i) round(3);
  EXPECT_EQ(recorder_.live("execs"), 3);
  device_->sync(stream_);
  recorder_.calls.clear();
  recorder_.runs.clear();
  round(3);
  EXPECT_EQ(recorder_.count("cuGraphExecKernelNodeSetParams"), 0);
  EXPECT_EQ(recorder_.count("cuGraphLaunch"), 3);
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 3; ++j) round(5);
    EXPECT_EQ(recorder_.live("execs"), 4) << "no more than that";
    round(20);
  }
  device_->sync(stream_);
  std::vector<int64_t> more;
  for (const Recorder::Run& run : recorder_.runs) {
    if (run.entry == "d") more.push_back(arguments_of(run).more);
  }
  ASSERT_EQ(more.size(), 3U + 10 * 35U);
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(more[more.size() - 20 + i], static_cast<int64_t>(i));
}

TEST_F(CudaLaunching, ArgumentsThatDoNotComeBackNeedOneGraph) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  for (int64_t i = 0; i < 50; ++i)
    launch_whole(kernel, kRegion, Image(static_cast<uint64_t>(i), {.n = 500, .more = i}));
  EXPECT_EQ(recorder_.live("execs"), 1);
}

TEST_F(CudaLaunching, WhereTheDriverMakesNoSecondGraphTheFirstServes) {
  const CompiledKernel& kernel = load(code(region_tasks()));
  const auto launch = [&](uint64_t number) {
    return launch_whole(kernel, kRegion, Image(number, {.n = 500, .more = static_cast<int64_t>(number % 2)}));
  };
  EXPECT_FALSE(launch(1));
  EXPECT_TRUE(launch(2));
  recorder_.always = {{"cuGraphInstantiateWithFlags", CUDA_ERROR_OUT_OF_MEMORY}};
  recorder_.calls.clear();
  for (uint64_t i = 3; i < 9; ++i) EXPECT_TRUE(launch(i));
  EXPECT_EQ(recorder_.count("cuGraphInstantiateWithFlags"), 1);
  EXPECT_EQ(recorder_.count("cuGraphLaunch"), 6);
  EXPECT_FALSE(kernel.launched_by_task);
  EXPECT_EQ(recorder_.live("execs"), 1);
}

// Where a launch fails, if it does, as the one before with the same arguments did.
TEST_F(CudaLaunching, ANumberIsKeptWhereTheArgumentsDecide) {
  std::unique_ptr<CudaModule> module = code(region_tasks());
  module->keeps_number = true;
  const CompiledKernel& kernel = load(std::move(module));
  const auto sets = [&](uint64_t number, Arguments args) {
    recorder_.calls.clear();
    launch_whole(kernel, kRegion, Image(number, args));
    return recorder_.count("cuGraphExecKernelNodeSetParams");
  };
  const auto numbers = [&] {
    device_->sync(stream_);
    std::vector<uint64_t> found;
    for (const Recorder::Run& run : recorder_.runs) found.push_back(launch_of(run).launch);
    recorder_.runs.clear();
    return found;
  };
  sets(1, {.n = 500});
  EXPECT_EQ(sets(2, {.n = 500}), 5);
  EXPECT_EQ(sets(3, {.n = 500}), 0);
  EXPECT_EQ(numbers(), std::vector<uint64_t>({2, 2, 2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(sets(4, {.n = 0}), 4);    // one is left out
  EXPECT_EQ(sets(5, {.n = 600}), 5);  // and is not to have another number than the others
  EXPECT_EQ(numbers(), std::vector<uint64_t>({4, 4, 4, 4, 5, 5, 5, 5, 5}));
  recorder_.on_run = [](const Recorder::Run& run) { fail(run, 1); };
  EXPECT_EQ(sets(6, {.n = 700}), 5);
  EXPECT_EQ(sets(7, {.n = 700}), 0);
  numbers();
  EXPECT_EQ(device_->take_failure(slot_)->number, 6U);
  EXPECT_EQ(sets(8, {.n = 700}), 5) << "its failure is another one";
  EXPECT_EQ(sets(9, {.n = 700}), 0);
  EXPECT_EQ(numbers(), std::vector<uint64_t>({8, 8, 8, 8, 8, 8, 8, 8, 8, 8}));
  EXPECT_EQ(device_->take_failure(slot_)->number, 8U);
  recorder_.on_run = nullptr;
}

// Or the second would run though the first has ended the launch.
TEST_F(CudaLaunching, TasksOfALaunchHaveOneNumber) {
  const LaunchPlan plan{.phases = {{.chains = {{.group = 0, .tasks = {0, 1}}}}}};
  CudaTask first = serial("s");
  first.launch_begin = offsetof(CudaLaunch, state);  // it does not get the temporaries, which move
  std::unique_ptr<CudaModule> module = code({first, range("r")});
  module->keeps_number = true;
  const CompiledKernel& kernel = load(std::move(module));
  uint64_t number = 0;
  for (const int64_t temps : {0, 0, 0, 8192, 8192, 65536}) {
    launch_whole(kernel, plan, Image(++number, {.n = 1000}, temps));
  }
  device_->sync(stream_);
  std::vector<uint64_t> numbers;
  for (const Recorder::Run& run : recorder_.runs) numbers.push_back(launch_of(run).launch);
  EXPECT_EQ(numbers, std::vector<uint64_t>({2, 2, 2, 2, 4, 4, 4, 4, 6, 6}));
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
