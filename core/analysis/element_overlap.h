// Do accesses of two scopes touch a common element?
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/analysis/access_set.h"
#include "core/analysis/symbolic_range.h"

namespace qd {

enum class Overlap {
  never,    // whatever the kernel is given
  certain,  // whenever no check fails and no loop around the accesses is empty
  unknown,
};

// Indices are sums of loop indices, arguments and lengths. That an access succeeds says more about them: its indices
// are in range.
class ElementOverlap {
 public:
  explicit ElementOverlap(const AccessSet& set) : set_(set), symbolic_(numbers_) {}

  // Of accesses to one parameter, by different groups.
  Overlap between(const ElementAccess& a, const ElementAccess& b);

 private:
  enum class End { first, last };
  using Values = std::map<ValueNumber, Linear>;  // of loop indices, in one iteration

  // A value as a sum that is equal modulo 2^64.
  const Linear& modular(const Stmt* value);
  // As a sum that is equal where the facts hold.
  Linear exact(const Stmt* value);
  // An index of the access, given that all its indices are in range.
  const Linear& index(const ElementAccess& access, size_t axis);
  Linear make_index(const ElementAccess& access, size_t axis);
  Linear atom(std::unique_ptr<Stmt> value);
  Linear loop_index(const RangeForStmt* loop, int32_t axis);
  ValueNumber loop_term(const RangeForStmt* loop, int32_t axis) { return loop_index(loop, axis).terms.begin()->first; }
  Linear length(const ElementAccess& access, size_t axis);

  bool never(const ElementAccess& a, const ElementAccess& b);
  void assume_in_range(const ElementAccess& access, size_t axis, const Linear& index);
  // False if a loop around the access is surely empty.
  bool assume_iterations(const ElementAccess& access);

  bool same_iterations(const ElementAccess& a, const ElementAccess& b);
  bool meet(const ElementAccess& fixed, const ElementAccess& free, End at);
  void assume_runs(const ElementAccess& access);
  bool steady(const LoopAround& around);
  bool iteration_at(const ElementAccess& access, End at, Values& values);
  bool settled(const Linear& form);
  bool solve(const ElementAccess& fixed, const ElementAccess& free, const Values& there, Values& values);
  bool reaches(const ElementAccess& access, Values& values);

  const AccessSet& set_;
  ValueNumbers numbers_;
  SymbolicRange symbolic_;
  std::map<const Stmt*, Linear> modular_;
  std::map<std::pair<const ElementAccess*, size_t>, Linear> indices_;
  std::vector<std::unique_ptr<Stmt>> made_;  // stand for values of which the kernel may hold no statement
  std::map<std::pair<const Stmt*, int32_t>, Linear> loop_indices_;
  std::map<std::pair<int32_t, size_t>, Linear> lengths_;
};

}  // namespace qd
