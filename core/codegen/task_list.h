// The tasks of a kernel, as each device's code generation takes them.
#pragma once

#include <vector>

#include "core/codegen/task_codegen.h"
#include "core/runtime/launch_plan.h"

namespace qd {

// In order. What is given must outlive the contexts.
std::vector<TaskContext> find_tasks(const KernelIR& kernel, const CompileOptions& options, const LaunchSites& sites);
// The task as the launcher sees it.
OffloadedTask describe(const TaskContext& context);
// All blocks of a task.
std::vector<const Block*> blocks_of(const OffloadedStmt& task);
// Throws Error(Code::internal) where the task writes a temporary that its bounds read: whoever runs a part of the task
// computes the bounds again, which is right only while they stay the same.
void require_stable_bounds(const OffloadedStmt& task);

}  // namespace qd
