// How a task ends its launch before its time.
#include <cstddef>

#include "core/codegen/cuda/cuda_task.h"

namespace qd {

Value CudaTaskCodegen::launch_number() {
  return add(field(scalar_type(Primitive::u64), offsetof(CudaLaunch, launch)), ir_.constant_i64(1));
}

Value CudaTaskCodegen::state_field(size_t offset) {
  return ir_.byte_offset(field_pointer(offsetof(CudaLaunch, state)), static_cast<int64_t>(offset));
}

void CudaTaskCodegen::emit_leave_if_ended() {
  if (!place_.may_have_ended) return;
  Value ended = ir_.load(scalar_type(Primitive::u64), state_field(offsetof(CudaState, ended)));
  LLVMBasicBlockRef run = ir_.new_block("run");
  ir_.branch_likely(ir_.compare(LLVMIntNE, ended, launch_number()), run, leave_);
  ir_.enter(run);
}

void CudaTaskCodegen::emit_stop() {
  ir_.store(scalar_type(Primitive::u64), launch_number(), state_field(offsetof(CudaState, ended)));
  ir_.jump(leave_);
}

// All failing checks of a function share one block at its end: a call would cost the others registers.
void CudaTaskCodegen::emit_failure(int32_t site, const std::vector<Value>& values) {
  LLVMTypeRef i32 = ir_.int_type(32);
  LLVMBasicBlockRef from = ir_.current_block();
  if (fail_ == nullptr) {
    fail_ = ir_.new_block("failed");
    ir_.enter(fail_);
    fail_check_ = ir_.phi(i32);
    fail_values_.clear();
    for (int i = 0; i < kMaxCheckValues; ++i) fail_values_.push_back(ir_.phi(ir_.i64()));
    ir_.enter(from);
  }
  IrBuilder::add_incoming(fail_check_, ir_.constant(i32, static_cast<uint64_t>(static_cast<uint32_t>(site))), from);
  for (size_t i = 0; i < fail_values_.size(); ++i) {
    IrBuilder::add_incoming(fail_values_[i], i < values.size() ? values[i] : ir_.constant_i64(0), from);
  }
  ir_.jump(fail_);
}

void CudaTaskCodegen::emit_fail_block() {
  if (fail_ == nullptr) return;
  LLVMBuilderRef b = ir_.get();
  ir_.enter(fail_);
  LLVMBasicBlockRef first = ir_.new_block("record");
  LLVMBasicBlockRef recorded = ir_.new_block("recorded");
  Value number = launch_number();
  Value claim = LLVMBuildAtomicCmpXchg(b, state_field(offsetof(CudaState, claimed)), ir_.constant_i64(0), number,
                                       LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, false);
  ir_.branch(LLVMBuildExtractValue(b, claim, 1, ""), first, recorded);

  ir_.enter(first);
  Value record = field_pointer(offsetof(CudaLaunch, record));
  auto write = [&](Value value, size_t offset, unsigned align) {
    Value store = LLVMBuildStore(b, value, ir_.byte_offset(record, static_cast<int64_t>(offset)));
    LLVMSetVolatile(store, true);
    LLVMSetAlignment(store, align);
  };
  write(fail_check_, offsetof(CudaFailure, check), 4);
  for (size_t i = 0; i < fail_values_.size(); ++i) write(fail_values_[i], offsetof(CudaFailure, values) + 8 * i, 8);
  // The host may look as soon as the number is there.
  LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
  write(number, offsetof(CudaFailure, launch_plus_1), 8);
  ir_.jump(recorded);

  ir_.enter(recorded);
  ir_.store(scalar_type(Primitive::u64), number, state_field(offsetof(CudaState, ended)));
  ir_.jump(leave_);
}

}  // namespace qd
