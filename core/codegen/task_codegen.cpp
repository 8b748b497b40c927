#include "core/codegen/task_codegen.h"

#include "core/codegen/arithmetic.h"
#include "core/codegen/float_fusion.h"
#include "core/codegen/random.h"
#include "core/ir/error.h"
#include "core/runtime/launch_block.h"

namespace qd {

TaskCodegen::TaskCodegen(const TaskContext& context)
    : context_(context),
      ir_(context.kernel.name + "_" + std::to_string(context.index), context.options.fast_math),
      unfused_(find_unfused(context.task)) {}

void TaskCodegen::emits_also(const OffloadedStmt& task) { unfused_.merge(find_unfused(task)); }

void TaskCodegen::begin_function(Value function, Value launch_block, TaskArguments* arguments) {
  launch_block_ = launch_block;
  arguments_ = arguments;
  values_.clear();
  targets_.clear();
  random_key_ = iteration_ = random_calls_ = nullptr;
  locals_size_ = 0;
  entry_ = LLVMAppendBasicBlockInContext(ir_.context(), function, "entry");
  code_ = LLVMAppendBasicBlockInContext(ir_.context(), function, "code");
  ir_.enter(code_);
}

void TaskCodegen::end_function() {
  if (!ir_.terminated()) LLVMBuildRetVoid(ir_.get());
  ir_.enter(entry_);
  ir_.jump(code_);
}

void TaskCodegen::emit(const Block& block) {
  for (const auto& stmt : block.statements) {
    emit_one(stmt.get());
    if (ir_.terminated()) return;
  }
}

void TaskCodegen::emit_one(Stmt* stmt) {
  before(*stmt);
  visit(stmt, [this](const auto* s) { emit(*s); });
}

Value TaskCodegen::value(const Stmt* stmt) const {
  const auto found = values_.find(stmt);
  if (found == values_.end()) throw Error(Code::internal, "codegen: a value is used before it is computed", stmt->pos);
  return found->second;
}

Value TaskCodegen::entry_alloca(LLVMTypeRef type, int32_t align) {
  LLVMBasicBlockRef here = ir_.current_block();
  ir_.enter(entry_);
  Value slot = LLVMBuildAlloca(ir_.get(), type, "");
  LLVMSetAlignment(slot, static_cast<unsigned>(align));
  ir_.enter(here);
  return slot;
}

TaskCodegen::RandomSource TaskCodegen::random_source() {
  const Type* u64 = scalar_type(Primitive::u64);
  Value seed = ir_.load(u64, header_field(offsetof(LaunchHeader, seed)));
  Value launch = ir_.load(u64, header_field(offsetof(LaunchHeader, launch)));
  return {seed, launch};
}

void TaskCodegen::begin_iteration(Value iteration) {
  if (!context_.reads_random) return;
  LLVMTypeRef i32 = ir_.int_type(32);
  if (random_calls_ == nullptr) {
    random_calls_ = entry_alloca(i32, 4);
    const RandomSource source = random_source();
    random_key_ = emit_random_key(ir_, source.seed, source.launch, context_.index);
  }
  iteration_ = iteration;
  LLVMBuildStore(ir_.get(), LLVMConstNull(i32), random_calls_);
}

void TaskCodegen::emit(const ConstantStmt& stmt) { set(stmt, ir_.scalar_constant(stmt.type, stmt.bits)); }
void TaskCodegen::emit(const ArgLoadStmt& stmt) { set(stmt, arguments_->scalar(stmt.param)); }
void TaskCodegen::emit(const ArgPlaceStmt& stmt) { set(stmt, arguments_->place(stmt.param)); }
void TaskCodegen::emit(const ArrayDimStmt& stmt) { set(stmt, arguments_->dim(stmt.param, stmt.axis)); }

void TaskCodegen::emit(const LoopIndexStmt& stmt) {
  set(stmt, target(stmt.operands[0]).indices[static_cast<size_t>(stmt.axis)]);
}

void TaskCodegen::emit(const UnaryStmt& stmt) {
  const Stmt* x = stmt.operands[0];
  set(stmt, emit_unary(ir_, stmt.op, x->type, value(x)));
}

void TaskCodegen::emit(const BinaryStmt& stmt) {
  const Stmt* x = stmt.operands[0];
  const Stmt* y = stmt.operands[1];
  const FloatFreedom freedom{.contract = stmt.contract && !unfused_.contains(&stmt), .reassociate = stmt.reassociate};
  set(stmt, emit_binary(ir_, stmt.op, x->type, value(x), value(y), y->type, freedom));
}

void TaskCodegen::emit(const CastStmt& stmt) {
  const Stmt* x = stmt.operands[0];
  set(stmt, emit_cast(ir_, stmt.op, x->type, stmt.type, value(x)));
}

void TaskCodegen::emit(const SelectStmt& stmt) {
  set(stmt, ir_.select(value(stmt.operands[0]), value(stmt.operands[1]), value(stmt.operands[2])));
}

void TaskCodegen::emit(const RandomStmt& stmt) {
  LLVMTypeRef i32 = ir_.int_type(32);
  Value calls = LLVMBuildLoad2(ir_.get(), i32, random_calls_, "");
  LLVMBuildStore(ir_.get(), LLVMBuildAdd(ir_.get(), calls, ir_.constant(i32, 1), ""), random_calls_);
  set(stmt, emit_random(ir_, stmt.type, random_key_, iteration_, calls, stmt.sequence));
}

void TaskCodegen::emit(const OffloadedStmt& stmt) {
  throw Error(Code::internal, "codegen: a task inside a task", stmt.pos);
}

}  // namespace qd
