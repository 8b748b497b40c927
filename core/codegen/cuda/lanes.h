// How many neighbouring iterations one thread runs side by side, so that their loads and stores become 16-byte ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "core/codegen/task_codegen.h"

namespace qd {

// An element whose last index is the task's last loop index plus an offset, the others the same in every lane.
struct LaneAccess {
  int32_t param = 0;
  int64_t offset = 0;
};
std::optional<LaneAccess> lane_access(const Stmt* pointer, const OffloadedStmt& task);

// What statements of a body do when lanes run them in lockstep. Until something outside the body's own locals is
// written, lanes that disagree about a condition can start over one by one.
class LaneEffects {
 public:
  explicit LaneEffects(const Block* body);
  // The statement writes what outlives the iteration.
  bool has(const Stmt* stmt) const;

 private:
  std::set<const Stmt*> locals_;
};

struct LanePlan {
  int32_t vector = 1;        // neighbours, which one access takes
  int32_t width = 1;         // items a thread: one vector, or more of them a row of threads apart
  std::set<int32_t> arrays;  // parameters of lane accesses
};
LanePlan plan_lanes(const TaskContext& context);

// A reduction that make_thread_local made: an accumulator of the prologue that the epilogue adds to one cell.
struct TaskReduction {
  const LoadStmt* total = nullptr;  // in the epilogue
  BinaryOp combine{};
  uint64_t identity = 0;  // a constant's bits
};
// By accumulator. Empty also where the prologue holds anything else.
std::map<const Stmt*, TaskReduction> find_reductions(const OffloadedStmt& task);

}  // namespace qd
