// Neighbouring iterations in lockstep: each statement for every lane before the next one, so that neighbouring loads
// and stores stand side by side and LLVM makes one access of them. Iterations of a range may run in any order, so any
// interleaving is right.
#include "core/codegen/cuda/cuda_task.h"

namespace qd {

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

// Ends the current block. Lanes that part ways before anything is written start again at `one_by_one`.
void CudaTaskCodegen::emit_lanes(Value first, Value vectors_apart, const LoopIndices& outer, LLVMBasicBlockRef done,
                                 LLVMBasicBlockRef one_by_one) {
  lanes_done_ = done;
  one_by_one_ = one_by_one;
  lane_indices_.clear();
  const auto vector = static_cast<size_t>(lanes_plan_.vector);
  for (size_t lane = 0; lane < lane_values_.size(); ++lane) {
    if (lane > 0 && lane % vector == 0) first = ir_.add_nsw(first, vectors_apart);
    LoopIndices indices = outer;
    indices[last_axis()] = ir_.add_nsw(first, ir_.constant_i64(static_cast<int64_t>(lane % vector)));
    lane_indices_.push_back(indices);
  }
  in_lanes_ = true;
  bool written = false;
  emit_lockstep(block(offloaded_block::body), written);
  in_lanes_ = false;
  ir_.jump(done);
}

void CudaTaskCodegen::emit_lockstep(const Block& block, bool& written) {
  for (const auto& owned : block.statements) {
    Stmt* stmt = owned.get();
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
  Value all = nullptr, any = nullptr;
  for_each_lane([&] {
    Value condition = value(stmt.operands[0]);
    all = all == nullptr ? condition : LLVMBuildAnd(ir_.get(), all, condition, "");
    any = any == nullptr ? condition : LLVMBuildOr(ir_.get(), any, condition, "");
  });
  LLVMBasicBlockRef yes = ir_.new_block("all");
  LLVMBasicBlockRef not_all = ir_.new_block("not_all");
  LLVMBasicBlockRef no = ir_.new_block("none");
  LLVMBasicBlockRef end = ir_.new_block("endif");
  ir_.branch(all, yes, not_all);
  ir_.enter(not_all);
  ir_.branch(any, one_by_one_, no);
  bool then_written = written, else_written = written;
  ir_.enter(yes);
  emit_lockstep(*stmt.blocks[0], then_written);
  ir_.jump(end);
  ir_.enter(no);
  emit_lockstep(*stmt.blocks[1], else_written);
  ir_.jump(end);
  ir_.enter(end);
  written = then_written || else_written;
}

// A failing lane is left to the way that runs them one by one, which finds and reports the first.
void CudaTaskCodegen::require_in_lanes(const CheckStmt& stmt) {
  Value all = nullptr;
  for_each_lane([&] {
    Value condition = check_condition(stmt);
    all = all == nullptr ? condition : LLVMBuildAnd(ir_.get(), all, condition, "");
  });
  LLVMBasicBlockRef pass = ir_.new_block("pass");
  ir_.branch_likely(all, pass, one_by_one_);
  ir_.enter(pass);
}

}  // namespace qd
