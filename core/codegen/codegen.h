// From offloaded IR to machine code. LLVM stays behind this header.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/kernel_ir.h"
#include "core/runtime/launch_block.h"
#include "core/runtime/launch_plan.h"
#include "core/transforms/passes.h"

namespace qd {

// What a task is called by those who may outlive its kernel, as a trace does.
struct TaskLabel {
  std::string kernel, task;
  GroupId group = 0;
};

struct CompiledTask {
  OffloadedTask task;
  TaskFunction function = nullptr;
  BoundsFunction bounds = nullptr;  // range tasks
  std::shared_ptr<const TaskLabel> label = nullptr;
  const void* code = nullptr;  // where the device makes something else of it than a function
};

// Machine code of one kernel in this process; freed with the object.
class CompiledKernel {
 public:
  virtual ~CompiledKernel() = default;
  std::vector<CompiledTask> tasks;
  std::vector<CheckSite> checks;
  std::vector<PrintSite> prints;
  int32_t launched_as_one = 0;  // scopes that the device runs as one kernel
  // Set by a device that would launch the kernel as a whole and found that it cannot.
  mutable std::atomic<bool> launched_by_task{false};
};

// Compiles every task (one LLVM module each) on up to `threads` threads. Throws Error; LLVM's own fatal errors are
// turned into Error where LLVM allows. options.dump receives stages "llvm" (before optimisation), "llvm-opt" and "asm".
std::unique_ptr<CompiledKernel> compile_for_cpu(const KernelIR& kernel, const CompileOptions& options, int threads);

struct CodegenInfo {
  std::string llvm_version;  // "22.1.8"
  std::string cpu;           // "znver4"
  std::string features;
};
CodegenInfo codegen_info();

}  // namespace qd
