// One task's statements as LLVM IR. What differs between devices (how iterations are spread over threads, how printing
// reaches the host) is left to a subclass.
#pragma once

#include <array>
#include <unordered_map>
#include <unordered_set>

#include "core/codegen/ir_builder.h"
#include "core/codegen/launch_sites.h"
#include "core/codegen/task_arguments.h"
#include "core/ir/kernel_ir.h"
#include "core/transforms/passes.h"

namespace qd {

// A task and all that compiling it needs to know of its kernel. Lives longer than the codegen objects made from it.
struct TaskContext {
  const KernelIR& kernel;
  const CompileOptions& options;
  const LaunchSites& sites;
  const OffloadedStmt& task;
  int32_t index = 0;  // among the kernel's tasks
  bool reads_random = false;
};

class TaskCodegen {
 public:
  explicit TaskCodegen(const TaskContext& context);
  virtual ~TaskCodegen() = default;
  TaskCodegen(const TaskCodegen&) = delete;
  TaskCodegen& operator=(const TaskCodegen&) = delete;

  IrBuilder& ir() { return ir_; }

 protected:
  // Writes one line through the host.
  virtual void emit_print(int32_t site, const std::vector<Value>& values) = 0;
  // Reports that a check failed and leaves the task: ends the block. values: those reported, as a launch block has
  // them.
  virtual void emit_failure(int32_t site, const std::vector<Value>& values);
  // Ends the launch without a failure, and the block.
  virtual void emit_stop();
  // What random numbers follow from, two u64.
  struct RandomSource {
    Value seed, launch;
  };
  virtual RandomSource random_source();
  // Called before a statement is emitted.
  virtual void before(const Stmt& /*stmt*/) {}
  // Called with each load and store of memory that `pointer` leads to.
  virtual void note_access(Value /*instruction*/, const Stmt* /*pointer*/) {}
  // Called with the branch back to the start of a loop, of the last axis of one that counts.
  virtual void note_back_edge(Value /*branch*/, const Stmt& /*loop*/) {}
  // Where an array parameter's elements are.
  virtual Value array_data(int32_t param) { return arguments_->data(param); }
  // Bytes of local variables that one thread may have.
  virtual int64_t max_locals() const { return int64_t{1} << 20; }

  // The statements of this task are emitted besides those of the context's.
  void emits_also(const OffloadedStmt& task);
  // Starts a function that returns nothing: `entry` is kept for allocas, code follows in a block of its own.
  void begin_function(Value function, Value launch_block, TaskArguments* arguments);
  // Ends it: what has not returned returns, and entry leads to the code.
  void end_function();

  void emit(const Block& block);
  void emit_one(Stmt* stmt);
  Value value(const Stmt* stmt) const;
  // Of a CheckStmt: what must hold.
  Value check_condition(const CheckStmt& stmt);

  // for (index = begin; index < end; ++index) { … }: between the calls, code goes into the body.
  struct CountedLoop {
    Value index = nullptr;
    LLVMBasicBlockRef header = nullptr, latch = nullptr, exit = nullptr;
  };
  CountedLoop begin_loop(Value begin, Value end);
  void end_loop(const CountedLoop& loop);

  using LoopIndices = std::array<Value, 3>;
  // What `loop_index` and `continue` of a loop refer to from now on.
  void bind_loop(const Stmt* loop, const LoopIndices& indices, LLVMBasicBlockRef continue_to,
                 LLVMBasicBlockRef break_to);
  // Random numbers drawn from now on belong to this iteration.
  void begin_iteration(Value iteration);

  Value entry_alloca(LLVMTypeRef type, int32_t align);
  Value header_field(size_t offset) const { return ir_.byte_offset(launch_block_, static_cast<int64_t>(offset)); }
  // As a launch block reports it: integers extended, floats as the bits of an f64.
  Value reported(const Type* type, Value value) const;

  using Values = std::unordered_map<const Stmt*, Value>;

  const TaskContext& context_;
  IrBuilder ir_;
  Values values_;  // of the statements emitted in this function
  Value launch_block_ = nullptr;

 private:
  void emit(const ConstantStmt& stmt);
  void emit(const ArgLoadStmt& stmt);
  void emit(const ArgPlaceStmt& stmt);
  void emit(const ArrayDimStmt& stmt);
  void emit(const LoopIndexStmt& stmt);
  void emit(const UnaryStmt& stmt);
  void emit(const BinaryStmt& stmt);
  void emit(const CastStmt& stmt);
  void emit(const SelectStmt& stmt);
  void emit(const RandomStmt& stmt);
  void emit(const AllocaStmt& stmt);
  void emit(const ElementPtrStmt& stmt);
  void emit(const OffsetPtrStmt& stmt);
  void emit(const TempPtrStmt& stmt);
  void emit(const LoadStmt& stmt);
  void emit(const StoreStmt& stmt);
  void emit(const CopyStmt& stmt);
  void emit(const ZeroStmt& stmt);
  void emit(const AtomicStmt& stmt);
  void emit(const AtomicCasStmt& stmt);
  void emit(const IfStmt& stmt);
  void emit(const RangeForStmt& stmt);
  void emit(const LoopStmt& stmt);
  void emit(const ScopeStmt& stmt);
  void emit(const BreakStmt& stmt);
  void emit(const ContinueStmt& stmt);
  void emit(const StopStmt& stmt);
  void emit(const CheckStmt& stmt);
  void emit(const PrintStmt& stmt);
  [[noreturn]] void emit(const OffloadedStmt& stmt);

  void set(const Stmt& stmt, Value value) { values_[&stmt] = value; }
  void zero(const Type* type, const Stmt* pointer);
  Value load(const Type* type, Value at, const Stmt* pointer);
  void store(const Type* type, Value value, Value at, const Stmt* pointer);
  Value fail_function();

  struct Target {
    LoopIndices indices{};
    LLVMBasicBlockRef continue_to = nullptr, break_to = nullptr;
  };
  const Target& target(const Stmt* loop) const;

  // Statements whose result is rounded by the source and must not fuse with what uses it.
  std::unordered_set<const Stmt*> unfused_;
  std::unordered_map<const Stmt*, Target> targets_;

  // Of the function under construction.
  TaskArguments* arguments_ = nullptr;
  LLVMBasicBlockRef entry_ = nullptr, code_ = nullptr;
  int64_t locals_size_ = 0;  // bytes of allocas
  Value random_key_ = nullptr, iteration_ = nullptr, random_calls_ = nullptr;
};

}  // namespace qd
