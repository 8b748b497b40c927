#include "core/codegen/cuda/lanes.h"

#include <algorithm>

#include "core/analysis/access.h"
#include "core/ir/edit.h"

namespace qd {

namespace {

constexpr int64_t kVectorBytes = 16;
// Instructions of all lanes together, roughly. Beyond, one iteration a thread keeps more threads busy.
constexpr int64_t kMaxWork = 512;
constexpr int64_t kMaxVectors = 4;  // a thread, of a row
constexpr int64_t kMaxRows = 4;
// Rows share so much that more work is worth one thread; their values must fit its registers, locals (bytes) too.
constexpr int64_t kMaxLanes = 16, kMaxRowsWork = 1024, kMaxRowsLocals = 256;

// The same value whatever lane asks that has the same indices of the axes other than `axis`: made of constants,
// arguments and those indices.
bool same_along(const Stmt* value, int32_t axis, const OffloadedStmt& task) {
  switch (value->kind) {
    case StmtKind::constant:
    case StmtKind::arg_load:
    case StmtKind::array_dim:
      return true;
    case StmtKind::loop_index:
      return value->operands[0] == &task && static_cast<const LoopIndexStmt*>(value)->axis != axis;
    case StmtKind::unary:
    case StmtKind::binary:
    case StmtKind::cast:
    case StmtKind::select:
      return std::all_of(value->operands.begin(), value->operands.end(),
                         [&](const Stmt* operand) { return same_along(operand, axis, task); });
    default:
      return false;
  }
}

// An index of the task's loop plus a constant.
struct OffsetIndex {
  int32_t axis = 0;
  int64_t offset = 0;
};
std::optional<OffsetIndex> offset_index(const Stmt* value, const OffloadedStmt& task) {
  constexpr int64_t kMaxOffset = int64_t{1} << 32;
  if (const auto* index = as<LoopIndexStmt>(value)) {
    if (index->operands[0] != &task) return std::nullopt;
    return OffsetIndex{index->axis, 0};
  }
  const auto* sum = as<BinaryStmt>(value);
  if (sum == nullptr || (sum->op != BinaryOp::add && sum->op != BinaryOp::sub)) return std::nullopt;
  const auto* index = as<LoopIndexStmt>(static_cast<const Stmt*>(sum->operands[0]));
  const auto* constant = as<ConstantStmt>(static_cast<const Stmt*>(sum->operands[1]));
  if (constant == nullptr || index == nullptr || index->operands[0] != &task) return std::nullopt;
  const auto offset = static_cast<int64_t>(constant->bits);
  if (offset <= -kMaxOffset || offset >= kMaxOffset) return std::nullopt;
  return OffsetIndex{index->axis, sum->op == BinaryOp::add ? offset : -offset};
}

// x op y as y op' x.
BinaryOp mirrored(BinaryOp op) {
  switch (op) {
    case BinaryOp::lt:
      return BinaryOp::gt;
    case BinaryOp::le:
      return BinaryOp::ge;
    case BinaryOp::gt:
      return BinaryOp::lt;
    case BinaryOp::ge:
      return BinaryOp::le;
    default:
      return op;
  }
}

int64_t work_of(const Stmt* stmt) {
  if (const auto* unary = as<UnaryStmt>(stmt); unary != nullptr && unary->type->is_float()) {
    const int64_t wide = unary->type->size == 8 ? 4 : 1;
    if (unary->op >= UnaryOp::sqrt && unary->op <= UnaryOp::cbrt) return 16 * wide;
  }
  if (const auto* binary = as<BinaryStmt>(stmt)) {
    switch (binary->op) {
      case BinaryOp::div:
      case BinaryOp::rem:
      case BinaryOp::mod:
      case BinaryOp::floor_div:
      case BinaryOp::floor_mod:
        return binary->type->size == 8 ? 40 : 12;
      case BinaryOp::pow:
      case BinaryOp::atan2:
      case BinaryOp::hypot:
        return 64;
      default:
        return 1;
    }
  }
  switch (stmt->kind) {
    case StmtKind::constant:
    case StmtKind::arg_load:
    case StmtKind::array_dim:
    case StmtKind::loop_index:
      return 0;
    case StmtKind::atomic:
    case StmtKind::atomic_cas:
      return 4;
    default:
      return 1;
  }
}

// Whether lanes can run a body in lockstep; the emitter follows the same rules.
class LockstepTest {
 public:
  explicit LockstepTest(const LaneEffects& effects) : effects_(effects) {}

