#include "core/ir/edit.h"

namespace qd {

namespace {

std::unique_ptr<Block> copy_tree(const Block* block, StmtMap& map);

// Operands are still those of the original.
std::unique_ptr<Stmt> copy_tree(const Stmt* stmt, StmtMap& map) {
  std::unique_ptr<Stmt> copy = visit(const_cast<Stmt*>(stmt), [](const auto* typed) -> std::unique_ptr<Stmt> {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(typed)>>;
    using Attributes = typename T::Attributes;
    auto made = std::make_unique<T>();
    static_cast<Attributes&>(*made) = static_cast<const Attributes&>(*typed);
    return made;
  });
  copy->type = stmt->type;
  copy->pos = stmt->pos;
  copy->group = stmt->group;
  copy->operands = stmt->operands;
  map[stmt] = copy.get();
  for (const auto& block : stmt->blocks) {
    copy->blocks.push_back(copy_tree(block.get(), map));
    copy->blocks.back()->parent_stmt = copy.get();
  }
  return copy;
}

std::unique_ptr<Block> copy_tree(const Block* block, StmtMap& map) {
  auto copy = std::make_unique<Block>();
  for (const auto& stmt : block->statements) copy->append(copy_tree(stmt.get(), map));
  return copy;
}

void map_operands(Stmt* stmt, const StmtMap& map) {
  for (Stmt*& operand : stmt->operands) {
    if (auto mapped = map.find(operand); mapped != map.end()) operand = mapped->second;
  }
}

}  // namespace

// Operands are mapped only when the whole copy stands: an offloaded statement's bounds lie inside it.
std::unique_ptr<Stmt> clone(const Stmt* stmt, StmtMap& map) {
  std::unique_ptr<Stmt> copy = copy_tree(stmt, map);
  map_operands(copy.get(), map);
  for (auto& block : copy->blocks) {
    walk(block.get(), [&](Stmt* inner) { map_operands(inner, map); });
  }
  return copy;
}

std::unique_ptr<Block> clone(const Block* block, StmtMap& map) {
  std::unique_ptr<Block> copy = copy_tree(block, map);
  walk(copy.get(), [&](Stmt* inner) { map_operands(inner, map); });
  return copy;
}

}  // namespace qd
