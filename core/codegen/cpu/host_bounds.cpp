#include "core/codegen/cpu/host_bounds.h"

#include "core/codegen/cpu/cpu_task.h"
#include "core/codegen/cpu/host_target.h"
#include "core/codegen/llvm_errors.h"
#include "core/ir/error.h"

namespace qd {

namespace {

LlvmBuffer generate(CpuTaskCodegen& codegen, std::string& diagnostics) {
  LLVMModuleRef module = codegen.ir().module();
  collect_diagnostics(codegen.ir().context(), &diagnostics);
  const LlvmTargetMachine machine = create_host_machine();
  set_target(module, machine.get());
  codegen.build_bounds();
  verify_module(module, "code generation");
  // A few instructions, run once a launch: what the code generator does by itself is enough.
  LlvmBuffer object = emit_code(module, machine.get(), LLVMObjectFile);
  if (!diagnostics.empty()) throw Error(Code::internal, "LLVM: " + diagnostics);
  return object;
}

LlvmBuffer compile(const TaskContext& context) {
  std::string diagnostics;
  const FatalErrorScope scope;
  CpuTaskCodegen codegen(context);
  try {
    return generate(codegen, diagnostics);
  } catch (const LlvmFatalError& error) {
    codegen.ir().abandon();
    throw Error(Code::internal, "LLVM gave up on a task's bounds: " + error.message, context.task.pos);
  }
}

}  // namespace

HostBounds::HostBounds(const std::vector<const TaskContext*>& tasks) {
  std::vector<std::string> names;
  for (const TaskContext* task : tasks) {
    library_.add(compile(*task));
    names.push_back(bounds_symbol(task->index));
  }
  if (names.empty()) return;
  for (void* address : library_.link(names)) functions_.push_back(reinterpret_cast<BoundsFunction>(address));
}

}  // namespace qd
