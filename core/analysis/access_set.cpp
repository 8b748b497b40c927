#include "core/analysis/access_set.h"

#include "core/analysis/access.h"
#include "core/ir/constant.h"
#include "core/ir/edit.h"

namespace qd {

namespace {

ElementPart part_of(const Stmt* pointer) {
  ElementPart part{0, pointer->type->element->size, true};
  for (; pointer->kind == StmtKind::offset_ptr; pointer = pointer->operands[0]) {
    const auto* moved = as<OffsetPtrStmt>(pointer);
    int64_t offset = moved->offset;
    if (moved->operands.size() == 2) {
      if (const auto* index = as<ConstantStmt>(moved->operands[1])) {
        offset += signed_value(index) * moved->stride;
      } else if (moved->count > 0) {
        part.end += (moved->count - 1) * moved->stride;
        part.exact = moved->count == 1 && part.exact;
      } else {
        return {0, pointer_root(pointer)->type->element->size, false};
      }
    }
    part.begin += offset;
    part.end += offset;
  }
  return part;
}

class Gatherer {
 public:
  AccessSet run(const Block* root) {
    block(root);
    return std::move(set_);
  }

 private:
  using Targets = std::set<const Stmt*>;  // of jumps

  // Returns where jumps go that leave the block.
  Targets block(const Block* statements) {
    Targets left;
    const size_t conditions = conditions_.size();
    const int uncertain = uncertain_;
    for (const auto& stmt : statements->statements) {
      const Targets jumps = statement(stmt.get());
      if (jumps.empty()) continue;
      left.insert(jumps.begin(), jumps.end());
      uncertain_++;
      if (stmt->kind != StmtKind::if_) continue;
      for (const size_t side : {size_t{0}, size_t{1}}) {
        if (always_leaves(stmt->blocks[side].get())) conditions_.push_back({stmt->operands[0], side == 1});
      }
    }
    conditions_.resize(conditions);
    uncertain_ = uncertain;
    return left;
  }

  Targets statement(const Stmt* stmt) {
    note(stmt);
    switch (stmt->kind) {
      case StmtKind::break_:
      case StmtKind::continue_:
        return {stmt->operands[0]};
      case StmtKind::if_: {
        Targets left = side(stmt, 0);
        left.merge(side(stmt, 1));
        return left;
      }
      case StmtKind::scope: {
        Targets left = block(stmt->blocks[0].get());
        left.erase(stmt);
        return left;
      }
      case StmtKind::range_for:
        return range_for(as<RangeForStmt>(stmt));
      case StmtKind::loop:
        return loop(stmt);
      default:
        return {};
    }
  }

  Targets side(const Stmt* branch, size_t index) {
    conditions_.push_back({branch->operands[0], index == 0});
    uncertain_++;
    Targets left = block(branch->blocks[index].get());
    uncertain_--;
    conditions_.pop_back();
    return left;
  }

  Targets range_for(const RangeForStmt* loop) {
    loops_.push_back({loop, repeating_ > 0});
    repeating_++;
    Targets left = block(loop->blocks[0].get());
    repeating_--;
    loops_.pop_back();
    if (continues_only(left, loop)) return {};
    set_.cut_short.insert(loop);
    left.erase(loop);
    return left;
  }

  // Every jump out of the body only goes on with the loop's next iteration.
  bool continues_only(const Targets& left, const RangeForStmt* loop) const {
    for (const Stmt* target : left) {
      if (target != loop) return false;
    }
    return left.empty() || !broken_.contains(loop);
  }

  // The first run of the body is certain; what comes after it, between the iterations, is not.
  Targets loop(const Stmt* stmt) {
    repeating_++;
    Targets left = block(stmt->blocks[0].get());
    uncertain_++;
    left.merge(block(stmt->blocks[1].get()));
    uncertain_--;
    repeating_--;
    left.erase(stmt);
    return left;
  }

  void note(const Stmt* stmt) {
    if (stmt->kind == StmtKind::break_) broken_.insert(stmt->operands[0]);
    const MemoryAccess touched = memory_access(stmt);
    if (stmt->kind == StmtKind::atomic || stmt->kind == StmtKind::atomic_cas) {
      return add(stmt, touched.written, AccessKind::atomic);
    }
    if (touched.read != nullptr) add(stmt, touched.read, AccessKind::read);
    if (touched.written != nullptr) add(stmt, touched.written, AccessKind::write);
  }

  void add(const Stmt* stmt, const Stmt* pointer, AccessKind kind) {
    const auto* element = as<ElementPtrStmt>(pointer_root(pointer));
    if (element == nullptr) return;
    if (kind != AccessKind::read) set_.written.insert(element->param);
    if (stmt->group == 0) return;
    set_.accesses.push_back({.group = stmt->group,
                             .param = element->param,
                             .kind = kind,
                             .element = element,
                             .part = part_of(pointer),
                             .loops = loops_,
                             .conditions = conditions_,
                             .certain = uncertain_ == 0,
                             .pos = element->pos >= 0 ? element->pos : stmt->pos});
  }

  AccessSet set_;
  std::vector<LoopAround> loops_;
  std::vector<Condition> conditions_;
  Targets broken_;     // loops and scopes that a break leaves
  int uncertain_ = 0;  // how many reasons there are that what is looked at may not happen
  int repeating_ = 0;  // how many loops enclose it
};

}  // namespace

bool exclude_each_other(AccessKind a, AccessKind b) { return a != b || a == AccessKind::write; }

bool ElementPart::surely_overlaps(const ElementPart& other) const {
  if (apart_from(other)) return false;
  if (exact && other.exact) return true;
  const auto covers = [](const ElementPart& x, const ElementPart& y) {
    return x.exact && x.begin <= y.begin && y.end <= x.end;
  };
  return covers(*this, other) || covers(other, *this);
}

AccessSet gather_elements(const Block* root) { return Gatherer().run(root); }

}  // namespace qd
