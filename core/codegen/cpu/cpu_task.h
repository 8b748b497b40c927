// A task as a function that runs a chunk of its iterations on one CPU thread.
//
//   void task_N(launch block, begin, end)     reads the task's arguments once, then calls
//   void task_N_body(block, begin, end, …)    whose parameters are the arguments, each array with its alias facts
//   void task_N_bounds(launch block, out)     writes the range's bounds
#pragma once

#include <string>

#include "core/codegen/task_codegen.h"

namespace qd {

// Symbols of a task's functions; they match TaskFunction and BoundsFunction.
std::string task_symbol(int32_t index);
std::string bounds_symbol(int32_t index);

class CpuTaskCodegen final : public TaskCodegen {
 public:
  explicit CpuTaskCodegen(const TaskContext& context) : TaskCodegen(context) {}
  // Defines the functions.
  void build();
  // Defines the bounds alone, for a device that leaves them to the host.
  void build_bounds();

 private:
  void emit_print(int32_t site, const std::vector<Value>& values) override;

  void define_task();
  Value define_body(TaskArguments& arguments);

  // Iterations [begin, end) of the task's range, with what stands before and after them.
  void emit_chunk(Value begin, Value end);
  void emit_iterations(const Block& body, Value begin, Value end);
  void emit_line(const Block& body, Value begin, Value end);
  void emit_rows(const Block& body, Value begin, Value end);
  void emit_row(const Block& body, LoopIndices indices, Value from, Value count, Value flat);

  size_t dims() const { return static_cast<size_t>(context_.task.dims); }
  Value lower(size_t axis) const { return value(context_.task.operands[2 * axis]); }
  Value upper(size_t axis) const { return value(context_.task.operands[2 * axis + 1]); }
};

}  // namespace qd
