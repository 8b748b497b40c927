#include "core/analysis/value_number.h"

#include <algorithm>
#include <type_traits>

#include "core/analysis/access.h"

namespace qd {

namespace {

template <class T>
void append_key(std::string& key, const T& member) {
  if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    key += ',' + std::to_string(static_cast<int64_t>(member));
  } else if constexpr (std::is_same_v<T, std::string>) {
    key += ',' + std::to_string(member.size()) + ':' + member;
  } else {
    std::apply([&](const auto&... inner) { (append_key(key, inner), ...); }, member.members());
  }
}

std::string attributes_key(const Stmt* stmt) {
  std::string key;
  visit(const_cast<Stmt*>(stmt), [&](const auto* typed) {
    std::apply([&](const auto&... member) { (append_key(key, member), ...); }, typed->members());
  });
  return key;
}

}  // namespace

ValueNumbers::ValueNumbers(const Stmt* task) {
  for (const auto& block : task->blocks) {
    walk(static_cast<const Block*>(block.get()), [&](const Stmt* stmt) {
      const auto* temp = as<TempPtrStmt>(pointer_root(memory_access(stmt).written));
      if (temp != nullptr) written_temps_.insert(temp->offset);
    });
  }
}

// Same operands, same result.
bool ValueNumbers::is_function(const Stmt* stmt) const {
  if (stmt->kind == StmtKind::load) {
    const Stmt* root = pointer_root(stmt->operands[0]);
    if (root->kind == StmtKind::arg_place) return true;
    const auto* temp = as<TempPtrStmt>(root);
    return temp != nullptr && !written_temps_.contains(temp->offset);
  }
  return stmt->kind == StmtKind::binary || stmt->kind == StmtKind::element_ptr || stmt->kind == StmtKind::offset_ptr ||
         is_pure(stmt);
}

ValueNumber ValueNumbers::number(const Stmt* value) {
  if (auto found = numbers_.find(value); found != numbers_.end()) return found->second;
  const auto fresh = static_cast<ValueNumber>(numbers_.size());
  ValueNumber result = fresh;
  if (value->kind != StmtKind::loop_index && is_function(value)) {
    std::string key = std::to_string(static_cast<int>(value->kind)) + '/' +
                      std::to_string(reinterpret_cast<uintptr_t>(value->type)) + attributes_key(value);
    for (const Stmt* operand : value->operands) key += ';' + std::to_string(number(operand));
    result = known_.emplace(std::move(key), static_cast<ValueNumber>(numbers_.size())).first->second;
  } else if (const auto* index = as<LoopIndexStmt>(value)) {
    std::string key = "i/" + std::to_string(reinterpret_cast<uintptr_t>(index->operands[0])) + attributes_key(value);
    result = known_.emplace(std::move(key), fresh).first->second;
  }
  numbers_.emplace(value, result);
  return result;
}

bool ValueNumbers::invariant(const Stmt* value) {
  if (auto found = invariant_.find(value); found != invariant_.end()) return found->second;
  const bool result =
      value->kind != StmtKind::loop_index && is_function(value) &&
      std::all_of(value->operands.begin(), value->operands.end(), [&](const Stmt* x) { return invariant(x); });
  invariant_.emplace(value, result);
  return result;
}

bool ValueNumbers::safe(const Stmt* value) {
  if (auto found = safe_.find(value); found != safe_.end()) return found->second;
  const bool result =
      (value->kind == StmtKind::load || is_pure(value)) &&
      std::all_of(value->operands.begin(), value->operands.end(), [&](const Stmt* x) { return safe(x); });
  safe_.emplace(value, result);
  return result;
}

Stmt* ValueNumbers::copy(Stmt* value, Emitter& emitter, StmtMap& made) {
  if (auto found = made.find(value); found != made.end()) return found->second;
  std::vector<Stmt*> operands;
  for (Stmt* operand : value->operands) operands.push_back(copy(operand, emitter, made));
  StmtMap ignored;
  std::unique_ptr<Stmt> owned = clone(value, ignored);
  owned->operands = std::move(operands);
  owned->group = emitter.group;
  Stmt* result = emitter.block()->append(std::move(owned));
  emitter.set_block(emitter.block());
  made[value] = result;
  return result;
}

}  // namespace qd
