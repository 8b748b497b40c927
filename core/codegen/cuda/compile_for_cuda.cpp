#include <algorithm>
#include <cctype>
#include <memory>

#include "core/codegen/cpu/host_bounds.h"
#include "core/codegen/cuda/cuda_kernel.h"
#include "core/codegen/cuda/cuda_task.h"
#include "core/codegen/cuda/device_math.h"
#include "core/codegen/cuda/early_loads.h"
#include "core/codegen/cuda/ptx_target.h"
#include "core/codegen/cuda/quick_division.h"
#include "core/codegen/cuda/unread_atomics.h"
#include "core/codegen/llvm_errors.h"
#include "core/codegen/task_list.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"

namespace qd {

namespace {

struct TaskPtx {
  CudaTask description;
  std::string ptx, llvm, optimized, math;
};

class PtxModule final : public CudaModule {
 public:
  std::unique_ptr<HostBounds> bounds;
};

// Temporaries that one thread zeroes sooner than the host's command would be through.
constexpr int64_t kZeroedByTask = 256;

// PTX has fewer letters than Go.
std::string identifier(const std::string& name) {
  std::string text;
  for (const char c : name) {
    text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0 ? "_" + text : text;
}

bool can_end_launch(const TaskContext& context, bool bounds_on_host) {
  bool found = context.task.task == TaskType::range_for && !bounds_on_host;
  for (const Block* block : blocks_of(context.task)) {
    walk(block, [&](const Stmt* stmt) { found |= stmt->kind == StmtKind::check || stmt->kind == StmtKind::stop; });
  }
  return found;
}

// Atomics of a kernel are seen by the whole GPU, not by the whole system, as CUDA C++'s are. LLVM 19's C interface
// cannot say so; there they stay stronger than needed.
void narrow_atomics(const IrBuilder& ir) {
#if LLVM_VERSION_MAJOR >= 20
  static constexpr std::string_view kScope = "device";
  const unsigned scope = LLVMGetSyncScopeID(ir.context(), kScope.data(), kScope.size());
  for (Value function = LLVMGetFirstFunction(ir.module()); function; function = LLVMGetNextFunction(function)) {
    for (auto* block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      for (Value at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        const LLVMOpcode code = LLVMGetInstructionOpcode(at);
        const bool atomic = code == LLVMAtomicRMW || code == LLVMAtomicCmpXchg ||
                            (code == LLVMLoad && LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic);
        if (atomic) LLVMSetAtomicSyncScopeID(at, scope);
      }
    }
  }
#else
  (void)ir;
#endif
}

// Tasks are compiled apart and their PTX is put together, so what only one of them knows needs a name of its own.
void rename_internals(LLVMModuleRef module, int32_t index) {
  auto rename = [&](Value global) {
    if (LLVMGetLinkage(global) != LLVMInternalLinkage && LLVMGetLinkage(global) != LLVMPrivateLinkage) return;
    size_t length = 0;
    const char* name = LLVMGetValueName2(global, &length);
    const std::string unique = identifier({name, length}) + "_t" + std::to_string(index);
    LLVMSetValueName2(global, unique.data(), unique.size());
    LLVMSetLinkage(global, LLVMInternalLinkage);
  };
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    rename(function);
  }
  for (Value global = LLVMGetFirstGlobal(module); global; global = LLVMGetNextGlobal(global)) rename(global);
}

TaskPtx generate(const TaskContext& context, CudaTaskCodegen& codegen, const CudaTarget& target,
                 const CudaPtxVersion& version, std::string& diagnostics) {
  TaskPtx result;
  LLVMModuleRef module = codegen.ir().module();
  collect_diagnostics(codegen.ir().context(), &diagnostics);
  const LlvmTargetMachine machine = create_ptx_machine(version);
  set_target(module, machine.get());
  codegen.build();
  const bool dump = static_cast<bool>(context.options.dump);
  if (dump) result.llvm = text_of(module);
  verify_module(module, "code generation");
  narrow_atomics(codegen.ir());
  result.math = link_device_math(codegen.ir(), target);
  optimize(module, machine.get(), false);
  load_early(codegen.ir());
  divide_quickly(codegen.ir());
  verify_module(module, "dividing quickly");
  rename_internals(module, context.index);
  if (dump) result.optimized = text_of(module);
  const LlvmBuffer buffer = emit_code(module, machine.get(), LLVMAssemblyFile);
  result.ptx = without_unread_results({LLVMGetBufferStart(buffer.get()), LLVMGetBufferSize(buffer.get())});
  result.description = codegen.description();
  if (!diagnostics.empty()) throw Error(Code::internal, "LLVM: " + diagnostics);
  return result;
}

TaskPtx compile_task(const TaskContext& context, CudaTaskPlace place, const CudaTarget& target,
                     const CudaPtxVersion& version) {
  std::string diagnostics;
  const FatalErrorScope scope;
  CudaTaskCodegen codegen(context, std::move(place));
  try {
    return generate(context, codegen, target, version, diagnostics);
  } catch (const LlvmFatalError& error) {
    codegen.ir().abandon();
    throw Error(Code::internal, "LLVM gave up on a task: " + error.message, context.task.pos);
  }
}

// The first task's text whole, of the others what follows the head.
void append_ptx(std::string& all, const std::string& ptx) {
  static constexpr std::string_view kHeadEnd = ".address_size 64\n";
  const size_t head = ptx.find(kHeadEnd);
  if (head == std::string::npos) throw Error(Code::internal, "codegen: the PTX has no head");
  all += all.empty() ? std::string_view(ptx) : std::string_view(ptx).substr(head + kHeadEnd.size());
}

void require_parameter_space(const KernelIR& kernel, const CudaPtxVersion& version) {
  const int64_t size = static_cast<int64_t>(kHeaderSize) + kernel.params_size;
  if (size <= max_parameter_bytes(version)) return;
  throw Error(Code::unsupported, "the kernel's arguments take " + std::to_string(kernel.params_size) +
                                     " bytes, on this device at most " +
                                     std::to_string(max_parameter_bytes(version) - static_cast<int64_t>(kHeaderSize)) +
                                     " are possible: pass a large array or struct in a device array");
}

}  // namespace

std::unique_ptr<CudaModule> compile_for_cuda(const KernelIR& kernel, const CompileOptions& options,
                                             const CudaTarget& target) {
  const CudaPtxVersion version = choose_ptx(target);
  require_parameter_space(kernel, version);
  LaunchSites sites = number_sites(kernel);
  const std::vector<TaskContext> tasks = find_tasks(kernel, options, sites);
  auto module = std::make_unique<PtxModule>();
  module->params_size = kernel.params_size;
  module->temps_size = kernel.temps_size;
  const bool serial_first = !tasks.empty() && tasks[0].task.task == TaskType::serial && tasks[0].task.group == 0;
  const bool zeroed_by_task = serial_first && kernel.temps_size <= kZeroedByTask;
  module->zero_temps = kernel.temps_size > 0 && !zeroed_by_task;

  std::vector<TaskPtx> code;
  bool may_have_ended = false;
  for (const TaskContext& task : tasks) {
    CudaTaskPlace place{.entry = identifier(kernel.name) + "_" + std::to_string(task.index),
                        .may_have_ended = may_have_ended,
                        .zero_temps = task.index == 0 && zeroed_by_task ? kernel.temps_size : 0};
    code.push_back(compile_task(task, std::move(place), target, version));
    may_have_ended |= can_end_launch(task, code.back().description.bounds_on_host);
  }
  for (const char* stage : {"llvm", "llvm-opt"}) {
    if (!options.dump) break;
    for (const TaskPtx& task : code)
      options.dump(stage, stage == std::string_view("llvm") ? task.llvm : task.optimized);
  }

  std::vector<const TaskContext*> bounded;
  for (TaskPtx& task : code) {
    append_ptx(module->ptx, task.ptx);
    if (task.description.bounds_on_host) bounded.push_back(&tasks[module->tasks.size()]);
    if (!task.math.empty()) module->math = task.math;
    module->tasks.push_back(std::move(task.description));
  }
  if (options.dump) options.dump("ptx", module->ptx);
  module->bounds = std::make_unique<HostBounds>(bounded);
  size_t position = 0;
  for (CudaTask& task : module->tasks) {
    if (task.bounds_on_host) task.bounds = module->bounds->of(position++);
  }
  module->checks = std::move(sites.checks);
  module->prints = std::move(sites.prints);
  return module;
}

}  // namespace qd
