// Rounds of three steps until nothing changes: values (folding, identities, branches on constants), locals (a load of
// a local becomes what was stored), dead statements.
#include "core/ir/constant.h"
#include "core/ir/edit.h"
#include "core/transforms/fold.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

const ConstantStmt* constant(const Stmt* stmt) { return as<ConstantStmt>(stmt); }

// The operand that a pure integer or bool operator passes through, or a constant operand that decides it; null if
// neither.
Stmt* identity_of(const BinaryStmt* stmt) {
  if (stmt->operands[0]->type->is_float()) return nullptr;
  Stmt* x = stmt->operands[0];
  Stmt* y = stmt->operands[1];
  const auto is = [](const Stmt* operand, uint64_t bits) {
    return constant(operand) != nullptr && constant(operand)->bits == bits;
  };
  const uint64_t ones = integer_bits(x->type, ~uint64_t{0});
  switch (stmt->op) {
    case BinaryOp::add:
    case BinaryOp::bit_xor:
      return is(y, 0) ? x : is(x, 0) ? y : nullptr;
    case BinaryOp::bit_or:
    case BinaryOp::logic_or:
      if (is(x, ones) || is(y, 0)) return x;
      return is(y, ones) || is(x, 0) ? y : nullptr;
    case BinaryOp::bit_and:
    case BinaryOp::logic_and:
      if (is(x, 0) || is(y, ones)) return x;
      return is(y, 0) || is(x, ones) ? y : nullptr;
    case BinaryOp::mul:
      if (is(x, 0) || is(y, 1)) return x;
      return is(y, 0) || is(x, 1) ? y : nullptr;
    case BinaryOp::sub:
    case BinaryOp::and_not:
    case BinaryOp::shl:
    case BinaryOp::shr:
      return is(y, 0) ? x : nullptr;
    case BinaryOp::div:
    case BinaryOp::floor_div:
      return is(y, 1) ? x : nullptr;
    default:
      return nullptr;
  }
}

std::optional<uint64_t> folded(const Stmt* stmt) {
  for (const Stmt* operand : stmt->operands) {
    if (constant(operand) == nullptr) return {};
  }
  const auto type = [&](size_t i) { return stmt->operands[i]->type; };
  const auto bits = [&](size_t i) { return constant(stmt->operands[i])->bits; };
  if (const auto* unary = as<UnaryStmt>(stmt)) return fold_unary(unary->op, type(0), bits(0));
  if (const auto* binary = as<BinaryStmt>(stmt)) return fold_binary(binary->op, type(0), bits(0), type(1), bits(1));
  if (const auto* cast = as<CastStmt>(stmt)) return fold_cast(cast->op, type(0), stmt->type, bits(0));
  return {};
}

class Simplifier {
 public:
  explicit Simplifier(KernelIR& kernel) : kernel_(kernel), root_(kernel.root.get()) {}

  void run() {
    do {
      changed_ = false;
      values(root_);
      locals();
      // An offloaded statement's bounds stand inside it, after their use.
      walk(root_, [this](Stmt* stmt) { resolve(stmt); });
      dead();
      // Only now: the map is keyed by address.
      replaced_.clear();
      removed_.clear();
    } while (changed_);
  }

 private:
  void replace(Stmt* from, Stmt* to) {
    replaced_[from] = to;
    changed_ = true;
  }

  void resolve(Stmt* stmt) {
    for (Stmt*& operand : stmt->operands) {
      for (auto found = replaced_.find(operand); found != replaced_.end(); found = replaced_.find(operand)) {
        operand = found->second;
      }
    }
  }

  void remove(Block* block, size_t index) {
    removed_.push_back(block->take(index));
    changed_ = true;
  }

  // ---- values ----

  void values(Block* block) {
    for (size_t i = 0; i < block->statements.size(); ++i) {
      Stmt* stmt = block->statements[i].get();
      resolve(stmt);
      if (splice(stmt, i)) {
        --i;
        continue;
      }
      if (Stmt* value = simpler(stmt, i)) {
        replace(stmt, value);
        if (value == block->statements[i].get()) ++i;
      }
      for (auto& inner : stmt->blocks) values(inner.get());
      if (!always_leaves(stmt)) continue;
      while (block->statements.size() > i + 1) remove(block, block->statements.size() - 1);
    }
  }

