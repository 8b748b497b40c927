// Neighbouring iterations in lockstep: each statement for every lane before the next one, so that neighbouring loads
// and stores stand side by side and LLVM makes one access of them. Iterations of a range may run in any order, so any
// interleaving is right. Lanes are counted row by row.
#include "core/codegen/cuda/cuda_task.h"

namespace qd {

namespace {

// A condition that holds for few indices, such as those at an edge.
bool is_seldom(const Stmt* condition, const OffloadedStmt& task) {
  const auto* binary = as<BinaryStmt>(condition);
  if (binary == nullptr) return false;
  const auto side = [&](size_t i) { return is_seldom(binary->operands[i], task); };
  if (binary->op == BinaryOp::logic_or) return side(0) && side(1);
  if (binary->op == BinaryOp::logic_and) return side(0) || side(1);
  return binary->op == BinaryOp::eq && lane_comparison(condition, task);
}

}  // namespace

template <class F>
void CudaTaskCodegen::for_each_lane(F f) {
  for (lane_ = 0; lane_ < lane_values_.size(); ++lane_) {
    values_.swap(lane_values_[lane_]);
    bind_loop(&context_.task, lane_indices_[lane_], lanes_done_, nullptr);
    f();
    values_.swap(lane_values_[lane_]);
  }
  lane_ = 0;
}

// As many rows as lane_values_ has lanes for, from `outer` on. Ends the current block. Lanes that part ways before
// anything is written start again at `one_by_one`.
void CudaTaskCodegen::emit_lanes(const TileRow& row, const LoopIndices& outer, LLVMBasicBlockRef done,
                                 LLVMBasicBlockRef one_by_one) {
  lanes_done_ = done;
  one_by_one_ = one_by_one;
  lane_indices_.clear();
  const auto vector = static_cast<size_t>(lanes_plan_.vector), width = static_cast<size_t>(width_);
  Value size = ir_.constant(ir_.int_type(32), vector);
  std::vector<Value> firsts{add(row.first, widen(multiply(row.lane0, size)))};  // of the vectors of a row
  Value apart = widen(multiply(row.spread, size));
  while (firsts.size() < width / vector) firsts.push_back(ir_.add_nsw(firsts.back(), apart));
  for (size_t lane = 0; lane < lane_values_.size(); ++lane) {
    const size_t in_row = lane % width;
    LoopIndices indices = outer;
    indices[last_axis()] = ir_.add_nsw(firsts[in_row / vector], ir_.constant_i64(static_cast<int64_t>(lane % vector)));
    if (lane >= width) {
      Value rows_on = ir_.constant_i64(static_cast<int64_t>(lane / width));
      indices[last_axis() - 1] = ir_.add_nsw(outer[last_axis() - 1], rows_on);
    }
    lane_indices_.push_back(indices);
  }
  in_lanes_ = true;
  begin_item();
  bool written = false;
  emit_lockstep(block(offloaded_block::body), written);
  end_item();
  in_lanes_ = false;
  ir_.jump(done);
}

void CudaTaskCodegen::emit_lockstep(const Block& block, bool& written) {
  for (const auto& owned : block.statements) {
    Stmt* stmt = owned.get();
    before(*stmt);
    if (stmt->kind == StmtKind::if_ && !written) {
      emit_lockstep_if(*stmt, written);
    } else if (stmt->kind == StmtKind::check && !written) {
      require_in_lanes(*as<CheckStmt>(stmt));
    } else if (stmt->kind == StmtKind::continue_) {
      ir_.jump(lanes_done_);
    } else {
      for_each_lane([&] { emit_one(stmt); });
      written |= effects_.has(stmt);
    }
    if (ir_.terminated()) return;
  }
}

void CudaTaskCodegen::emit_lockstep_if(const Stmt& stmt, bool& written) {
  const Stmt* condition = stmt.operands[0];
  const bool seldom = is_seldom(condition, context_.task);
  LLVMBasicBlockRef none = ir_.new_block("none");
  LLVMBasicBlockRef end = ir_.new_block("endif");
  bool then_written = written, else_written = written;
  if (seldom && lane_values_.size() > static_cast<size_t>(width_)) {
    // It does not hold in all of several rows.
    ir_.branch(holds_in_lanes(condition, false), one_by_one_, none);
  } else {
    LLVMBasicBlockRef all = ir_.new_block("all");
    LLVMBasicBlockRef other = ir_.new_block(seldom ? "some" : "not_all");
    if (seldom) {
      ir_.branch(holds_in_lanes(condition, false), other, none);
      ir_.enter(other);
      ir_.branch(holds_in_lanes(condition, true), all, one_by_one_);
    } else {
      ir_.branch(holds_in_lanes(condition, true), all, other);
      ir_.enter(other);
      ir_.branch(holds_in_lanes(condition, false), one_by_one_, none);
    }
    ir_.enter(all);
    emit_lockstep(*stmt.blocks[0], then_written);
    ir_.jump(end);
  }
  ir_.enter(none);
  emit_lockstep(*stmt.blocks[1], else_written);
  ir_.jump(end);
  ir_.enter(end);
  written = then_written || else_written;
}

// Whether a condition holds in all lanes, or in any of them.
Value CudaTaskCodegen::holds_in_lanes(const Stmt* condition, bool all) {
  Value result = nullptr;
  const auto note = [&](Value part) {
    if (result == nullptr) {
      result = part;
    } else {
      result = all ? LLVMBuildAnd(ir_.get(), result, part, "") : LLVMBuildOr(ir_.get(), result, part, "");
    }
  };
  if (const auto* binary = as<BinaryStmt>(condition);
      binary != nullptr && binary->op == (all ? BinaryOp::logic_and : BinaryOp::logic_or)) {
    for (size_t side = 0; side < 2; ++side) note(holds_in_lanes(binary->operands[side], all));
    return result;
  }
  const auto in_lane = [&](size_t lane, const Stmt* stmt) {
    values_.swap(lane_values_[lane]);
    Value found = value(stmt);
    values_.swap(lane_values_[lane]);
    return found;
  };
  const size_t lanes = lane_values_.size(), width = static_cast<size_t>(width_);
  const auto comparison = lane_comparison(condition, context_.task);
  const bool along_row = comparison && static_cast<size_t>(comparison->axis) == last_axis();
  // The lanes of consecutive indices: vectors, or the rows, `step` lanes apart.
  const size_t count = along_row ? static_cast<size_t>(lanes_plan_.vector) : lanes / width;
  const size_t step = along_row ? 1 : width;
  const size_t end = along_row ? lanes : width, next = along_row ? count : 1;
  const BinaryOp op = comparison && count > 1 ? comparison->op : BinaryOp::count_;
  if (op == (all ? BinaryOp::ne : BinaryOp::eq)) {
    for (size_t lane = 0; lane < end; lane += next) {
      Value distance = subtract(in_lane(lane, comparison->limit), in_lane(lane, comparison->index));
      note(ir_.compare(all ? LLVMIntUGE : LLVMIntULT, distance, ir_.constant_i64(static_cast<int64_t>(count))));
    }
  } else if (op >= BinaryOp::lt && op <= BinaryOp::ge && comparison->plain) {
    const bool below = op == BinaryOp::lt || op == BinaryOp::le;
    const size_t deciding = below == all ? (count - 1) * step : 0;
    for (size_t lane = 0; lane < end; lane += next) note(in_lane(lane + deciding, condition));
  } else {
    for (size_t lane = 0; lane < lanes; ++lane) note(in_lane(lane, condition));
  }
  return result;
}

// What must hold, told in 32 bits of an index that had no more: of several lanes' indices LLVM tests the largest.
Value CudaTaskCodegen::in_lane_check(const CheckStmt& stmt) {
  const auto* cast = as<CastStmt>(static_cast<const Stmt*>(stmt.operands[0]));
  if (stmt.check != CheckKind::index || cast == nullptr || cast->op != CastOp::value) return check_condition(stmt);
  const Type* from = cast->operands[0]->type;
  if (!from->is_integer() || from->size > 4 || (from->size == 4 && !from->is_signed())) return check_condition(stmt);
  LLVMTypeRef i32 = ir_.int_type(32);
  Value most = ir_.constant_i64(int64_t{1} << 31);
  Value length =
      ir_.intrinsic("llvm.umin", {ir_.i64()}, {reported(stmt.operands[1]->type, value(stmt.operands[1])), most});
  Value index = LLVMBuildTrunc(ir_.get(), reported(cast->type, value(cast)), i32, "");
  return ir_.compare(LLVMIntULT, index, LLVMBuildTrunc(ir_.get(), length, i32, ""));
}

// A failing lane is left to the way that runs them one by one, which finds and reports the first.
void CudaTaskCodegen::require_in_lanes(const CheckStmt& stmt) {
  Value all = nullptr;
  for_each_lane([&] {
    Value condition = in_lane_check(stmt);
    all = all == nullptr ? condition : LLVMBuildAnd(ir_.get(), all, condition, "");
  });
  LLVMBasicBlockRef pass = ir_.new_block("pass");
  ir_.branch_likely(all, pass, one_by_one_);
  ir_.enter(pass);
}

}  // namespace qd
