#include "core/rhi/cuda/launch_graphs.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace qd::rhi::cuda {
namespace {

bool has(const std::vector<char>& arguments, const LaunchParameters& parameters) {
  return arguments.size() == parameters.arguments_size() &&
         (arguments.empty() || std::memcmp(arguments.data(), parameters.arguments(), arguments.size()) == 0);
}

}  // namespace

LaunchGraphs::~LaunchGraphs() {
  for (Entry& entry : entries_) close(entry);
}

bool LaunchGraphs::is_settled(size_t index, uint64_t kernel, const QueuedLaunch& launch, const Told& told) const {
  if (index >= settled_.size() || settled_kernels_[index] != kernel) return false;
  const Settled& settled = settled_[index];
  return settled.told == told && settled.arguments_size == launch.args_size &&
         (launch.args_size == 0 || std::memcmp(settled.arguments.data(), launch.args, launch.args_size) == 0);
}

LaunchGraph* LaunchGraphs::repeated(uint64_t kernel, const QueuedLaunch& launch, const Told& told) {
  if (latest_settled_ >= settled_.size()) return nullptr;
  uint32_t& next = settled_[latest_settled_].next;
  if (!is_settled(next, kernel, launch, told)) {
    size_t index = 0;
    while (index < settled_.size() && !is_settled(index, kernel, launch, told)) ++index;
    if (index == settled_.size()) return nullptr;
    next = static_cast<uint32_t>(index);
  }
  latest_settled_ = next;
  Settled& found = settled_[latest_settled_];
  found.last_use = ++uses_;
  return found.graph;
}

void LaunchGraphs::settled(uint64_t kernel, const QueuedLaunch& launch, const Told& told) {
  if (launch.args_size > Settled::kMostArguments) return;
  size_t index = settled_.size();
  if (index < kMostSettled) {
    settled_.emplace_back();
    settled_kernels_.push_back(0);
  } else {
    index = uses_ % kMostSettled;  // whichever
  }
  const Entry* entry = entry_of(kernel);
  Settled& made = settled_[index];
  made.told = told;
  made.graph = entry->graphs[entry->latest].cell->graph();
  made.last_use = uses_;
  made.next = latest_settled_ = static_cast<uint32_t>(index);
  made.arguments_size = static_cast<uint32_t>(launch.args_size);
  if (launch.args_size > 0) std::memcpy(made.arguments.data(), launch.args, launch.args_size);
  settled_kernels_[index] = kernel;
}

template <class F>
void LaunchGraphs::unsettle(F which) {
  for (size_t i = settled_.size(); i-- > 0;) {
    if (!which(i)) continue;
    std::swap(settled_[i], settled_.back());
    std::swap(settled_kernels_[i], settled_kernels_.back());
    settled_.pop_back();
    settled_kernels_.pop_back();
  }
}

uint64_t LaunchGraphs::last_use(const Entry& entry) const {
  uint64_t last = entry.last_use;
  for (size_t i = 0; i < settled_.size(); ++i) {
    if (settled_kernels_[i] == entry.kernel) last = std::max(last, settled_[i].last_use);
  }
  return last;
}

uint64_t LaunchGraphs::last_use(const Graph& graph) const {
  uint64_t last = graph.last_use;
  for (const Settled& settled : settled_) {
    if (settled.graph == graph.cell->graph()) last = std::max(last, settled.last_use);
  }
  return last;
}

void LaunchGraphs::close(Entry& entry) {
  unsettle([&](size_t i) { return settled_kernels_[i] == entry.kernel; });
  for (const Graph& graph : entry.graphs) graph.cell->close();
  entry.graphs.clear();
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
  std::erase_if(entries_, [](const Entry& entry) {
    return !entry.graphs.empty() && std::all_of(entry.graphs.begin(), entry.graphs.end(),
                                                [](const Graph& graph) { return graph.cell->closed(); });
  });
  if (entries_.size() < kMost) return;
  const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                       [&](const Entry& a, const Entry& b) { return last_use(a) < last_use(b); });
  close(*oldest);
  entries_.erase(oldest);
}

