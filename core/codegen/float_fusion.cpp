#include "core/codegen/float_fusion.h"

#include <functional>

#include "core/ir/edit.h"

namespace qd {

namespace {

bool is_round(const Stmt* stmt) {
  const auto* cast = as<CastStmt>(stmt);
  return cast != nullptr && cast->op == CastOp::round;
}

// Calls f on the statements that compute the value, seen through what passes it on or only changes its sign.
void for_each_source(const Stmt* stmt, const std::function<void(const Stmt*)>& f) {
  if (const auto* unary = as<UnaryStmt>(stmt);
      unary != nullptr && (unary->op == UnaryOp::neg || unary->op == UnaryOp::abs)) {
    for_each_source(unary->operands[0], f);
  } else if (as<SelectStmt>(stmt) != nullptr) {
    for_each_source(stmt->operands[1], f);
    for_each_source(stmt->operands[2], f);
  } else {
    f(stmt);
  }
}

}  // namespace

std::unordered_set<const Stmt*> find_unfused(const OffloadedStmt& task) {
  std::unordered_set<const Stmt*> unfused;
  auto note = [&](const Stmt* stmt) {
    if (is_round(stmt)) {
      for_each_source(stmt->operands[0], [&](const Stmt* source) {
        if (as<BinaryStmt>(source) != nullptr) unfused.insert(source);
      });
    } else if (as<BinaryStmt>(stmt) != nullptr) {
      for (const Stmt* operand : stmt->operands) {
        for_each_source(operand, [&](const Stmt* source) {
          if (!is_round(source)) return;
          for_each_source(source->operands[0], [&](const Stmt* rounded) {
            if (as<BinaryStmt>(rounded) == nullptr) unfused.insert(stmt);
          });
        });
      }
    }
  };
  for (const auto& block : task.blocks) walk(static_cast<const Block*>(block.get()), note);
  return unfused;
}

}  // namespace qd