  bool allows(const Block* block, bool& written) {
    for (const auto& owned : block->statements) {
      if (!allows(owned.get(), written)) return false;
    }
    return true;
  }

 private:
  bool allows(const Stmt* stmt, bool& written) {
    switch (stmt->kind) {
      case StmtKind::range_for:
      case StmtKind::loop:
      case StmtKind::scope:
      case StmtKind::break_:
      case StmtKind::stop:
      case StmtKind::print:
      case StmtKind::random:
        return false;
      case StmtKind::if_:
        return allows_if(stmt, written);
      case StmtKind::continue_:
        return !one_by_one_;
      default:
        written |= effects_.has(stmt);
        return true;
    }
  }

  bool allows_if(const Stmt* stmt, bool& written) {
    // Once something is written, each lane takes its own way; only to the end of the branch.
    const bool before = one_by_one_;
    one_by_one_ |= written;
    bool then_written = written, else_written = written;
    const bool allowed = allows(stmt->blocks[0].get(), then_written) && allows(stmt->blocks[1].get(), else_written);
    written = then_written || else_written;
    one_by_one_ = before;
    return allowed;
  }

  const LaneEffects& effects_;
  bool one_by_one_ = false;
};

// Neighbours differ about the condition along lines, such as the edges of the range, but not all over it.
bool is_of_regions(const Stmt* condition, const OffloadedStmt& task) {
  if (const auto* binary = as<BinaryStmt>(condition);
      binary != nullptr && (binary->op == BinaryOp::logic_and || binary->op == BinaryOp::logic_or)) {
    return is_of_regions(binary->operands[0], task) && is_of_regions(binary->operands[1], task);
  }
  if (const auto* unary = as<UnaryStmt>(condition); unary != nullptr && unary->op == UnaryOp::logic_not) {
    return is_of_regions(unary->operands[0], task);
  }
  const bool same = same_along(condition, task.dims - 1, task) && same_along(condition, task.dims - 2, task);
  return same || lane_comparison(condition, task);
}

std::optional<BinaryOp> combining(AtomicOp op) {
  switch (op) {
    case AtomicOp::add:
    case AtomicOp::sub:
      return BinaryOp::add;
    case AtomicOp::mul:
      return BinaryOp::mul;
    case AtomicOp::min:
      return BinaryOp::min;
    case AtomicOp::max:
      return BinaryOp::max;
    case AtomicOp::bit_and:
      return BinaryOp::bit_and;
    case AtomicOp::bit_or:
    case AtomicOp::and_not:
      return BinaryOp::bit_or;
    case AtomicOp::bit_xor:
      return BinaryOp::bit_xor;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<LaneAccess> lane_access(const Stmt* pointer, const OffloadedStmt& task) {
  const auto* element = as<ElementPtrStmt>(pointer);
  if (element == nullptr || !element->type->element->is_scalar()) return std::nullopt;
  for (size_t axis = 0; axis + 1 < element->operands.size(); ++axis) {
    if (!same_along(element->operands[axis], task.dims - 1, task)) return std::nullopt;
  }
  const auto index = offset_index(element->operands.back(), task);
  if (!index || index->axis != task.dims - 1) return std::nullopt;
  return LaneAccess{element->param, index->offset};
}

std::optional<LaneComparison> lane_comparison(const Stmt* condition, const OffloadedStmt& task) {
  const auto* binary = as<BinaryStmt>(condition);
  if (binary == nullptr || binary->op < BinaryOp::eq || binary->op > BinaryOp::ge) return std::nullopt;
  for (const bool mirror : {false, true}) {
    const Stmt* left = binary->operands[mirror ? 1 : 0];
    const Stmt* right = binary->operands[mirror ? 0 : 1];
    const auto index = offset_index(left, task);
    if (!index || index->axis < task.dims - 2 || !same_along(right, index->axis, task)) continue;
    return LaneComparison{mirror ? mirrored(binary->op) : binary->op, index->axis, left, right, index->offset == 0};
  }
  return std::nullopt;
}

LaneEffects::LaneEffects(const Block* body) {
  walk(body, [&](const Stmt* stmt) {
    if (stmt->kind == StmtKind::alloca_) locals_.insert(stmt);
  });
}

bool LaneEffects::has(const Stmt* stmt) const {
  const Stmt* written = memory_access(stmt).written;
  return written != nullptr && !locals_.contains(pointer_root(written));
}

LanePlan plan_lanes(const TaskContext& context) {
  const OffloadedStmt& task = context.task;
  const Block* body = task.blocks[offloaded_block::body].get();
  const Block* prologue = task.blocks[offloaded_block::prologue].get();
  if (task.task != TaskType::range_for || context.reads_random) return {};
  if (!prologue->statements.empty() && find_reductions(task).empty()) return {};
  LanePlan plan;
  int64_t largest = 0, work = 0, locals = 0;
  bool by_regions = true;
  auto note = [&](const Stmt* pointer) {
    const auto access = pointer != nullptr ? lane_access(pointer, task) : std::nullopt;
    if (!access) return;
    plan.arrays.insert(access->param);
    largest = std::max(largest, pointer->type->element->size);
  };
  walk(body, [&](const Stmt* stmt) {
    work += work_of(stmt);
    if (stmt->kind == StmtKind::alloca_) locals += stmt->type->element->size;
    if (stmt->kind == StmtKind::if_) by_regions &= is_of_regions(stmt->operands[0], task);
    if (stmt->kind == StmtKind::load || stmt->kind == StmtKind::store || stmt->kind == StmtKind::atomic) {
      note(memory_access(stmt).read);
      note(memory_access(stmt).written);
    }
  });
  const LaneEffects effects(body);
  bool written = false;
  if (largest == 0 || !LockstepTest(effects).allows(body, written)) return {};
  int64_t vector = kVectorBytes / largest;
  while (vector > 1 && vector * work > kMaxWork) vector /= 2;
  if (vector < 2) return {};
  // A loop over tiles waits for each tile's loads; a map has other blocks to run meanwhile.
  int64_t looping = vector;
  while (looping < kMaxVectors * vector && 2 * looping * work <= kMaxWork) looping *= 2;
  // Where rows often part ways, they are run one by one after all.
  int64_t rows = task.dims > 1 && by_regions ? kMaxRows : 1;
  const auto fits = [&](int64_t lanes) {
    return lanes <= kMaxLanes && lanes * work <= kMaxRowsWork && lanes * locals <= kMaxRowsLocals;
  };
  while (rows > 1 && !fits(rows * vector)) rows /= 2;
  plan.vector = static_cast<int32_t>(vector);
  plan.looping = static_cast<int32_t>(looping);
  plan.width = prologue->statements.empty() ? plan.vector : plan.looping;
  plan.rows = static_cast<int32_t>(rows);
  return plan;
}

std::map<const Stmt*, TaskReduction> find_reductions(const OffloadedStmt& task) {
  std::map<const Stmt*, TaskReduction> found;
  for (const auto& stmt : task.blocks[offloaded_block::prologue]->statements) {
    if (stmt->kind == StmtKind::alloca_) {
      found[stmt.get()];
    } else if (stmt->kind == StmtKind::store) {
      const auto* identity = as<ConstantStmt>(static_cast<const Stmt*>(stmt->operands[1]));
      if (identity == nullptr || !found.contains(stmt->operands[0])) return {};
      found[stmt->operands[0]].identity = identity->bits;
    } else if (stmt->kind != StmtKind::constant) {
      return {};
    }
  }
  const Block* epilogue = task.blocks[offloaded_block::epilogue].get();
  for (const auto& stmt : epilogue->statements) {
    const auto* load = as<LoadStmt>(static_cast<const Stmt*>(stmt.get()));
    if (load == nullptr || !found.contains(load->operands[0])) continue;
    found[load->operands[0]].total = load;
  }
  std::map<const Stmt*, BinaryOp> combines;  // by total
  walk(epilogue, [&](const Stmt* stmt) {
    const auto* atomic = as<AtomicStmt>(stmt);
    if (atomic == nullptr) return;
    if (const auto op = combining(atomic->op)) combines[atomic->operands[1]] = *op;
  });
  for (auto& [accumulator, reduction] : found) {
    const auto combine = combines.find(reduction.total);
    if (reduction.total == nullptr || combine == combines.end()) return {};
    reduction.combine = combine->second;
  }
  return found;
}

}  // namespace qd