bool LaunchGraphs::is_good(const Graph& graph) {
  const LaunchGraph* made = graph.cell->graph();
  return made != nullptr && made->good();
}

LaunchGraphs::Graph* LaunchGraphs::add(Entry& entry, Context& context, const LoadedKernel& kernel,
                                       const LaunchPlan& plan, LaunchParameters& parameters) {
  std::unique_ptr<LaunchGraph> made = LaunchGraph::build(context, kernel, plan, parameters);
  if (made == nullptr) {
    entry.most = entry.graphs.size();
    return nullptr;
  }
  Graph& graph = entry.graphs.emplace_back();
  graph.cell = std::make_shared<GraphCell>(std::move(made));
  kernel.closes(graph.cell);
  return &graph;
}

// The one that was not used for the longest time.
LaunchGraphs::Graph* LaunchGraphs::reuse(Entry& entry) {
  const auto oldest = std::min_element(entry.graphs.begin(), entry.graphs.end(),
                                       [&](const Graph& a, const Graph& b) { return last_use(a) < last_use(b); });
  if (oldest == entry.graphs.end()) return nullptr;
  if (entry.most > 1) {
    if (entry.replaced.size() < kMostOfOne) {
      entry.replaced.push_back(std::move(oldest->arguments));
    } else {
      std::rotate(entry.replaced.begin(), entry.replaced.begin() + 1, entry.replaced.end());
      std::swap(entry.replaced.back(), oldest->arguments);
    }
  }
  return &*oldest;
}

LaunchGraphs::Graph* LaunchGraphs::graph_for(Entry& entry, Context& context, const LoadedKernel& kernel,
                                             const LaunchPlan& plan, LaunchParameters& parameters) {
  if (entry.latest < entry.graphs.size() && has(entry.graphs[entry.latest].arguments, parameters)) {
    return &entry.graphs[entry.latest];
  }
  const auto before = std::find_if(entry.graphs.begin(), entry.graphs.end(),
                                   [&](const Graph& graph) { return has(graph.arguments, parameters); });
  if (before != entry.graphs.end()) return &*before;
  // Another graph is worth having where arguments come back.
  const auto back = std::find_if(entry.replaced.begin(), entry.replaced.end(),
                                 [&](const Arguments& arguments) { return has(arguments, parameters); });
  const bool comes_back = back != entry.replaced.end();
  if (comes_back) entry.replaced.erase(back);
  Graph* graph = nullptr;
  if (entry.graphs.empty() || (comes_back && entry.graphs.size() < entry.most)) {
    graph = add(entry, context, kernel, plan, parameters);
  }
  if (graph == nullptr) graph = reuse(entry);
  if (graph == nullptr) return nullptr;
  graph->arguments.assign(parameters.arguments(), parameters.arguments() + parameters.arguments_size());
  return graph;
}

LaunchGraph* LaunchGraphs::find(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                                LaunchParameters& parameters) {
  Entry* entry = entry_of(kernel.id());
  if (entry == nullptr) {
    make_room();
    Entry& made = entries_.emplace_back();
    made.kernel = kernel.id();
    made.last_use = ++uses_;
    return nullptr;
  }
  entry->last_use = ++uses_;
  if (entry->refused) return nullptr;
  Graph* graph = graph_for(*entry, context, kernel, plan, parameters);
  if (graph == nullptr || !is_good(*graph)) {
    close(*entry);
    entry->refused = true;
    kernel.launched_by_task.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  unsettle([&](size_t i) { return settled_[i].graph == graph->cell->graph(); });
  graph->last_use = uses_;
  entry->latest = static_cast<size_t>(graph - entry->graphs.data());
  return graph->cell->graph();
}

}  // namespace qd::rhi::cuda
