// Two ways to be rid of a check. Where ranges, loop bounds and the conditions on the way prove it, it goes. Of those
// that remain in a range task, the ones that are affine in loop indices move to the guard: one test before the
// iterations chooses between the body without them and a copy with every check.
#include <unordered_set>

#include "core/transforms/guard_range.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

constexpr size_t kMaxCloned = 2000;  // statements of a body that may be doubled
constexpr size_t kMaxGuarded = 64;

using Checks = std::unordered_set<const Stmt*>;

void remove(Block* block, const Checks& checks) {
  std::erase_if(block->statements, [&](const auto& stmt) { return checks.contains(stmt.get()); });
  for (auto& stmt : block->statements) {
    for (auto& inner : stmt->blocks) remove(inner.get(), checks);
  }
}

// a && b where b is evaluated only if a: a u1 local set to a, then to b under an if on a. As the load that reads it.
struct ShortCircuit {
  const Stmt* left = nullptr;
  const Stmt* right = nullptr;
  bool is_and = false;
};
using ShortCircuits = std::unordered_map<const Stmt*, ShortCircuit>;

ShortCircuits find_short_circuits(const Block* body) {
  struct Uses {
    std::vector<const Stmt*> loads, stores;
    bool other = false;
  };
  std::unordered_map<const Stmt*, Uses> locals;
  walk(body, [&](const Stmt* stmt) {
    if (stmt->kind == StmtKind::alloca_ && stmt->type->element->is_bool()) locals[stmt];
    for (size_t i = 0; i < stmt->operands.size(); i++) {
      auto found = locals.find(stmt->operands[i]);
      if (found == locals.end()) continue;
      if (stmt->kind == StmtKind::load) {
        found->second.loads.push_back(stmt);
      } else if (stmt->kind == StmtKind::store && i == 0) {
        found->second.stores.push_back(stmt);
      } else {
        found->second.other = true;
      }
    }
  });
  ShortCircuits result;
  for (const auto& [local, uses] : locals) {
    if (uses.other || uses.stores.size() != 2 || uses.loads.size() != 1) continue;
    const Stmt* first = uses.stores[0];
    const Stmt* second = uses.stores[1];
    const Stmt* load = uses.loads[0];
    const auto* branch = as<IfStmt>(static_cast<const Stmt*>(second->parent->parent_stmt));
    const bool one_block = branch != nullptr && branch->parent == local->parent && first->parent == local->parent &&
                           load->parent == local->parent;
    if (!one_block || branch->operands[0] != first->operands[1]) continue;
    const bool in_order = local->parent->index_of(first) < local->parent->index_of(branch) &&
                          local->parent->index_of(branch) < local->parent->index_of(load);
    if (!in_order) continue;
    const bool is_and = branch->blocks[0].get() == second->parent;
    result.emplace(load, ShortCircuit{first->operands[1], second->operands[1], is_and});
  }
  return result;
}

class Hoister {
 public:
  Hoister(KernelIR& kernel, OffloadedStmt* task)
      : kernel_(kernel), task_(task), numbers_(task), ranges_(numbers_), short_circuits_(find_short_circuits(body())) {}

  void run() {
    ranges_.assume_indices(task_, task_->dims);
    examine(body());
    remove(body(), proved_);
    if (task_->task == TaskType::range_for && !candidates_.empty()) guard();
  }

 private:
  using Indices = std::set<ValueNumber>;

  Block* body() const { return task_->blocks[offloaded_block::body].get(); }

  // ---- what is proved ----

  bool proves(const CheckStmt* check) {
    const auto& x = check->operands;
    switch (check->check) {
      case CheckKind::index:
        return ranges_.at_least(x[0], 0) && ranges_.at_most(x[0], x[1], 1);
      case CheckKind::slice:
        return ranges_.at_least(x[0], 0) && ranges_.at_most(x[0], x[1], 0) && ranges_.at_most(x[1], x[2], 0);
      case CheckKind::nonzero:
        return nonzero_.contains(numbers_.number(x[0])) || ranges_.never_zero(x[0]);
      case CheckKind::shift:
        return ranges_.at_least(x[0], 0);
      case CheckKind::length:
        return ranges_.at_most(x[1], x[0], 0);
      case CheckKind::assertion:
        return false;
    }
    return false;
  }

  // What holds after the check.
  void passed(const CheckStmt* check) {
    const auto& x = check->operands;
    switch (check->check) {
      case CheckKind::index:
        ranges_.assume_at_least(x[0], 0);
        ranges_.assume_at_most(x[0], x[1], 1);
        break;
      case CheckKind::slice:
        ranges_.assume_at_least(x[0], 0);
        ranges_.assume_at_most(x[0], x[1], 0);
        ranges_.assume_at_most(x[1], x[2], 0);
        break;
      case CheckKind::nonzero:
        nonzero_.insert(numbers_.number(x[0]));
        if (ranges_.at_least(x[0], 0)) ranges_.assume_at_least(x[0], 1);
        break;
      case CheckKind::shift:
        ranges_.assume_at_least(x[0], 0);
        break;
      case CheckKind::length:
        ranges_.assume_at_most(x[1], x[0], 0);
        break;
      case CheckKind::assertion:
        assume(x[0], true);
        break;
    }
  }