  // What the statement at `index` of its block equals, null if nothing simpler is known. A new constant goes before it.
  Stmt* simpler(Stmt* stmt, size_t index) {
    if (!is_pure(stmt)) return nullptr;
    if (std::optional<uint64_t> bits = folded(stmt)) {
      Emitter emitter(kernel_.types, stmt->parent, index);
      emitter.pos = stmt->pos;
      emitter.group = stmt->group;
      return emitter.constant(stmt->type, *bits);
    }
    if (const auto* binary = as<BinaryStmt>(stmt)) return identity_of(binary);
    if (stmt->kind == StmtKind::select) {
      if (stmt->operands[1] == stmt->operands[2]) return stmt->operands[1];
      const ConstantStmt* condition = constant(stmt->operands[0]);
      return condition == nullptr ? nullptr : stmt->operands[condition->bits != 0 ? 1 : 2];
    }
    if (const auto* unary = as<UnaryStmt>(stmt); unary != nullptr && unary->op == UnaryOp::logic_not) {
      const auto* inner = as<UnaryStmt>(stmt->operands[0]);
      return inner != nullptr && inner->op == UnaryOp::logic_not ? inner->operands[0] : nullptr;
    }
    if (const auto* cast = as<CastStmt>(stmt); cast != nullptr && !stmt->type->is_float()) {
      return stmt->type == stmt->operands[0]->type ? stmt->operands[0] : nullptr;
    }
    return nullptr;
  }

  // Puts the taken block of an `if` on a constant in its place. What follows a block that leaves goes when the
  // statement that leaves is met.
  bool splice(Stmt* stmt, size_t index) {
    if (stmt->kind != StmtKind::if_ || constant(stmt->operands[0]) == nullptr) return false;
    Block* parent = stmt->parent;
    std::vector<std::unique_ptr<Stmt>> taken =
        std::move(stmt->blocks[constant(stmt->operands[0])->bits != 0 ? 0 : 1]->statements);
    remove(parent, index);
    for (auto& inner : taken) parent->insert(index++, std::move(inner));
    return true;
  }

  // ---- locals ----

  struct Local {
    Stmt* store = nullptr;
    bool simple = true;  // at most one store, in the local's own block, before every load
    std::vector<Stmt*> loads;
  };

  void locals() {
    std::unordered_map<Stmt*, Local> found;
    walk(root_, [&](Stmt* stmt) {
      if (stmt->kind == StmtKind::alloca_ && stmt->type->element->is_scalar()) found[stmt];
      for (size_t i = 0; i < stmt->operands.size(); ++i) {
        auto used = found.find(stmt->operands[i]);
        if (used == found.end()) continue;
        Local& local = used->second;
        if (stmt->kind == StmtKind::load) {
          local.loads.push_back(stmt);
        } else if (stmt->kind == StmtKind::store && i == 0 && local.store == nullptr && local.loads.empty() &&
                   stmt->parent == used->first->parent) {
          local.store = stmt;
        } else {
          local.simple = false;
        }
      }
    });
    for (auto& [alloca, local] : found) {
      if (!local.simple || local.loads.empty()) continue;
      Stmt* value = local.store != nullptr ? local.store->operands[1]
                                           : Emitter::after(kernel_.types, alloca).constant(alloca->type->element, 0);
      for (Stmt* load : local.loads) replace(load, value);
    }
  }

  // ---- dead statements ----

  void dead() {
    uses_ = count_uses(root_);
    readers_.clear();
    walk(root_, [this](Stmt* stmt) {
      for (size_t i = 0; i < stmt->operands.size(); ++i) {
        if (!only_writes(stmt, i)) ++readers_[stmt->operands[i]];
      }
    });
    sweep(root_);
  }

  // The statement does nothing with this operand but write to it.
  static bool only_writes(const Stmt* stmt, size_t operand) {
    return operand == 0 && (stmt->kind == StmtKind::store || stmt->kind == StmtKind::zero);
  }

  bool is_dead(const Stmt* stmt) {
    if (only_writes(stmt, 0)) {
      const Stmt* target = stmt->operands[0];
      return target->kind == StmtKind::alloca_ && readers_[target] == 0;
    }
    if (stmt->kind == StmtKind::if_) {
      return stmt->blocks[0]->statements.empty() && stmt->blocks[1]->statements.empty();
    }
    bool removable = is_pure(stmt) || stmt->kind == StmtKind::load || stmt->kind == StmtKind::alloca_ ||
                     stmt->kind == StmtKind::random;
    return removable && uses_[stmt] == 0;
  }

  // Backwards, so that a statement's users are gone before it is looked at.
  void sweep(Block* block) {
    bool any = false;
    for (size_t i = block->statements.size(); i-- > 0;) {
      Stmt* stmt = block->statements[i].get();
      for (auto& inner : stmt->blocks) sweep(inner.get());
      if (!is_dead(stmt)) continue;
      for (size_t k = 0; k < stmt->operands.size(); ++k) {
        --uses_[stmt->operands[k]];
        if (!only_writes(stmt, k)) --readers_[stmt->operands[k]];
      }
      removed_.push_back(std::move(block->statements[i]));
      any = true;
    }
    if (!any) return;
    std::erase(block->statements, nullptr);
    changed_ = true;
  }

  KernelIR& kernel_;
  Block* root_;
  StmtMap replaced_;
  std::vector<std::unique_ptr<Stmt>> removed_;
  std::unordered_map<const Stmt*, int> uses_;
  std::unordered_map<const Stmt*, int> readers_;  // uses other than writing
  bool changed_ = false;
};

}  // namespace

void simplify(KernelIR& kernel) { Simplifier(kernel).run(); }

}  // namespace qd
