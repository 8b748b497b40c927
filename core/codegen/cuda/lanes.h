// How many neighbouring iterations one thread runs side by side, so that their loads and stores become 16-byte ones,
// and how many rows of them, so that they share their arithmetic and what two rows both load.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "core/codegen/task_codegen.h"

namespace qd {

// An element whose last index is the task's last loop index plus an offset, the others the same in every lane of a row.
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

// A comparison of a loop index, perhaps with an offset, and a value that is the same along that axis. Lanes have
// consecutive indices, so that one or two of them answer for the others.
struct LaneComparison {
  BinaryOp op{};
  int32_t axis = 0;  // the last or the one before
  const Stmt* index = nullptr;
  const Stmt* limit = nullptr;
  bool plain = false;  // the index has no offset, and does not wrap around
};
std::optional<LaneComparison> lane_comparison(const Stmt* condition, const OffloadedStmt& task);

struct LanePlan {
  int32_t vector = 1;        // neighbours, which one access takes
  int32_t width = 1;         // items of a row a thread: one vector, or more of them a row of threads apart
  int32_t looping = 1;       // as width, for a task whose threads go through tiles in a loop
  int32_t rows = 1;          // neighbouring rows a thread, of a task that gives each tile a block
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
