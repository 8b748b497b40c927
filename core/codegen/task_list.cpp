#include "core/codegen/task_list.h"

#include <set>

#include "core/analysis/access.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"

namespace qd {

std::vector<TaskContext> find_tasks(const KernelIR& kernel, const CompileOptions& options, const LaunchSites& sites) {
  std::vector<TaskContext> tasks;
  for (const auto& stmt : kernel.root->statements) {
    const auto* task = as<OffloadedStmt>(static_cast<const Stmt*>(stmt.get()));
    if (task == nullptr) throw Error(Code::internal, "codegen: a statement outside a task", stmt->pos);
    TaskContext context{kernel, options, sites, *task, static_cast<int32_t>(tasks.size())};
    for (const auto& block : task->blocks) {
      walk(static_cast<const Block*>(block.get()), [&](const Stmt* inner) {
        if (inner->kind == StmtKind::random) context.reads_random = true;
      });
    }
    tasks.push_back(context);
  }
  return tasks;
}

OffloadedTask describe(const TaskContext& context) {
  const OffloadedStmt& task = context.task;
  OffloadedTask result{.name = task.options.name,
                       .type = task.task,
                       .group = task.group,
                       .dims = task.dims,
                       .options = task.options,
                       .cost = task.cost,
                       .pos = task.pos};
  if (result.name.empty()) {
    const char* kind = task.task == TaskType::serial ? "_serial" : "_range";
    result.name = context.kernel.name + "_" + std::to_string(context.index) + kind;
  }
  return result;
}

std::vector<const Block*> blocks_of(const OffloadedStmt& task) {
  std::vector<const Block*> blocks;
  for (const auto& block : task.blocks) blocks.push_back(block.get());
  return blocks;
}

void require_stable_bounds(const OffloadedStmt& task) {
  std::set<int64_t> read;
  auto note = [&](const Stmt* stmt) {
    if (const auto* temp = as<TempPtrStmt>(stmt)) read.insert(temp->offset);
  };
  walk(static_cast<const Block*>(task.blocks[offloaded_block::bounds].get()), note);
  auto refuse_write = [&](const Stmt* stmt) {
    switch (stmt->kind) {
      case StmtKind::store:
      case StmtKind::copy:
      case StmtKind::zero:
      case StmtKind::atomic:
      case StmtKind::atomic_cas:
        break;
      default:
        return;
    }
    const auto* temp = as<TempPtrStmt>(pointer_root(stmt->operands[0]));
    if (temp != nullptr && read.contains(temp->offset)) {
      throw Error(Code::internal, "codegen: a task writes a temporary that its bounds read", stmt->pos);
    }
  };
  for (size_t i = offloaded_block::prologue; i < task.blocks.size(); ++i) {
    walk(static_cast<const Block*>(task.blocks[i].get()), refuse_write);
  }
}

}  // namespace qd
