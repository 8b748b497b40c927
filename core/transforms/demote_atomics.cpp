// An atomic becomes plain where no other thread can meet its cell: locals, serial tasks that run alone, and array
// elements that belong to one iteration.
#include <map>

#include "core/analysis/access.h"
#include "core/analysis/value_number.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

// The tasks that may run at the same time as `index`: the other groups of its run of consecutive groups.
std::vector<const OffloadedStmt*> concurrent_tasks(const Block* root, size_t index) {
  const auto task = [&](size_t i) { return as<OffloadedStmt>(root->statements[i].get()); };
  std::vector<const OffloadedStmt*> others;
  if (task(index)->group == 0) return others;
  size_t begin = index;
  while (begin > 0 && task(begin - 1)->group != 0) begin--;
  for (size_t i = begin; i < root->statements.size() && task(i)->group != 0; i++) {
    if (task(i)->group != task(index)->group) others.push_back(task(i));
  }
  return others;
}

class Demoter {
 public:
  Demoter(OffloadedStmt* task, const std::vector<const OffloadedStmt*>& others, bool may_alias)
      : task_(task), numbers_(task), may_alias_(may_alias) {
    for (const OffloadedStmt* other : others) {
      const ArrayAccess access = gather_access(other->blocks[offloaded_block::body].get());
      elsewhere_written_.insert(access.writes.begin(), access.writes.end());
      elsewhere_written_.insert(access.atomics.begin(), access.atomics.end());
      elsewhere_read_.insert(access.reads.begin(), access.reads.end());
    }
    walk(static_cast<const Block*>(body()), [&](const Stmt* stmt) {
      const Stmt* root = pointer_root(memory_access(stmt).written);
      if (const auto* element = as<ElementPtrStmt>(root)) writers_[element->param].push_back(element);
    });
  }

  void run() {
    walk(body(), [&](Stmt* stmt) {
      if (auto* atomic = as<AtomicStmt>(stmt)) atomic->plain = atomic->plain || alone(atomic);
    });
  }

 private:
  Block* body() const { return task_->blocks[offloaded_block::body].get(); }

  bool alone(const AtomicStmt* atomic) {
    const Stmt* root = pointer_root(atomic->operands[0]);
    if (root->kind == StmtKind::alloca_) return true;
    const auto* element = as<ElementPtrStmt>(root);
    if (task_->task == TaskType::serial) return element == nullptr || !touched_elsewhere(element->param);
    if (element == nullptr) return false;
    if (may_alias_ && (writers_.size() > 1 || !elsewhere_written_.empty())) return false;
    return !elsewhere_written_.contains(element->param) && owned(element->param);
  }

  // Temporaries belong to one group, so only arrays can be touched by another.
  bool touched_elsewhere(int32_t param) const {
    if (may_alias_) return !elsewhere_written_.empty() || !elsewhere_read_.empty();
    return elsewhere_written_.contains(param) || elsewhere_read_.contains(param);
  }

  // The axis of the task that an index follows one to one, or -1. Wrapping addition keeps values apart.
  int own_axis(const Stmt* index) {
    if (const auto* own = as<LoopIndexStmt>(index)) return own->operands[0] == task_ ? own->axis : -1;
    const auto* binary = as<BinaryStmt>(index);
    if (binary == nullptr || (binary->op != BinaryOp::add && binary->op != BinaryOp::sub)) return -1;
    const int left = own_axis(binary->operands[0]);
    if (left >= 0) return numbers_.invariant(binary->operands[1]) ? left : -1;
    return numbers_.invariant(binary->operands[0]) ? own_axis(binary->operands[1]) : -1;
  }

  // Every write to the array goes to an element with, at the same place of its index, each loop index of the task: then
  // two iterations never write one element.
  bool owned(int32_t param) {
    const std::vector<const ElementPtrStmt*>& writers = writers_.at(param);
    std::set<int> axes;
    for (size_t place = 0; place < writers[0]->operands.size(); place++) {
      const Stmt* index = writers[0]->operands[place];
      const int axis = own_axis(index);
      bool everywhere = axis >= 0;
      for (const ElementPtrStmt* writer : writers) {
        everywhere = everywhere && numbers_.number(writer->operands[place]) == numbers_.number(index);
      }
      if (everywhere) axes.insert(axis);
    }
    return static_cast<int32_t>(axes.size()) == task_->dims;
  }

  OffloadedStmt* task_;
  ValueNumbers numbers_;
  bool may_alias_;
  std::set<int32_t> elsewhere_written_, elsewhere_read_;
  std::map<int32_t, std::vector<const ElementPtrStmt*>> writers_;
};

}  // namespace

void demote_atomics(KernelIR& kernel, const CompileOptions& options) {
  for (size_t i = 0; i < kernel.root->statements.size(); i++) {
    auto* task = as<OffloadedStmt>(kernel.root->statements[i].get());
    Demoter(task, concurrent_tasks(kernel.root.get(), i), options.may_alias).run();
  }
}

}  // namespace qd
