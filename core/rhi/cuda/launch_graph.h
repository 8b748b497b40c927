// A kernel's launch plan as an executable graph: one call of the driver for all of its tasks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/rhi/cuda/graph_cell.h"
#include "core/rhi/cuda/launch_parameters.h"
#include "core/runtime/launch_plan.h"

namespace qd::rhi::cuda {

class LaunchGraph {
 public:
  // The chains of a phase are branches, but scopes that share an entry are one; a phase starts when all branches of the
  // one before have ended. Null where the
  // driver makes no such graph. The context is current. Throws where it is lost.
  static std::unique_ptr<LaunchGraph> build(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan,
                                            LaunchParameters& parameters);
  ~LaunchGraph();
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  // For launches from now on. False where the driver cannot, or a range is too large, and a launch by tasks must tell;
  // the graph is still good in the second case.
  bool update(LaunchParameters& parameters);
  bool good() const { return good_; }
  void launch(CUstream stream);

 private:
  struct Node {
    const LoadedTask* task = nullptr;
    CUgraphNode node = nullptr;
    int32_t scopes = 1;  // as many run with it
    bool enabled = true;
    CUDA_KERNEL_NODE_PARAMS wanted{};
    // What the driver was told last, where the task may be launched with that again; else empty.
    std::vector<char> told;
  };
  explicit LaunchGraph(Context& context) : context_(context) {}
  CUresult add_nodes(const LoadedKernel& kernel, const LaunchPlan& plan, LaunchParameters& parameters);
  bool update(Node& node, LaunchParameters& parameters);
  // False if the call failed, and the graph is not good any more. Throws where the context is lost.
  bool worked(CUresult result);

  Context& context_;
  CUgraph graph_ = nullptr;  // its nodes name those of exec_
  CUgraphExec exec_ = nullptr;
  std::vector<Node> nodes_;
  bool good_ = true;
};

// The graphs of one slot, by kernel. Not thread-safe, but a kernel may go at any time while it is not launched.
class LaunchGraphs {
 public:
  static constexpr size_t kMost = 64;
  LaunchGraphs() = default;
  ~LaunchGraphs();
  LaunchGraphs(const LaunchGraphs&) = delete;
  LaunchGraphs& operator=(const LaunchGraphs&) = delete;

  // A kernel's graph, from its second launch on; null before, and where the driver makes none.
  LaunchGraph* find(Context& context, const LoadedKernel& kernel, const LaunchPlan& plan, LaunchParameters& parameters);

 private:
  struct Entry {
    uint64_t kernel = 0, last_use = 0;
    bool tried = false;
    std::shared_ptr<GraphCell> cell;
  };
  Entry* entry_of(uint64_t kernel);
  void make_room();

  std::vector<Entry> entries_;
  size_t latest_ = 0;  // index of the entry that was found last
  uint64_t uses_ = 0;
};

}  // namespace qd::rhi::cuda