  void assume(const Stmt* condition, bool holds) {
    if (auto found = short_circuits_.find(condition); found != short_circuits_.end()) {
      if (found->second.is_and != holds) return;
      assume(found->second.left, holds);
      assume(found->second.right, holds);
      return;
    }
    ranges_.assume(condition, holds);
  }

  // ---- which indices a value depends on ----

  void collect_indices(const Stmt* value, Indices& indices, std::unordered_set<const Stmt*>& seen) {
    if (!seen.insert(value).second) return;
    if (value->kind == StmtKind::loop_index) indices.insert(numbers_.number(value));
    if (auto found = short_circuits_.find(value); found != short_circuits_.end()) {
      collect_indices(found->second.left, indices, seen);
      collect_indices(found->second.right, indices, seen);
    }
    if (value->kind == StmtKind::load || value->kind == StmtKind::loop_index) return;
    for (const Stmt* operand : value->operands) collect_indices(operand, indices, seen);
  }

  // A shifted index under a condition on the same loop is there because it does not hold everywhere: as part of the
  // guard it would only spoil it. A loop index as it is may well hold everywhere.
  bool conditional(const CheckStmt* check) {
    if (check->operands[0]->kind == StmtKind::loop_index) return false;
    Indices own;
    std::unordered_set<const Stmt*> seen;
    for (const Stmt* operand : check->operands) collect_indices(operand, own, seen);
    for (const Stmt* condition : conditions_) {
      Indices tested;
      std::unordered_set<const Stmt*> seen_in_condition;
      collect_indices(condition, tested, seen_in_condition);
      for (ValueNumber index : tested) {
        if (own.contains(index)) return true;
      }
    }
    return false;
  }

  // ---- the walk; facts and conditions hold to the end of their block ----

  void examine(Block* block) {
    const size_t facts = ranges_.mark();
    const size_t conditions = conditions_.size();
    const std::set<ValueNumber> nonzero = nonzero_;
    for (auto& owned : block->statements) {
      if (auto* check = as<CheckStmt>(owned.get())) {
        examine_check(check);
      } else if (auto* branch = as<IfStmt>(owned.get())) {
        examine_if(branch);
      } else {
        examine_nested(owned.get());
      }
    }
    ranges_.drop_to(facts);
    conditions_.resize(conditions);
    nonzero_ = nonzero;
  }

  void examine_check(CheckStmt* check) {
    if (proves(check)) {
      proved_.insert(check);
      return;
    }
    passed(check);
    if (check->check != CheckKind::assertion && !conditional(check)) candidates_.push_back(check);
  }

  void examine_if(IfStmt* branch) {
    const Stmt* condition = branch->operands[0];
    for (size_t side = 0; side < 2; side++) {
      const size_t facts = ranges_.mark();
      conditions_.push_back(condition);
      assume(condition, side == 0);
      examine(branch->blocks[side].get());
      conditions_.pop_back();
      ranges_.drop_to(facts);
    }
    for (size_t side = 0; side < 2; side++) {
      if (!always_leaves(branch->blocks[side].get())) continue;
      assume(condition, side != 0);
      conditions_.push_back(condition);
    }
  }

  void examine_nested(Stmt* stmt) {
    const size_t facts = ranges_.mark();
    if (const auto* loop = as<RangeForStmt>(stmt)) ranges_.assume_indices(loop, loop->dims);
    for (auto& inner : stmt->blocks) examine(inner.get());
    ranges_.drop_to(facts);
  }

  // ---- the guard ----

  void guard() {
    size_t size = 0;
    walk(body(), [&](Stmt*) { size++; });
    if (size > kMaxCloned) return;
    GuardRange range(kernel_, task_, numbers_, ranges_);
    Checks moved;
    for (CheckStmt* check : candidates_) {
      if (moved.size() < kMaxGuarded && range.add(check)) moved.insert(check);
    }
    if (moved.empty()) return;
    range.finish();
    StmtMap map;
    std::unique_ptr<Block>& checked = task_->blocks[offloaded_block::checked_body];
    checked = clone(body(), map);
    checked->parent_stmt = task_;
    remove(body(), moved);
  }

  KernelIR& kernel_;
  OffloadedStmt* task_;
  ValueNumbers numbers_;
  SymbolicRange ranges_;
  ShortCircuits short_circuits_;
  std::vector<const Stmt*> conditions_;
  std::set<ValueNumber> nonzero_;
  Checks proved_;
  std::vector<CheckStmt*> candidates_;
};

}  // namespace

void hoist_checks(KernelIR& kernel, const CompileOptions& options) {
  if (!options.checks) return;
  for (auto& owned : kernel.root->statements) Hoister(kernel, as<OffloadedStmt>(owned.get())).run();
}

}  // namespace qd
