#include "core/ir/verify.h"

#include <algorithm>
#include <unordered_set>

#include "core/ir/edit.h"
#include "core/ir/error.h"
#include "core/ir/print.h"
#include "core/ir/type_rules.h"

namespace qd {

namespace {

bool names_target(StmtKind kind) {
  return kind == StmtKind::break_ || kind == StmtKind::continue_ || kind == StmtKind::loop_index;
}

// Code whose iterations have no order, so that no statement inside may leave it.
bool is_unordered(const Stmt* stmt) {
  if (const auto* loop = as<RangeForStmt>(stmt)) return loop->parallel;
  const auto* task = as<OffloadedStmt>(stmt);
  return task != nullptr && task->task == TaskType::range_for;
}

class Verifier {
 public:
  Verifier(const KernelIR& kernel, const char* stage) : kernel_(kernel), stage_(stage) {}

  void run() {
    const Block* root = kernel_.root.get();
    if (root->parent_stmt != nullptr) throw Error(Code::internal, where() + "the root block has a parent");
    block(root);
  }

 private:
  std::string where() const { return "invalid IR after " + std::string(stage_) + ": "; }

  [[noreturn]] void fail(const Stmt* stmt, const std::string& fault) const {
    std::string text = print(kernel_, stmt);
    throw Error(Code::internal, where() + fault + ": " + text.substr(0, text.find('\n')), stmt->pos);
  }

  // Leaves the block's values visible; the caller hides them again.
  void contents(const Block* block) {
    for (size_t i = 0; i < block->statements.size(); ++i) {
      const Stmt* stmt = block->statements[i].get();
      statement(stmt, block);
      visible_.insert(stmt);
      if (i + 1 < block->statements.size() && always_leaves(stmt)) {
        fail(block->statements[i + 1].get(), "a statement can never be reached");
      }
    }
  }

  void hide(const Block* block) {
    for (const auto& stmt : block->statements) visible_.erase(stmt.get());
  }

  void block(const Block* block) {
    contents(block);
    hide(block);
  }

  void statement(const Stmt* stmt, const Block* parent) {
    if (stmt->parent != parent) fail(stmt, "a statement's parent is not its block");
    for (const auto& inner : stmt->blocks) {
      if (inner == nullptr || inner->parent_stmt != stmt) fail(stmt, "a block's parent is not its statement");
    }
    if (std::string fault = type_fault(kernel_, stmt); !fault.empty()) fail(stmt, fault);
    if (names_target(stmt->kind)) {
      target(stmt);
    } else if (stmt->kind != StmtKind::offloaded) {
      for (const Stmt* operand : stmt->operands) value(stmt, operand);
    }
    if (stmt->kind == StmtKind::stop && std::any_of(enclosing_.begin(), enclosing_.end(), is_unordered)) {
      fail(stmt, "only a serial task can stop the kernel");
    }
    if (stmt->kind == StmtKind::offloaded) {
      task(stmt);
      return;
    }
    enclosing_.push_back(stmt);
    for (const auto& inner : stmt->blocks) block(inner.get());
    enclosing_.pop_back();
  }

  void value(const Stmt* stmt, const Stmt* operand) const {
    if (operand->type == none_type()) fail(stmt, "an operand yields no value");
    if (!visible_.contains(operand)) fail(stmt, "an operand is not defined before its use");
  }

  void target(const Stmt* stmt) const {
    const Stmt* wanted = stmt->operands[0];
    auto found = std::find(enclosing_.begin(), enclosing_.end(), wanted);
    if (found == enclosing_.end()) fail(stmt, "its target does not enclose it");
    if (stmt->kind == StmtKind::loop_index) return;
    // A break leaves its target, a continue stays inside it.
    auto first = stmt->kind == StmtKind::break_ ? found : found + 1;
    if (std::any_of(first, enclosing_.end(), is_unordered)) fail(stmt, "a parallel loop cannot be left");
  }

  // Iterations exist only in the two bodies, and only those and the epilogue see the prologue's values.
  void task(const Stmt* stmt) {
    using namespace offloaded_block;
    if (stmt->parent != kernel_.root.get()) fail(stmt, "a task stands inside another statement");
    const Block* evaluated = stmt->blocks[bounds].get();
    contents(evaluated);
    for (const Stmt* operand : stmt->operands) {
      if (operand->parent != evaluated) fail(stmt, "a bound is not defined in the bounds block");
    }
    hide(evaluated);
    block(stmt->blocks[guard].get());
    contents(stmt->blocks[prologue].get());
    block(stmt->blocks[epilogue].get());
    enclosing_.push_back(stmt);
    block(stmt->blocks[body].get());
    block(stmt->blocks[checked_body].get());
    enclosing_.pop_back();
    hide(stmt->blocks[prologue].get());
  }

  const KernelIR& kernel_;
  const char* stage_;
  std::unordered_set<const Stmt*> visible_;
  std::vector<const Stmt*> enclosing_;
};

}  // namespace

void verify(const KernelIR& kernel, const char* stage) { Verifier(kernel, stage).run(); }

}  // namespace qd
