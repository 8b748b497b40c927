// Rough cycles of one iteration, so that the launcher can tell loops worth sharing out from loops that are not.
#include <algorithm>

#include "core/ir/constant.h"
#include "core/ir/edit.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

constexpr int64_t kUnknownTrips = 16;
constexpr int64_t kMost = int64_t{1} << 40;  // sums and products of costs saturate here

int64_t saturate(int64_t cost) { return std::min(cost, kMost); }
int64_t times(int64_t cost, int64_t trips) { return trips > kMost / std::max<int64_t>(cost, 1) ? kMost : cost * trips; }

int64_t unary_cost(UnaryOp op) {
  switch (op) {
    case UnaryOp::sqrt:
    case UnaryOp::rsqrt:
      return 12;
    case UnaryOp::floor:
    case UnaryOp::ceil:
    case UnaryOp::trunc:
    case UnaryOp::round:
    case UnaryOp::round_even:
      return 2;
    default:
      return op >= UnaryOp::sin && op <= UnaryOp::cbrt ? 20 : 1;
  }
}

int64_t binary_cost(BinaryOp op) {
  switch (op) {
    case BinaryOp::div:
    case BinaryOp::rem:
    case BinaryOp::floor_div:
    case BinaryOp::floor_mod:
    case BinaryOp::hypot:
      return 12;
    case BinaryOp::mod:
    case BinaryOp::pow:
    case BinaryOp::atan2:
      return 20;
    default:
      return 1;
  }
}

int64_t memory_cost(const Type* pointer) { return 2 * std::max<int64_t>(1, pointer->element->size / 8); }

int64_t trips(const RangeForStmt* loop) {
  int64_t total = 1;
  for (size_t axis = 0; axis < static_cast<size_t>(loop->dims); axis++) {
    const auto* begin = as<ConstantStmt>(static_cast<const Stmt*>(loop->operands[2 * axis]));
    const auto* end = as<ConstantStmt>(static_cast<const Stmt*>(loop->operands[2 * axis + 1]));
    int64_t count = kUnknownTrips;
    if (begin != nullptr && end != nullptr) {
      int64_t distance = 0;
      const bool far = __builtin_sub_overflow(signed_value(end), signed_value(begin), &distance);
      count = far ? kMost : std::max<int64_t>(0, distance);
    }
    total = times(total, count);
  }
  return total;
}

int64_t block_cost(const Block* block);

int64_t own_cost(const Stmt* stmt) {
  const auto block = [&](size_t i) { return block_cost(stmt->blocks[i].get()); };
  switch (stmt->kind) {
    case StmtKind::unary:
      return unary_cost(as<UnaryStmt>(stmt)->op);
    case StmtKind::binary:
      return binary_cost(as<BinaryStmt>(stmt)->op);
    case StmtKind::cast:
    case StmtKind::select:
    case StmtKind::check:
    case StmtKind::element_ptr:
    case StmtKind::offset_ptr:
      return 1;
    case StmtKind::load:
    case StmtKind::store:
    case StmtKind::zero:
    case StmtKind::copy:
      return memory_cost(stmt->operands[0]->type);
    case StmtKind::atomic:
      return as<AtomicStmt>(stmt)->plain ? 4 : 10;
    case StmtKind::atomic_cas:
    case StmtKind::random:
      return 20;
    case StmtKind::print:
      return 1000;
    case StmtKind::if_:
      return 1 + std::max(block(0), block(1));
    case StmtKind::range_for:
      return times(saturate(2 + block(0)), trips(as<RangeForStmt>(stmt)));
    case StmtKind::loop:
      return times(saturate(2 + block(0) + block(1)), kUnknownTrips);
    case StmtKind::scope:
      return block(0);
    default:
      return 0;
  }
}

int64_t block_cost(const Block* block) {
  int64_t cost = 0;
  for (const auto& stmt : block->statements) cost = saturate(cost + own_cost(stmt.get()));
  return cost;
}

}  // namespace

void estimate_cost(KernelIR& kernel) {
  for (auto& owned : kernel.root->statements) {
    auto* task = as<OffloadedStmt>(owned.get());
    task->cost = std::max<int64_t>(1, block_cost(task->blocks[offloaded_block::body].get()));
  }
}

}  // namespace qd
