#include "core/analysis/same_value.h"

#include "core/analysis/access.h"
#include "core/ir/edit.h"

namespace qd {

namespace {

bool same_attributes(const Stmt* x, const Stmt* y) {
  return visit(const_cast<Stmt*>(x), [&](const auto* typed) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(typed)>>;
    return typed->members() == static_cast<const T*>(y)->members();
  });
}

}  // namespace

// Depends on its operands alone while only the written arrays change.
bool SameValue::comparable(const Stmt* value) const {
  switch (value->kind) {
    case StmtKind::binary:
    case StmtKind::element_ptr:
    case StmtKind::offset_ptr:
      return true;
    case StmtKind::load: {
      const Stmt* root = pointer_root(value->operands[0]);
      const auto* element = as<ElementPtrStmt>(root);
      return root->kind == StmtKind::arg_place || (element != nullptr && !written_.contains(element->param));
    }
    default:
      return is_pure(value);
  }
}

bool SameValue::same(const Stmt* x, const Stmt* y) {
  const auto key = std::make_pair(x, y);
  if (auto found = known_.find(key); found != known_.end()) return found->second;
  const bool result = compare(x, y);
  known_.emplace(key, result);
  return result;
}

bool SameValue::compare(const Stmt* x, const Stmt* y) {
  if (x->kind != y->kind || x->type != y->type || x->operands.size() != y->operands.size()) return false;
  if (!comparable(x) || !comparable(y) || !same_attributes(x, y)) return false;
  if (x->kind == StmtKind::loop_index) return pair(x->operands[0], y->operands[0]);
  for (size_t i = 0; i < x->operands.size(); i++) {
    if (!same(x->operands[i], y->operands[i])) return false;
  }
  return true;
}

bool SameValue::pair(const Stmt* x, const Stmt* y) {
  const auto left = left_.find(x);
  const auto right = right_.find(y);
  if (left != left_.end() || right != right_.end()) {
    return left != left_.end() && right != right_.end() && left->second == y && right->second == x;
  }
  if (x->kind != y->kind || x->operands.size() != y->operands.size()) return false;
  left_.emplace(x, y);
  right_.emplace(y, x);
  for (size_t i = 0; i < x->operands.size(); i++) {
    if (!same(x->operands[i], y->operands[i])) return false;
  }
  return true;
}

}  // namespace qd
