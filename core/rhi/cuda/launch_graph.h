// A kernel's launch plan as an executable graph: one call of the driver for all of its tasks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

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

  // For launches from now on. failures: how many of the slot's were taken; since the latest, each launch has its own
  // number again. False where the driver cannot, or a range is too large, and a launch by tasks must tell; the graph is
  // still good in the second case.
  bool update(LaunchParameters& parameters, uint64_t failures);
  bool good() const { return good_; }
  void launch(CUstream stream);

 private:
  struct Node {
    const LoadedTask* task = nullptr;
    CUgraphNode node = nullptr;
    int32_t scopes = 1;  // as many run with it
    bool enabled = true;
    bool changed = true;  // the driver was not told what is wanted
    CUDA_KERNEL_NODE_PARAMS wanted{};
    std::vector<uint64_t> parameter;  // of the task; its number may be another launch's
  };
  LaunchGraph(Context& context, bool keeps_number) : context_(context), keeps_number_(keeps_number) {}
  CUresult add_nodes(const LoadedKernel& kernel, const LaunchPlan& plan, LaunchParameters& parameters);
  bool want(Node& node, LaunchParameters& parameters);
  bool set(Node& node, uint64_t number);
  // False if the call failed, and the graph is not good any more. Throws where the context is lost.
  bool worked(CUresult result);

  Context& context_;
  const bool keeps_number_;  // CudaModule::keeps_number
  uint64_t failures_ = 0;    // as update() was told
  CUgraph graph_ = nullptr;  // its nodes name those of exec_
  CUgraphExec exec_ = nullptr;
  std::vector<Node> nodes_;
  bool good_ = true;
};

}  // namespace qd::rhi::cuda
