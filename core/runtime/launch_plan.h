// The launch plan: which tasks run in order and which groups of tasks may overlap. The only place that groups tasks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace qd {

// A compiled kernel's task, as the launcher sees it.
struct OffloadedTask {
  std::string name;  // kernel_0_serial, kernel_1_range, or LoopOptions::name
  TaskType type = TaskType::serial;
  GroupId group = 0;
  int32_t dims = 0;
  LoopOptions options;
  int64_t cost = 0;
  PosId pos = -1;
  friend bool operator==(const OffloadedTask&, const OffloadedTask&) = default;
};

struct PlanChain {
  GroupId group = 0;
  std::vector<int32_t> tasks;  // indices, in order
};

// Chains of one phase may overlap; a phase starts when the one before has ended. A phase of group 0 has one chain.
struct PlanPhase {
  std::vector<PlanChain> chains;
  bool parallel() const { return chains.size() > 1; }
};

struct LaunchPlan {
  std::vector<PlanPhase> phases;
  int32_t width() const;  // the largest number of chains in a phase; 0 for an empty kernel
};

LaunchPlan plan_launch(const std::vector<OffloadedTask>& tasks);
// streams: how many the device has for the chains of a phase, 0 if as many as needed. Chains that share one are told.
std::string to_string(const LaunchPlan& plan, const std::vector<OffloadedTask>& tasks, int32_t streams = 0);
// The same for Graphviz's dot: a node a task, an edge where one starts after another has ended; regions fork and join.
std::string to_graphviz(const LaunchPlan& plan, const std::vector<OffloadedTask>& tasks);

}  // namespace qd
