// The graphs that a slot launches kernels with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/rhi/cuda/graph_cell.h"
#include "core/rhi/cuda/launch_graph.h"

namespace qd::rhi::cuda {

// Of each kernel there is one for each of a few sets of arguments that it is launched with in turn: to a driver, a
// launch with other arguments than the graph had before costs up to half as much again. Not thread-safe, but a kernel
// may go at any time while it is not launched.
class LaunchGraphs {
 public:
  static constexpr size_t kMost = 64;      // kernels
  static constexpr size_t kMostOfOne = 4;  // graphs of one of them
  LaunchGraphs() = default;
  ~LaunchGraphs();
  LaunchGraphs(const LaunchGraphs&) = delete;
  LaunchGraphs& operator=(const LaunchGraphs&) = delete;

  // A kernel's graph, from its second launch on, that had these arguments before if one had; null before, and where the
  // driver makes none.
  LaunchGraph* find(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan, LaunchParameters& parameters);

 private:
  using Arguments = std::vector<char>;
  struct Graph {
    std::shared_ptr<GraphCell> cell;
    uint64_t last_use = 0;
    Arguments arguments;
  };
  struct Entry {
    uint64_t kernel = 0, last_use = 0;
    bool refused = false;      // the driver makes no graph of it
    size_t most = kMostOfOne;  // that the driver makes
    std::vector<Graph> graphs;
    size_t latest = 0;                // index of the graph that was found last
    std::vector<Arguments> replaced;  // the latest that a graph had before it got others
  };
  Entry* entry_of(uint64_t kernel);
  void make_room();
  static bool is_good(const Graph& graph);
  static void close(Entry& entry);
  Graph* graph_for(Entry& entry, Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                   LaunchParameters& parameters);
  static Graph* add(Entry& entry, Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                    LaunchParameters& parameters);
  static Graph* reuse(Entry& entry);

  std::vector<Entry> entries_;
  size_t latest_ = 0;  // index of the entry that was found last
  uint64_t uses_ = 0;
};

}  // namespace qd::rhi::cuda
