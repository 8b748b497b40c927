#include <atomic>
#include <exception>
#include <optional>
#include <thread>

#include "core/codegen/codegen.h"
#include "core/codegen/cpu/cpu_task.h"
#include "core/codegen/cpu/host_target.h"
#include "core/codegen/cpu/jit.h"
#include "core/codegen/llvm_errors.h"
#include "core/codegen/task_list.h"
#include "core/ir/error.h"

namespace qd {

namespace {

// One task's code, and its text for dumps.
struct TaskCode {
  LlvmBuffer object;
  std::string llvm, optimized, assembly;
};

std::string assembly_of(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  const LlvmModule copy(LLVMCloneModule(module));
  const LlvmBuffer buffer = emit_code(copy.get(), machine, LLVMAssemblyFile);
  return {LLVMGetBufferStart(buffer.get()), LLVMGetBufferSize(buffer.get())};
}

TaskCode generate(const TaskContext& context, CpuTaskCodegen& codegen, std::string& diagnostics) {
  TaskCode code;
  LLVMModuleRef module = codegen.ir().module();
  collect_diagnostics(codegen.ir().context(), &diagnostics);
  const LlvmTargetMachine machine = create_host_machine();
  set_target(module, machine.get());
  codegen.build();
  const bool dump = static_cast<bool>(context.options.dump);
  if (dump) code.llvm = text_of(module);
  verify_module(module, "code generation");
  optimize(module, machine.get());
  if (dump) {
    code.optimized = text_of(module);
    code.assembly = assembly_of(module, machine.get());
  }
  code.object = emit_code(module, machine.get(), LLVMObjectFile);
  if (!diagnostics.empty()) throw Error(Code::internal, "LLVM: " + diagnostics);
  return code;
}

TaskCode compile_task(const TaskContext& context) {
  std::string diagnostics;
  const FatalErrorScope scope;
  CpuTaskCodegen codegen(context);
  try {
    return generate(context, codegen, diagnostics);
  } catch (const LlvmFatalError& error) {
    codegen.ir().abandon();
    throw Error(Code::internal, "LLVM gave up on a task: " + error.message, context.task.pos);
  }
}

// The results in the order of the tasks; the first task's error wins, whichever thread met it.
std::vector<TaskCode> compile_all(const std::vector<TaskContext>& tasks, int threads) {
  std::vector<TaskCode> code(tasks.size());
  std::vector<std::exception_ptr> errors(tasks.size());
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i = next++; i < tasks.size(); i = next++) {
      try {
        code[i] = compile_task(tasks[i]);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    const size_t wanted = std::min(tasks.size(), static_cast<size_t>(std::max(threads, 1)));
    for (size_t i = 1; i < wanted; ++i) helpers.emplace_back(work);
    work();
  }
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return code;
}

class JitKernel final : public CompiledKernel {
 public:
  JitLibrary library;
};

void dump(const CompileOptions& options, const std::vector<TaskCode>& code) {
  if (!options.dump) return;
  for (const TaskCode& task : code) options.dump("llvm", task.llvm);
  for (const TaskCode& task : code) options.dump("llvm-opt", task.optimized);
  for (const TaskCode& task : code) options.dump("asm", task.assembly);
}

}  // namespace

std::unique_ptr<CompiledKernel> compile_for_cpu(const KernelIR& kernel, const CompileOptions& options, int threads) {
  LaunchSites sites = number_sites(kernel);
  const std::vector<TaskContext> tasks = find_tasks(kernel, options, sites);
  const FatalErrorScope scope;
  try {
    host_target();
    std::vector<TaskCode> code = compile_all(tasks, threads);
    dump(options, code);
    auto compiled = std::make_unique<JitKernel>();
    std::vector<std::string> names;
    for (const TaskContext& task : tasks) {
      CompiledTask& made = compiled->tasks.emplace_back(CompiledTask{.task = describe(task)});
      made.label = std::make_shared<TaskLabel>(kernel.name, made.task.name, made.task.group);
      compiled->library.add(std::move(code[static_cast<size_t>(task.index)].object));
      names.push_back(task_symbol(task.index));
      if (task.task.task == TaskType::range_for) names.push_back(bounds_symbol(task.index));
    }
    const std::vector<void*> addresses = compiled->library.link(names);
    auto address = addresses.begin();
    for (CompiledTask& task : compiled->tasks) {
      task.function = reinterpret_cast<TaskFunction>(*address++);
      if (task.task.type == TaskType::range_for) task.bounds = reinterpret_cast<BoundsFunction>(*address++);
    }
    compiled->checks = std::move(sites.checks);
    compiled->prints = std::move(sites.prints);
    return compiled;
  } catch (const LlvmFatalError& error) {
    throw Error(Code::internal, "LLVM gave up: " + error.message);
  }
}

}  // namespace qd
