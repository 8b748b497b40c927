// How a task ends its launch before its time.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/analysis/access.h"
#include "core/codegen/cuda/cuda_task.h"
#include "core/codegen/cuda/given.h"

namespace qd {

namespace {

bool is_local(const Stmt* pointer) { return pointer_root(pointer)->kind == StmtKind::alloca_; }

// An element at a given index is there whatever the tasks before have done, and so is a part of one at a given place.
bool is_readable(const Stmt* pointer) {
  for (; pointer->kind == StmtKind::offset_ptr; pointer = pointer->operands[0]) {
    if (pointer->operands.size() > 1 && !is_given(pointer->operands[1])) return false;
  }
  const auto given = [](const Stmt* index) { return is_given(index); };
  return is_local(pointer) || (pointer->kind == StmtKind::element_ptr &&
                               std::all_of(pointer->operands.begin(), pointer->operands.end(), given));
}

// It may run in a launch that has ended: nobody sees that it did.
bool is_unseen(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::constant:
    case StmtKind::arg_load:
    case StmtKind::array_dim:
    case StmtKind::loop_index:
    case StmtKind::unary:
    case StmtKind::binary:
    case StmtKind::cast:
    case StmtKind::select:
    case StmtKind::alloca_:
    case StmtKind::element_ptr:
    case StmtKind::offset_ptr:
      return true;
    case StmtKind::load:
      return is_readable(stmt.operands[0]);
    case StmtKind::store:
    case StmtKind::zero:
      return is_local(stmt.operands[0]) && is_readable(stmt.operands[0]);
    default:
      return false;
  }
}

// LLVM moves a load down to where its value is used, over a branch; an empty instruction uses it at once.
void keep_here(const IrBuilder& ir, Value load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  const char* constraint = nullptr;
  switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
      constraint = "f";
      break;
    case LLVMDoubleTypeKind:
      constraint = "d";
      break;
    case LLVMIntegerTypeKind:
      constraint = LLVMGetIntTypeWidth(type) == 32 ? "r" : LLVMGetIntTypeWidth(type) == 64 ? "l" : nullptr;
      break;
    default:
      break;
  }
  if (constraint == nullptr) return;
  LLVMTypeRef function = LLVMFunctionType(ir.void_type(), &type, 1, false);
  Value nothing = LLVMGetInlineAsm(function, "", 0, constraint, 1, true, false, LLVMInlineAsmDialectATT, false);
  LLVMBuildCall2(ir.get(), function, nothing, &load, 1, "");
}

}  // namespace

Value CudaTaskCodegen::number() {
  reads_number_ = true;
  return field(scalar_type(Primitive::u64), offsetof(CudaLaunch, launch));
}

Value CudaTaskCodegen::launch_number() { return add(number(), ir_.constant_i64(1)); }

Value CudaTaskCodegen::state_field(size_t offset) {
  return ir_.byte_offset(field_pointer(offsetof(CudaLaunch, state)), static_cast<int64_t>(offset));
}

// Reads whether an earlier task has ended the launch, and leaves if so: here, or, in an iteration, where it first does
// what others would see. By then what it reads has been asked for as well.
void CudaTaskCodegen::emit_leave_if_ended() {
  if (!place_.may_have_ended) return;
  ended_ = ir_.load(scalar_type(Primitive::u64), state_field(offsetof(CudaState, ended)));
  if (strided_ || private_array_ || !is_range()) leave_if_ended();
}

void CudaTaskCodegen::leave_if_ended() {
  Value ended = std::exchange(ended_, nullptr);
  if (ended == nullptr) return;
  for (Value load : std::exchange(early_loads_, {})) keep_here(ir_, load);
  LLVMBasicBlockRef run = ir_.new_block("run");
  ir_.branch_likely(ir_.compare(LLVMIntNE, ended, launch_number()), run, leave_);
  ir_.enter(run);
}

void CudaTaskCodegen::before(const Stmt& stmt) {
  if (ended_ != nullptr && !is_unseen(stmt)) leave_if_ended();
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
  Value record = ir_.load_pointer(state_field(offsetof(CudaState, record)), kGlobal);
  auto write = [&](Value value, size_t offset, unsigned align) {
    Value store = LLVMBuildStore(b, value, ir_.byte_offset(record, static_cast<int64_t>(offset)));
    LLVMSetVolatile(store, true);
    LLVMSetAlignment(store, align);
  };
  write(fail_check_, offsetof(CudaFailure, check), 4);
  for (size_t i = 0; i < fail_values_.size(); ++i) write(fail_values_[i], offsetof(CudaFailure, values) + 8 * i, 8);
  // The host may look as soon as the number is there.
#if LLVM_VERSION_MAJOR >= 20
  LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
#else
  ir_.intrinsic("llvm.nvvm.membar.sys", {}, {});  // the same; LLVM 19 has no instruction for a fence
#endif
  write(number, offsetof(CudaFailure, launch_plus_1), 8);
  ir_.jump(recorded);

  ir_.enter(recorded);
  ir_.store(scalar_type(Primitive::u64), number, state_field(offsetof(CudaState, ended)));
  ir_.jump(leave_);
}

}  // namespace qd
