// Code that decides, before a range task's iterations, whether checks inside it can fail at all: every index is
// evaluated as an interval [low, high] over the whole iteration space.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "core/analysis/symbolic_range.h"

namespace qd {

class GuardRange {
 public:
  // Code goes to the end of the task's guard block.
  GuardRange(KernelIR& kernel, OffloadedStmt* task, ValueNumbers& numbers, SymbolicRange& ranges);

  // Adds what must hold for the check never to fail; false, with nothing added, where that cannot be said. The result
  // is exact or too strict, never too lax.
  bool add(const CheckStmt* check);
  // Ends the block with the conjunction of what was added.
  void finish();

 private:
  struct Interval {
    Stmt* low;
    Stmt* high;
  };

  // Bounds of the absolute value when leaves stay within the limit; none where the value is not understood or too
  // large.
  std::optional<Wide> magnitude(const Stmt* value);  // from its parts, or from its range alone
  std::optional<Wide> composed(const Stmt* value);   // from its parts
  std::optional<Wide> compose(const Stmt* value);
  std::optional<Wide> compose_binary(const BinaryStmt* value);
  std::optional<Range> narrow_range(const Stmt* value);
  bool expressible(const std::vector<const Stmt*>& values);

  Interval evaluate(Stmt* value);
  Interval evaluate_new(Stmt* value);
  Interval evaluate_leaf(Stmt* value);
  Interval evaluate_binary(BinaryStmt* value);
  Interval product(Interval x, Interval y);
  void keep_inside(Interval interval, const Type* type);

  bool leaf(const Stmt* value);
  Stmt* integer(int64_t value);
  Stmt* smaller(Stmt* x, Stmt* y) { return emitter_.binary(BinaryOp::min, x, y); }
  Stmt* larger(Stmt* x, Stmt* y) { return emitter_.binary(BinaryOp::max, x, y); }
  void require(Stmt* condition);
  void require_at_most(Stmt* x, Stmt* y);

  ValueNumbers& numbers_;
  SymbolicRange& ranges_;
  Emitter emitter_;
  size_t limit_ = 0;  // which limit the check at hand sets its leaves
  StmtMap copies_;
  std::map<std::pair<const Stmt*, size_t>, std::optional<Wide>> composed_;
  std::map<std::pair<ValueNumber, size_t>, Interval> known_;
  std::unordered_map<int64_t, Stmt*> integers_;
  std::set<std::vector<int64_t>> added_;
  std::set<std::pair<Stmt*, Stmt*>> ordered_;  // required to be in this order
  Stmt* all_ = nullptr;
};

}  // namespace qd
