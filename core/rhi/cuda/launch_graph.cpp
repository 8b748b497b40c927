#include "core/rhi/cuda/launch_graph.h"

#include <algorithm>
#include <utility>

namespace qd::rhi::cuda {
namespace {

// A kernel has one parameter, which the driver copies.
CUDA_KERNEL_NODE_PARAMS node_parameters(const LoadedTask& task, const CudaGrid& grid, void** parameter) {
  CUDA_KERNEL_NODE_PARAMS node{};
  node.func = task.function;
  node.gridDimX = static_cast<unsigned>(grid.blocks);
  node.gridDimY = node.gridDimZ = 1;
  node.blockDimX = static_cast<unsigned>(grid.threads);
  node.blockDimY = node.blockDimZ = 1;
  node.sharedMemBytes = static_cast<unsigned>(grid.shared_bytes);
  node.kernelParams = parameter;
  return node;
}

}  // namespace

std::unique_ptr<LaunchGraph> LaunchGraph::build(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                                                LaunchParameters& parameters) {
  std::unique_ptr<LaunchGraph> made(new LaunchGraph(context));
  const CUresult result = made->add_nodes(kernel, plan, parameters);
  if (result == CUDA_SUCCESS) return made;
  if (loses_context(result)) context.check(result, "building a graph");
  return nullptr;
}

CUresult LaunchGraph::add_nodes(const LoadedKernel& kernel, const LaunchPlan& plan, LaunchParameters& parameters) {
  const Driver& driver = context_.driver();
  if (const CUresult made = driver.cuGraphCreate(&graph_, 0); made != CUDA_SUCCESS) return made;
  void* parameter = parameters.data();
  std::vector<CUgraphNode> before, ends, after;
  for (const PlanPhase& phase : plan.phases) {
    ends.clear();
    for (const PlanChain& chain : phase.chains) {
      after = before;
      for (const int32_t task : chain.tasks) {
        Node& node = nodes_.emplace_back();
        node.task = &kernel.loaded(task);
        const CUDA_KERNEL_NODE_PARAMS wanted = node_parameters(*node.task, {.blocks = 1}, &parameter);
        const CUresult added = driver.cuGraphAddKernelNode(&node.node, graph_, after.data(), after.size(), &wanted);
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

bool LaunchGraph::update(LaunchParameters& parameters) {
  return std::all_of(nodes_.begin(), nodes_.end(), [&](Node& node) { return update(node, parameters); });
}

// Every node is set every time: the launch's number is among the parameters.
bool LaunchGraph::update(Node& node, LaunchParameters& parameters) {
  const CudaGrid grid = parameters.plan(*node.task);
  if (grid.too_many) return false;
  const Driver& driver = context_.driver();
  const auto refused = [&](CUresult result) {
    if (result == CUDA_SUCCESS) return false;
    good_ = false;
    if (loses_context(result)) context_.check(result, "updating a graph");
    return true;
  };
  const bool enabled = grid.blocks > 0;
  if (enabled != node.enabled) {
    if (refused(driver.cuGraphNodeSetEnabled(exec_, node.node, enabled ? 1 : 0))) return false;
    node.enabled = enabled;
  }
  if (!enabled) return true;
  void* parameter = parameters.data();
  const CUDA_KERNEL_NODE_PARAMS wanted = node_parameters(*node.task, grid, &parameter);
  return !refused(driver.cuGraphExecKernelNodeSetParams(exec_, node.node, &wanted));
}

void LaunchGraph::launch(CUstream stream) {
  context_.check(context_.driver().cuGraphLaunch(exec_, stream), "launching a graph");
}

LaunchGraph* LaunchGraphs::find(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                                LaunchParameters& parameters) {
  const auto at =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.kernel == kernel.id(); });
  if (at == entries_.end()) {
    if (entries_.size() == kMost) {
      entries_.erase(std::min_element(entries_.begin(), entries_.end(),
                                      [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; }));
    }
    entries_.push_back({.kernel = kernel.id(), .last_use = ++uses_, .tried = false, .graph = nullptr});
    return nullptr;
  }
  at->last_use = ++uses_;
  if (!at->tried) {
    at->tried = true;
    at->graph = LaunchGraph::build(context, kernel, plan, parameters);
  }
  if (at->graph != nullptr && !at->graph->good()) at->graph.reset();
  if (at->graph == nullptr) kernel.launched_by_task.store(true, std::memory_order_relaxed);
  return at->graph.get();
}

void LaunchGraphs::forget(uint64_t kernel) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.kernel == kernel; });
}

}  // namespace qd::rhi::cuda
