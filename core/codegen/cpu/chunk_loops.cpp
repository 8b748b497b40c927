// The loops over a chunk [begin, end) of a flattened range, last axis fastest.
#include "core/codegen/cpu/cpu_task.h"
#include "core/ir/error.h"

namespace qd {

void CpuTaskCodegen::emit_chunk(Value begin, Value end) {
  const auto& blocks = context_.task.blocks;
  emit(*blocks[offloaded_block::bounds]);
  emit(*blocks[offloaded_block::prologue]);
  const Block& guard = *blocks[offloaded_block::guard];
  if (guard.statements.empty()) {
    emit_iterations(*blocks[offloaded_block::body], begin, end);
  } else {
    emit(guard);
    LLVMBasicBlockRef fast = ir_.new_block("unchecked");
    LLVMBasicBlockRef checked = ir_.new_block("checked");
    LLVMBasicBlockRef after = ir_.new_block("after");
    ir_.branch_likely(value(guard.statements.back().get()), fast, checked);
    ir_.enter(fast);
    emit_iterations(*blocks[offloaded_block::body], begin, end);
    ir_.jump(after);
    ir_.enter(checked);
    emit_iterations(*blocks[offloaded_block::checked_body], begin, end);
    ir_.jump(after);
    ir_.enter(after);
  }
  emit(*blocks[offloaded_block::epilogue]);
}

void CpuTaskCodegen::emit_iterations(const Block& body, Value begin, Value end) {
  if (dims() == 1) {
    emit_line(body, begin, end);
  } else {
    emit_rows(body, begin, end);
  }
}

void CpuTaskCodegen::emit_line(const Block& body, Value begin, Value end) {
  CountedLoop loop = begin_loop(ir_.add_nsw(lower(0), begin), ir_.add_nsw(lower(0), end));
  bind_loop(&context_.task, {loop.index}, loop.latch, nullptr);
  begin_iteration(ir_.sub_nsw(loop.index, lower(0)));
  emit(body);
  end_loop(loop);
}

// Row by row, the first and the last perhaps in part, so that the loop over a row is a plain counted one that LLVM can
// vectorise and the only divisions are the two that find the first row.
void CpuTaskCodegen::emit_rows(const Block& body, Value begin, Value end) {
  LLVMBuilderRef b = ir_.get();
  const size_t last = dims() - 1;
  LLVMBasicBlockRef start = ir_.new_block("rows");
  LLVMBasicBlockRef row = ir_.new_block("row");
  LLVMBasicBlockRef exit = ir_.new_block("rows.done");
  ir_.branch(ir_.compare(LLVMIntSLT, begin, end), start, exit);

  ir_.enter(start);  // the chunk is not empty, so no extent is zero
  std::array<Value, 3> extent{};
  for (size_t axis = 0; axis <= last; ++axis) extent[axis] = ir_.sub_nsw(upper(axis), lower(axis));
  std::array<Value, 3> first{};  // position of the first iteration, from 0
  Value rest = begin;
  for (size_t axis = last; axis > 0; --axis) {
    Value quotient = LLVMBuildUDiv(b, rest, extent[axis], "");
    first[axis] = ir_.sub_nsw(rest, LLVMBuildNSWMul(b, quotient, extent[axis], ""));
    rest = quotient;
  }
  first[0] = rest;
  ir_.jump(row);

  ir_.enter(row);
  Value flat = ir_.phi(ir_.i64());
  std::array<Value, 3> at{};
  for (size_t axis = 0; axis <= last; ++axis) {
    at[axis] = ir_.phi(ir_.i64());
    IrBuilder::add_incoming(at[axis], first[axis], start);
  }
  IrBuilder::add_incoming(flat, begin, start);
  Value to_row_end = ir_.sub_nsw(extent[last], at[last]);
  Value to_chunk_end = ir_.sub_nsw(end, flat);
  Value count = ir_.intrinsic("llvm.smin", {ir_.i64()}, {to_row_end, to_chunk_end});
  LoopIndices indices{};
  for (size_t axis = 0; axis < last; ++axis) indices[axis] = ir_.add_nsw(lower(axis), at[axis]);
  emit_row(body, indices, ir_.add_nsw(lower(last), at[last]), count, flat);

  Value next_flat = ir_.add_nsw(flat, count);
  LLVMBasicBlockRef latch = ir_.current_block();
  IrBuilder::add_incoming(flat, next_flat, latch);
  IrBuilder::add_incoming(at[last], ir_.constant_i64(0), latch);
  Value carry = ir_.constant(ir_.int_type(1), 1);
  for (size_t axis = last; axis-- > 0;) {
    Value next = ir_.add_nsw(at[axis], LLVMBuildZExt(b, carry, ir_.i64(), ""));
    if (axis > 0) {
      carry = ir_.compare(LLVMIntEQ, next, extent[axis]);
      next = ir_.select(carry, ir_.constant_i64(0), next);
    }
    IrBuilder::add_incoming(at[axis], next, latch);
  }
  ir_.branch(ir_.compare(LLVMIntSLT, next_flat, end), row, exit);
  ir_.enter(exit);
}

void CpuTaskCodegen::emit_row(const Block& body, LoopIndices indices, Value from, Value count, Value flat) {
  CountedLoop loop = begin_loop(from, ir_.add_nsw(from, count));
  indices[dims() - 1] = loop.index;
  bind_loop(&context_.task, indices, loop.latch, nullptr);
  begin_iteration(ir_.add_nsw(flat, ir_.sub_nsw(loop.index, from)));
  emit(body);
  end_loop(loop);
}

}  // namespace qd
