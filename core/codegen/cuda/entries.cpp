#include "core/codegen/cuda/entries.h"

#include <algorithm>
#include <utility>

#include "core/codegen/task_list.h"
#include "core/ir/edit.h"
#include "core/runtime/launch_plan.h"

namespace qd {

namespace {

// Each thread of an entry has room for the locals of all its scopes.
constexpr int64_t kMostLocals = 512;

// Random numbers follow from the place of the task that draws them, of which an entry has one.
bool may_share(const TaskContext& context) {
  if (context.task.task != TaskType::serial || context.reads_random) return false;
  int64_t locals = 0;
  for (const Block* block : blocks_of(context.task)) {
    walk(block, [&](const Stmt* stmt) {
      if (stmt->kind == StmtKind::alloca_) locals += stmt->type->element->size;
    });
  }
  return locals <= kMostLocals;
}

bool can_end_launch(const OffloadedStmt& task) {
  bool found = task.task == TaskType::range_for && !has_host_bounds(task);
  for (const Block* block : blocks_of(task)) {
    walk(block, [&](const Stmt* stmt) { found |= stmt->kind == StmtKind::check || stmt->kind == StmtKind::stop; });
  }
  return found;
}

}  // namespace

bool has_host_bounds(const OffloadedStmt& task) {
  if (task.task != TaskType::range_for) return false;
  bool reads_temps = false;
  walk(static_cast<const Block*>(task.blocks[offloaded_block::bounds].get()),
       [&](const Stmt* stmt) { reads_temps |= stmt->kind == StmtKind::temp_ptr; });
  return !reads_temps;
}

std::vector<Entry> plan_entries(const std::vector<TaskContext>& tasks) {
  std::vector<OffloadedTask> described;
  for (const TaskContext& task : tasks) described.push_back(describe(task));
  std::vector<Entry> entries;
  bool ended_before = false;  // the phase
  for (const PlanPhase& phase : plan_launch(described).phases) {
    Entry shared{.tasks = {}, .may_have_ended = ended_before};
    bool ended_within = false;
    for (const PlanChain& chain : phase.chains) {
      const auto first = static_cast<size_t>(chain.tasks.front());
      const bool shares = phase.parallel() && chain.tasks.size() == 1 && may_share(tasks[first]);
      bool may_have_ended = ended_before;
      for (const int32_t index : chain.tasks) {
        const auto task = static_cast<size_t>(index);
        if (shares) {
          shared.tasks.push_back(task);
        } else {
          entries.push_back({.tasks = {task}, .may_have_ended = may_have_ended});
        }
        may_have_ended |= can_end_launch(tasks[task].task);
      }
      ended_within |= may_have_ended;
    }
    ended_before |= ended_within;
    if (shared.tasks.empty()) continue;
    std::sort(shared.tasks.begin(), shared.tasks.end());
    entries.push_back(std::move(shared));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.tasks.front() < b.tasks.front(); });
  return entries;
}

}  // namespace qd
