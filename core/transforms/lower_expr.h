// Expression trees to SSA statements, for lower_ast.
#pragma once

#include <unordered_set>
#include <vector>

#include "core/frontend/ast.h"
#include "core/ir/edit.h"

namespace qd {

// Evaluates expressions where the emitter stands, operands left to right. The statements take the position of the
// expression they come from, and the emitter's group.
class ExprLowering {
 public:
  ExprLowering(const AST& ast, KernelIR& kernel, Emitter& emitter);

  // A scalar. Places are loaded.
  Stmt* value(ExprId id);
  // A place's address, of pointer type.
  Stmt* address(ExprId id);

  // What leaves stand for; set as their statements are lowered.
  std::vector<Stmt*> locals;  // allocas
  std::vector<Stmt*> bound;
  std::vector<Stmt*> loops;  // by label: range_for, loop and scope statements

 private:
  // base + offset, not emitted yet, so that a chain of fields and constant items becomes one statement.
  struct Address {
    Stmt* base = nullptr;
    int64_t offset = 0;
  };
  Address chain(ExprId id);
  Stmt* materialize(Address address, const Type* type);
  Stmt* item(Address base, const Expr& expr);
  Stmt* leaf(const Expr& expr);
  Stmt* inner(const Expr& expr);
  Stmt* binary(const Expr& expr);
  Stmt* rounded(Stmt* value);
  Stmt* short_circuit(const Expr& expr);
  Stmt* checked_index(const Expr& expr);
  // Left to do: how many nodes an operand evaluated although it may not be needed may still cost.
  bool is_cheap(ExprId id, int& budget) const;
  bool always_in_range(const Expr& item) const;
  const Expr& at(ExprId id) const { return ast_.exprs[static_cast<size_t>(id)]; }

  const AST& ast_;
  KernelIR& kernel_;
  Emitter& emitter_;
  int32_t randoms_ = 0;
  std::unordered_set<const Stmt*> unfused_;  // rounding casts whose operand may still be a product
};

}  // namespace qd
