#include "core/codegen/cuda/given.h"

#include <algorithm>

#include "core/codegen/cuda/entries.h"
#include "core/codegen/task_list.h"
#include "core/ir/edit.h"

namespace qd {

namespace {

bool is_given(const Stmt* value, int depth) {
  constexpr int kDeepest = 8;
  switch (value->kind) {
    case StmtKind::constant:
    case StmtKind::arg_load:
    case StmtKind::array_dim:
    case StmtKind::loop_index:
      return true;
    case StmtKind::unary:
    case StmtKind::binary:
    case StmtKind::cast:
    case StmtKind::select:
      return depth < kDeepest && std::all_of(
                                     value->operands.begin(), value->operands.end(),
                                     [&](const Stmt* operand) { return is_given(operand, depth + 1); });
    default:
      return false;
  }
}

bool operands_given(const Stmt& stmt) {
  return std::all_of(stmt.operands.begin(), stmt.operands.end(),
                     [](const Stmt* operand) { return is_given(operand, 0); });
}

// Nothing in it ends the launch, and nothing decides whether what follows it is reached.
bool only_goes_on(const Stmt& stmt) {
  bool found = false;
  for (const auto& block : stmt.blocks) {
    walk(static_cast<const Block*>(block.get()), [&](const Stmt* inner) {
      found |= inner->kind == StmtKind::check || inner->kind == StmtKind::stop || inner->kind == StmtKind::break_ ||
               inner->kind == StmtKind::continue_;
    });
  }
  return !found;
}

bool ends_as_given(const Block& block) {
  return std::all_of(block.statements.begin(), block.statements.end(), [](const auto& owned) {
    const Stmt& stmt = *owned;
    switch (stmt.kind) {
      case StmtKind::check:
        return operands_given(stmt);
      case StmtKind::stop:
      case StmtKind::break_:
      case StmtKind::continue_:
        return false;
      case StmtKind::if_:
      case StmtKind::range_for:
        if (!operands_given(stmt)) return only_goes_on(stmt);
        return std::all_of(stmt.blocks.begin(), stmt.blocks.end(),
                           [](const auto& inner) { return ends_as_given(*inner); });
      default:
        return only_goes_on(stmt);
    }
  });
}

}  // namespace

bool is_given(const Stmt* value) { return is_given(value, 0); }

bool ends_as_given(const OffloadedStmt& task) {
  if (task.task == TaskType::range_for && !has_host_bounds(task)) return false;
  const std::vector<const Block*> blocks = blocks_of(task);
  return std::all_of(blocks.begin(), blocks.end(), [](const Block* block) { return ends_as_given(*block); });
}

}  // namespace qd
