#include "core/codegen/cuda/inner_loops.h"

#include <algorithm>

#include "core/ir/edit.h"

namespace qd {

namespace {

bool is_short(const Stmt& loop) {
  constexpr int kMaxStatements = 96;
  int statements = 0;
  bool plain = true;
  for (const auto& code : loop.blocks) {
    walk(static_cast<const Block*>(code.get()), [&](const Stmt* stmt) {
      switch (stmt->kind) {
        case StmtKind::range_for:
        case StmtKind::loop:
        case StmtKind::scope:
        case StmtKind::print:
        case StmtKind::random:
        case StmtKind::atomic:
        case StmtKind::atomic_cas:
        case StmtKind::check:
          plain = false;
          break;
        default:
          ++statements;
      }
    });
  }
  return plain && statements <= kMaxStatements;
}

bool is_constant(const Stmt* value) { return value->kind == StmtKind::constant; }

// Its last axis starts at a multiple of kUnrolled.
bool starts_in_step(const Stmt& loop) {
  const Stmt* begin = loop.operands[loop.operands.size() - 2];
  return is_constant(begin) && static_cast<const ConstantStmt*>(begin)->bits % kUnrolled == 0;
}

}  // namespace

bool is_unrolled(const Stmt& loop) {
  // Of a loop that runs a known number of times LLVM makes more.
  const bool counted =
      loop.kind == StmtKind::range_for && std::all_of(loop.operands.begin(), loop.operands.end(), is_constant);
  return !counted && is_short(loop);
}

std::set<int32_t> arrays_read_in_order(const OffloadedStmt& task) {
  std::set<int32_t> arrays;
  walk(task.blocks[offloaded_block::body].get(), [&](const Stmt* stmt) {
    const auto* element = as<ElementPtrStmt>(stmt);
    if (element == nullptr || element->type->element->size % 4 != 0) return;
    const auto* index = as<LoopIndexStmt>(static_cast<const Stmt*>(element->operands.back()));
    if (index == nullptr || index->operands[0] == &task) return;
    const auto* loop = as<RangeForStmt>(static_cast<const Stmt*>(index->operands[0]));
    if (loop == nullptr || index->axis != loop->dims - 1 || !starts_in_step(*loop) || !is_unrolled(*loop)) return;
    arrays.insert(element->param);
  });
  return arrays;
}

}  // namespace qd
