// What must hold of the task list, whatever the passes before did. A failure is a fault of this library.
#include <algorithm>
#include <unordered_set>

#include "core/analysis/access.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"
#include "core/ir/print.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

struct TempUse {
  int64_t begin, end;
  GroupId group;
  PosId pos;
};

class OffloadVerifier {
 public:
  explicit OffloadVerifier(const KernelIR& kernel) : kernel_(kernel) {}

  void run() {
    for (const auto& owned : kernel_.root->statements) {
      const auto* task = as<OffloadedStmt>(owned.get());
      if (task == nullptr) fail(owned.get(), "a statement outside tasks remains");
      verify_task(task);
    }
    verify_temps();
  }

 private:
  [[noreturn]] void fail(const Stmt* stmt, const std::string& what) const {
    throw Error(Code::internal, "verify_offload: " + what + ": " + print(kernel_, stmt), stmt->pos);
  }

  void verify_task(const OffloadedStmt* task) {
    if (task->blocks.size() != offloaded_block::count) fail(task, "a task must have its six blocks");
    const bool serial = task->task == TaskType::serial;
    if (task->dims < (serial ? 0 : 1) || task->dims > (serial ? 0 : 3)) fail(task, "wrong number of axes");
    if (task->operands.size() != 2 * static_cast<size_t>(task->dims)) fail(task, "two bounds an axis are needed");
    const Block* bounds = task->blocks[offloaded_block::bounds].get();
    for (const Stmt* bound : task->operands) {
      if (bound->parent != bounds) fail(bound, "a bound is not computed in its task's bounds block");
    }
    if (serial) {
      for (size_t b = 0; b < offloaded_block::count; b++) {
        if (b != offloaded_block::body && !task->blocks[b]->statements.empty()) {
          fail(task, "a serial task has a body only");
        }
      }
    }
    verify_contents(task, serial);
    for (const auto& stmt : bounds->statements) verify_bound(stmt.get());
  }

  void verify_contents(const OffloadedStmt* task, bool serial) {
    std::unordered_set<const Stmt*> inside{task};
    for (const auto& block : task->blocks) {
      walk(static_cast<const Block*>(block.get()), [&](const Stmt* stmt) { inside.insert(stmt); });
    }
    for (const auto& block : task->blocks) {
      walk(static_cast<const Block*>(block.get()), [&](const Stmt* stmt) {
        if (stmt->group != task->group) fail(stmt, "a task holds statements of two groups");
        for (const Stmt* operand : stmt->operands) {
          if (!inside.contains(operand)) fail(stmt, "a value crosses tasks");
        }
        if (stmt->kind == StmtKind::offloaded) fail(stmt, "a task inside a task");
        if (stmt->kind == StmtKind::stop && !serial) fail(stmt, "a range task cannot end the kernel");
        const auto* loop = as<RangeForStmt>(stmt);
        if (loop != nullptr && loop->parallel) fail(stmt, "a parallel loop remains inside a task");
        if (const auto* temp = as<TempPtrStmt>(stmt)) {
          const int64_t end = temp->offset + temp->type->element->size;
          if (temp->offset < 0 || end > kernel_.temps_size) fail(stmt, "a temporary lies outside the launch block");
          temps_.push_back(TempUse{temp->offset, end, task->group, stmt->pos});
        }
      });
    }
  }

  void verify_bound(const Stmt* stmt) const {
    const StmtKind root = stmt->kind == StmtKind::load ? pointer_root(stmt->operands[0])->kind : stmt->kind;
    const bool reads_block =
        stmt->kind == StmtKind::load && (root == StmtKind::temp_ptr || root == StmtKind::arg_place);
    const bool varies = stmt->kind == StmtKind::element_ptr || stmt->kind == StmtKind::loop_index;
    if (!reads_block && (varies || !is_pure(stmt))) fail(stmt, "a bounds block reads more than it may");
  }

  void verify_temps() {
    std::sort(temps_.begin(), temps_.end(), [](const TempUse& a, const TempUse& b) { return a.begin < b.begin; });
    for (size_t i = 0; i < temps_.size(); i++) {
      for (size_t j = i + 1; j < temps_.size() && temps_[j].begin < temps_[i].end; j++) {
        if (temps_[i].group != temps_[j].group) {
          throw Error(Code::internal, "verify_offload: a temporary crosses groups", temps_[j].pos);
        }
      }
    }
  }

  const KernelIR& kernel_;
  std::vector<TempUse> temps_;
};

}  // namespace

void verify_offload(const KernelIR& kernel) { OffloadVerifier(kernel).run(); }

}  // namespace qd
