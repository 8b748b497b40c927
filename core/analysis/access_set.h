// Which elements of which arrays each StreamParallel scope touches, how, and under what circumstances.
//
// Looks at the root before offload: every statement has its group, and loops still enclose what they repeat.
#pragma once

#include <set>
#include <vector>

#include "core/ir/kernel_ir.h"

namespace qd {

enum class AccessKind : uint8_t { read, write, atomic };

// Two accesses that may not happen at the same time: all but two reads, or two atomics.
bool exclude_each_other(AccessKind a, AccessKind b);

// A stretch of bytes inside an element.
struct ElementPart {
  int64_t begin = 0, end = 0;
  bool exact = true;  // else only some of these bytes, chosen when the kernel runs, are touched

  bool apart_from(const ElementPart& other) const { return end <= other.begin || other.end <= begin; }
  bool surely_overlaps(const ElementPart& other) const;
  friend bool operator==(const ElementPart&, const ElementPart&) = default;
};

struct LoopAround {
  const RangeForStmt* loop = nullptr;
  bool repeated = false;  // stands itself in a loop, so that its bounds may differ each time
};

// A condition under which an access happens.
struct Condition {
  const Stmt* value = nullptr;
  bool holds = true;
};

struct ElementAccess {
  GroupId group = 0;
  int32_t param = 0;
  AccessKind kind{};
  const ElementPtrStmt* element = nullptr;  // its operands are the indices
  ElementPart part;
  std::vector<LoopAround> loops;  // around it, outermost first
  std::vector<Condition> conditions;
  bool certain = true;  // happens in the first iteration of the loops around it, and in each until one is cut short
  PosId pos = -1;
};

struct AccessSet {
  std::vector<ElementAccess> accesses;  // of statements in scopes, in program order
  std::set<const Stmt*> cut_short;      // loops that may end before their last iteration
  std::set<int32_t> written;            // array parameters
};
AccessSet gather_elements(const Block* root);

}  // namespace qd
