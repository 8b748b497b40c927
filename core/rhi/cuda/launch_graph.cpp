#include "core/rhi/cuda/launch_graph.h"

#include <algorithm>
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

// Whether a task that does not read the launch's number gets the same as before.
bool same_but_number(const std::vector<char>& told, const LoadedTask& task, LaunchParameters& parameters) {
  const size_t number = offsetof(CudaLaunch, launch) - task.task->launch_begin;
  const size_t after = number + sizeof(CudaLaunch::launch), size = parameters.size(task);
  const char* now = parameters.data(task);
  return told.size() == size && std::memcmp(told.data(), now, number) == 0 &&
         std::memcmp(told.data() + after, now + after, size - after) == 0;
}

// A scope that shares its entry is launched with the first of those.
bool runs_with_another(const LoadedKernel& kernel, const PlanPhase& phase, const PlanChain& chain) {
  return phase.parallel() && chain.tasks.size() == 1 && kernel.loaded(chain.tasks.front()).task->scope > 0;
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

bool LaunchGraph::update(LaunchParameters& parameters) {
  return std::all_of(nodes_.begin(), nodes_.end(), [&](Node& node) { return update(node, parameters); });
}

bool LaunchGraph::worked(CUresult result) {
  if (result == CUDA_SUCCESS) return true;
  good_ = false;
  if (loses_context(result)) context_.check(result, "updating a graph");
  return false;
}

bool LaunchGraph::update(Node& node, LaunchParameters& parameters) {
  CudaGrid grid = parameters.plan(*node.task);
  if (grid.too_many) return false;
  grid.blocks *= node.scopes;
  const Driver& driver = context_.driver();
  const bool enabled = grid.blocks > 0;
  if (enabled != node.enabled) {
    if (!worked(driver.cuGraphNodeSetEnabled(exec_, node.node, enabled ? 1 : 0))) return false;
    node.enabled = enabled;
  }
  if (!enabled) return true;
  if (!node.told.empty() && has_grid(node.wanted, grid) && same_but_number(node.told, *node.task, parameters))
    return true;
  void* parameter = parameters.data(*node.task);
  set_grid(node.wanted, grid);
  node.wanted.kernelParams = &parameter;
  if (!worked(driver.cuGraphExecKernelNodeSetParams(exec_, node.node, &node.wanted))) return false;
  if (!node.task->task->reads_number) {
    const char* told = parameters.data(*node.task);
    node.told.assign(told, told + parameters.size(*node.task));
  }
  return true;
}

void LaunchGraph::launch(CUstream stream) {
  context_.check(context_.driver().cuGraphLaunch(exec_, stream), "launching a graph");
}

LaunchGraphs::~LaunchGraphs() {
  for (const Entry& entry : entries_) {
    if (entry.cell != nullptr) entry.cell->close();
  }
}

LaunchGraphs::Entry* LaunchGraphs::entry_of(uint64_t kernel) {
  if (latest_ < entries_.size() && entries_[latest_].kernel == kernel) return &entries_[latest_];
  const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.kernel == kernel; });
  if (at == entries_.end()) return nullptr;
  latest_ = static_cast<size_t>(at - entries_.begin());
  return &*at;
}

// Those of kernels that are gone first, then the one that was not used for the longest time.
void LaunchGraphs::make_room() {
  if (entries_.size() < kMost) return;
  std::erase_if(entries_, [](const Entry& entry) { return entry.cell != nullptr && entry.cell->closed(); });
  if (entries_.size() < kMost) return;
  const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                       [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; });
  if (oldest->cell != nullptr) oldest->cell->close();
  entries_.erase(oldest);
}

LaunchGraph* LaunchGraphs::find(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                                LaunchParameters& parameters) {
  Entry* entry = entry_of(kernel.id());
  if (entry == nullptr) {
    make_room();
    entries_.push_back({.kernel = kernel.id(), .last_use = ++uses_, .tried = false, .cell = nullptr});
    return nullptr;
  }
  entry->last_use = ++uses_;
  if (!entry->tried) {
    entry->tried = true;
    if (std::unique_ptr<LaunchGraph> made = LaunchGraph::build(context, kernel, plan, parameters)) {
      entry->cell = std::make_shared<GraphCell>(std::move(made));
      kernel.closes(entry->cell);
    }
  }
  LaunchGraph* graph = entry->cell == nullptr ? nullptr : entry->cell->graph();
  if (graph != nullptr && !graph->good()) {
    entry->cell->close();
    graph = nullptr;
  }
  if (graph == nullptr) kernel.launched_by_task.store(true, std::memory_order_relaxed);
  return graph;
}

}  // namespace qd::rhi::cuda
