#include "core/ir/edit.h"

#include <algorithm>

namespace qd {

namespace {

template <class BlockPointer, class F>
void walk_block(BlockPointer block, const F& f) {
  for (size_t i = 0; i < block->statements.size(); ++i) {
    auto* stmt = block->statements[i].get();
    f(stmt);
    // The callback may have inserted before it.
    while (block->statements[i].get() != stmt) ++i;
    for (size_t b = 0; b < stmt->blocks.size(); ++b) walk_block(static_cast<BlockPointer>(stmt->blocks[b].get()), f);
  }
}

}  // namespace

void walk(Block* block, const std::function<void(Stmt*)>& f) { walk_block(block, f); }
void walk(const Block* block, const std::function<void(const Stmt*)>& f) { walk_block(block, f); }

void replace_uses(Block* root, Stmt* from, Stmt* to) {
  walk(root, [&](Stmt* stmt) { std::replace(stmt->operands.begin(), stmt->operands.end(), from, to); });
}

std::unordered_map<const Stmt*, int> count_uses(const Block* root) {
  std::unordered_map<const Stmt*, int> uses;
  walk(root, [&](const Stmt* stmt) {
    for (const Stmt* operand : stmt->operands) ++uses[operand];
  });
  return uses;
}

bool is_pure(const Stmt* stmt) {
  switch (stmt->kind) {
    case StmtKind::constant:
    case StmtKind::arg_load:
    case StmtKind::arg_place:
    case StmtKind::array_dim:
    case StmtKind::loop_index:
    case StmtKind::unary:
    case StmtKind::cast:
    case StmtKind::select:
    case StmtKind::temp_ptr:
      return true;
    case StmtKind::element_ptr:
      return !as<ElementPtrStmt>(stmt)->check;
    case StmtKind::offset_ptr:
      return !as<OffsetPtrStmt>(stmt)->check;
    case StmtKind::binary:
      break;
    default:
      return false;
  }
  // Dividing by zero and shifting by a negative count fail the launch; nothing on the statement says that a check
  // stands before it.
  const auto* divisor = as<ConstantStmt>(stmt->operands[1]);
  switch (as<BinaryStmt>(stmt)->op) {
    case BinaryOp::div:
    case BinaryOp::rem:
    case BinaryOp::floor_div:
    case BinaryOp::floor_mod:
      return stmt->type->is_float() || (divisor != nullptr && divisor->bits != 0);
    case BinaryOp::shl:
    case BinaryOp::shr:
      return !stmt->operands[1]->type->is_signed() || (divisor != nullptr && static_cast<int64_t>(divisor->bits) >= 0);
    default:
      return true;
  }
}

bool always_leaves(const Stmt* stmt) {
  switch (stmt->kind) {
    case StmtKind::break_:
    case StmtKind::continue_:
    case StmtKind::stop:
      return true;
    case StmtKind::if_:
      return always_leaves(stmt->blocks[0].get()) && always_leaves(stmt->blocks[1].get());
    default:
      return false;
  }
}

bool always_leaves(const Block* block) {
  return !block->statements.empty() && always_leaves(block->statements.back().get());
}

}  // namespace qd
