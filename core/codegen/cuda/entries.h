// Which tasks become which PTX entries, and what an entry must know of the tasks before.
#pragma once

#include <cstddef>
#include <vector>

#include "core/codegen/task_codegen.h"

namespace qd {

struct Entry {
  // By index. Several where each is all of a scope of the same region, serial and small: those are blocks of one
  // kernel, because a launch of each takes a GPU's driver longer than they run.
  std::vector<size_t> tasks;
  // A task that comes before, not one of a scope beside it, may fail or stop the launch.
  bool may_have_ended = false;
};
// In the order of their first tasks.
std::vector<Entry> plan_entries(const std::vector<TaskContext>& tasks);

// A range task whose bounds follow from the arguments alone, so that the host can compute them.
bool has_host_bounds(const OffloadedStmt& task);

}  // namespace qd
