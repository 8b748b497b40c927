#include "core/rhi/cuda/launch_graph.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace qd::rhi::cuda {
namespace {

// A kernel has one parameter, which the driver copies.
CUDA_KERNEL_NODE_PARAMS node_parameters(const LoadedTask& task) {
  CUDA_KERNEL_NODE_PARAMS node{};
  node.func = task.function;
  node.gridDimX = node.gridDimY = node.gridDimZ = 1;
  node.blockDimX = node.blockDimY = node.blockDimZ = 1;
  return node;
}

void set_grid(CUDA_KERNEL_NODE_PARAMS& node, const CudaGrid& grid) {
  node.gridDimX = static_cast<unsigned>(grid.blocks);
  node.blockDimX = static_cast<unsigned>(grid.threads);
  node.sharedMemBytes = static_cast<unsigned>(grid.shared_bytes);
}

bool has_grid(const CUDA_KERNEL_NODE_PARAMS& node, const CudaGrid& grid) {
  return node.gridDimX == static_cast<unsigned>(grid.blocks) && node.blockDimX == static_cast<unsigned>(grid.threads) &&
         node.sharedMemBytes == static_cast<unsigned>(grid.shared_bytes);
}

// The words of a task's parameter, the last one filled up with zeroes.
size_t words_of(const LaunchParameters& parameters, const LoadedTask& task) {
  return (parameters.size(task) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

size_t number_word(const LoadedTask& task) {
  return (offsetof(CudaLaunch, launch) - task.task->launch_begin) / sizeof(uint64_t);
}

// A scope that shares its entry is launched with the first of those.
bool runs_with_another(const LoadedKernel& kernel, const PlanPhase& phase, const PlanChain& chain) {
  return phase.parallel() && chain.tasks.size() == 1 && kernel.loaded(chain.tasks.front()).task->scope > 0;
}

}  // namespace

std::unique_ptr<LaunchGraph> LaunchGraph::build(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                                                LaunchParameters& parameters) {
  std::unique_ptr<LaunchGraph> made(new LaunchGraph(context, kernel.keeps_number()));
  const CUresult result = made->add_nodes(kernel, plan, parameters);
  if (result == CUDA_SUCCESS) return made;
  if (loses_context(result)) context.check(result, "building a graph");
  return nullptr;
}

CUresult LaunchGraph::add_nodes(const LoadedKernel& kernel, const LaunchPlan& plan, LaunchParameters& parameters) {
  const Driver& driver = context_.driver();
  if (const CUresult made = driver.cuGraphCreate(&graph_, 0); made != CUDA_SUCCESS) return made;
  std::vector<CUgraphNode> before, ends, after;
  for (const PlanPhase& phase : plan.phases) {
    ends.clear();
    for (const PlanChain& chain : phase.chains) {
      if (runs_with_another(kernel, phase, chain)) continue;
      after = before;
      for (const int32_t task : chain.tasks) {
        Node& node = nodes_.emplace_back();
        node.task = &kernel.loaded(task);
        node.scopes = phase.parallel() ? node.task->task->scopes : 1;
        void* parameter = parameters.data(*node.task);
        node.wanted = node_parameters(*node.task);
        node.wanted.kernelParams = &parameter;
        const CUresult added =
            driver.cuGraphAddKernelNode(&node.node, graph_, after.data(), after.size(), &node.wanted);
        if (added != CUDA_SUCCESS) return added;
        after.assign(1, node.node);
      }
      if (!chain.tasks.empty()) ends.push_back(after.front());
    }
    if (!ends.empty()) before = ends;
  }
  return driver.cuGraphInstantiateWithFlags(&exec_, graph_, 0);
}

LaunchGraph::~LaunchGraph() {
  const CurrentToRelease current(context_);
  // A graph that still runs is freed when it has ended.
  if (exec_ != nullptr) context_.driver().cuGraphExecDestroy(exec_);
  if (graph_ != nullptr) context_.driver().cuGraphDestroy(graph_);
}

bool LaunchGraph::update(LaunchParameters& parameters, uint64_t failures) {
  // Where one task gets another number, all do: a later one looks for that of an earlier one.
  bool renumber = !keeps_number_ || failures != failures_;
  for (Node& node : nodes_) {
    if (!want(node, parameters)) return false;
    renumber |= node.changed && node.task->task->reads_number;
  }
  const uint64_t number = parameters.launch().launch;
  for (Node& node : nodes_) {
    const bool wanted = node.changed || (renumber && node.task->task->reads_number);
    if (node.enabled && wanted && !set(node, number)) return false;
  }
  failures_ = failures;
  return true;
}

bool LaunchGraph::worked(CUresult result) {
  if (result == CUDA_SUCCESS) return true;
  good_ = false;
  if (loses_context(result)) context_.check(result, "updating a graph");
  return false;
}

bool LaunchGraph::want(Node& node, LaunchParameters& parameters) {
  CudaGrid grid = parameters.plan(*node.task);
  if (grid.too_many) return false;
  grid.blocks *= node.scopes;
  const bool enabled = grid.blocks > 0;
  if (enabled != node.enabled) {
    if (!worked(context_.driver().cuGraphNodeSetEnabled(exec_, node.node, enabled ? 1 : 0))) return false;
    node.enabled = enabled;
    node.changed |= node.task->task->reads_number;
  }
  if (!enabled) return true;
  if (!has_grid(node.wanted, grid)) {
    set_grid(node.wanted, grid);
    node.changed = true;
  }
  const size_t words = words_of(parameters, *node.task);
  const char* now = parameters.data(*node.task);
  if (node.parameter.size() != words) {
    node.parameter.resize(words);
    node.changed = true;
  } else if (!node.changed) {
    const size_t number = number_word(*node.task) * sizeof(uint64_t), after = number + sizeof(uint64_t);
    const auto* before = reinterpret_cast<const char*>(node.parameter.data());
    node.changed = std::memcmp(before, now, number) != 0 ||
                   std::memcmp(before + after, now + after, parameters.size(*node.task) - after) != 0;
  }
  if (node.changed) std::memcpy(node.parameter.data(), now, parameters.size(*node.task));
  return true;
}

bool LaunchGraph::set(Node& node, uint64_t number) {
  node.parameter[number_word(*node.task)] = number;
  void* parameter = node.parameter.data();
  node.wanted.kernelParams = &parameter;
  if (!worked(context_.driver().cuGraphExecKernelNodeSetParams(exec_, node.node, &node.wanted))) return false;
  node.changed = false;
  return true;
}

void LaunchGraph::launch(CUstream stream) {
  context_.check(context_.driver().cuGraphLaunch(exec_, stream), "launching a graph");
}

}  // namespace qd::rhi::cuda
