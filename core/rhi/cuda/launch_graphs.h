// The graphs that a slot launches kernels with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/rhi/cuda/graph_cell.h"
#include "core/rhi/cuda/launch_graph.h"
#include "core/rhi/device.h"

namespace qd::rhi::cuda {

// Of each kernel there is one for each of a few sets of arguments that it is launched with in turn: to a driver, a
// launch with other arguments than the graph had before costs up to a third more. Not thread-safe, but a kernel
// may go at any time while it is not launched.
class LaunchGraphs {
 public:
  static constexpr size_t kMost = 64;      // kernels
  static constexpr size_t kMostOfOne = 4;  // graphs of one of them
  LaunchGraphs() = default;
  ~LaunchGraphs();
  LaunchGraphs(const LaunchGraphs&) = delete;
  LaunchGraphs& operator=(const LaunchGraphs&) = delete;

  // What changes a graph besides the arguments, of a kernel that neither prints nor draws random numbers.
  struct Told {
    CUdeviceptr temps = 0;
    uint64_t failures = 0;  // as LaunchGraph::update
    friend bool operator==(const Told&, const Told&) = default;
  };
  // The graph of a launch that is as one before for which settled() was called: it needs no update. Null where there is
  // none.
  LaunchGraph* repeated(uint64_t kernel, const QueuedLaunch& launch, const Told& told);
  // The graph found last was updated for this. Its kernel keeps its number and does not print.
  void settled(uint64_t kernel, const QueuedLaunch& launch, const Told& told);

  // A kernel's graph, from its second launch on, that had these arguments before if one had; null before, and where the
  // driver makes none.
  LaunchGraph* find(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan, LaunchParameters& parameters);

 private:
  using Arguments = std::vector<char>;
  struct Graph {
    std::shared_ptr<GraphCell> cell;
    uint64_t last_use = 0;  // but for those that settled_ knows of
    Arguments arguments;
  };
  struct Entry {
    uint64_t kernel = 0, last_use = 0;  // likewise
    bool refused = false;               // the driver makes no graph of it
    size_t most = kMostOfOne;           // that the driver makes
    std::vector<Graph> graphs;
    size_t latest = 0;                // index of the graph that was found last
    std::vector<Arguments> replaced;  // the latest that a graph had before it got others
  };
  // All that a repeated launch has to look at, close together: what the driver does between two launches leaves little
  // of ours in the processor's caches.
  struct Settled {
    static constexpr size_t kMostArguments = 128;  // bytes
    Told told;
    LaunchGraph* graph = nullptr;  // gone where the kernel is
    uint64_t last_use = 0;
    uint32_t next = 0;  // index of the one that was launched after it the last time
    uint32_t arguments_size = 0;
    std::array<char, kMostArguments> arguments{};
  };
  static constexpr size_t kMostSettled = 32;

  bool is_settled(size_t index, uint64_t kernel, const QueuedLaunch& launch, const Told& told) const;
  template <class F>
  void unsettle(F which);
  Entry* entry_of(uint64_t kernel);
  void make_room();
  static bool is_good(const Graph& graph);
  void close(Entry& entry);
  uint64_t last_use(const Entry& entry) const;
  uint64_t last_use(const Graph& graph) const;
  Graph* graph_for(Entry& entry, Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                   LaunchParameters& parameters);
  static Graph* add(Entry& entry, Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                    LaunchParameters& parameters);
  Graph* reuse(Entry& entry);

  std::vector<Entry> entries_;
  size_t latest_ = 0;  // index of the entry that was found last
  uint64_t uses_ = 0;
  std::vector<Settled> settled_;
  std::vector<uint64_t> settled_kernels_;  // of those
  uint32_t latest_settled_ = 0;            // index of the one that was launched last
};

}  // namespace qd::rhi::cuda
