// Do two loops that stand side by side compute the same indices?
#pragma once

#include <map>
#include <set>
#include <utility>

#include "core/ir/stmt.h"

namespace qd {

// Compares values of two pieces of IR, pairing the loops of one with loops of the other that have the same bounds:
// where paired loops are in corresponding iterations, values that are the same are equal.
class SameValue {
 public:
  // written: the array parameters that may change while the values are computed.
  explicit SameValue(const std::set<int32_t>& written) : written_(written) {}

  bool same(const Stmt* x, const Stmt* y);
  // The loop, on either side, belongs to a pair.
  bool paired(const Stmt* loop) const { return left_.contains(loop) || right_.contains(loop); }

 private:
  bool comparable(const Stmt* value) const;
  bool compare(const Stmt* x, const Stmt* y);
  bool pair(const Stmt* x, const Stmt* y);

  const std::set<int32_t>& written_;
  std::map<const Stmt*, const Stmt*> left_, right_;  // loops to their partners
  std::map<std::pair<const Stmt*, const Stmt*>, bool> known_;
};

}  // namespace qd
