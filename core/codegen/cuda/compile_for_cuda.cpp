#include <algorithm>
#include <cctype>
#include <memory>

#include "core/codegen/cpu/host_bounds.h"
#include "core/codegen/cuda/cuda_kernel.h"
#include "core/codegen/cuda/cuda_task.h"
#include "core/codegen/cuda/device_math.h"
#include "core/codegen/cuda/early_loads.h"
#include "core/codegen/cuda/entries.h"
#include "core/codegen/cuda/given.h"
#include "core/codegen/cuda/ptx_target.h"
#include "core/codegen/cuda/quick_division.h"
#include "core/codegen/cuda/unread_atomics.h"
#include "core/codegen/llvm_errors.h"
#include "core/codegen/task_list.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"

namespace qd {

namespace {

struct EntryPtx {
  std::vector<CudaTask> tasks;
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

EntryPtx generate(const TaskContext& context, CudaTaskCodegen& codegen, const CudaTarget& target,
                  const CudaPtxVersion& version, std::string& diagnostics) {
  EntryPtx result;
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
  result.tasks = codegen.descriptions();
  if (!diagnostics.empty()) throw Error(Code::internal, "LLVM: " + diagnostics);
  return result;
}

EntryPtx compile_entry(const TaskContext& context, CudaTaskPlace place, const CudaTarget& target,
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
  module->keeps_number = std::all_of(tasks.begin(), tasks.end(), [](const TaskContext& task) {
    return !task.reads_random && ends_as_given(task.task);
  });

  const std::vector<Entry> entries = plan_entries(tasks);
  std::vector<EntryPtx> code;
  for (const Entry& entry : entries) {
    const TaskContext& first = tasks[entry.tasks.front()];
    CudaTaskPlace place{.entry = identifier(kernel.name) + "_" + std::to_string(first.index),
                        .may_have_ended = entry.may_have_ended,
                        .zero_temps = first.index == 0 && zeroed_by_task ? kernel.temps_size : 0,
                        .scopes = {}};
    for (const size_t task : entry.tasks) place.scopes.push_back(&tasks[task]);
    code.push_back(compile_entry(first, std::move(place), target, version));
  }
  for (const char* stage : {"llvm", "llvm-opt"}) {
    if (!options.dump) break;
    for (const EntryPtx& entry : code)
      options.dump(stage, stage == std::string_view("llvm") ? entry.llvm : entry.optimized);
  }

  module->tasks.resize(tasks.size());
  for (size_t i = 0; i < code.size(); ++i) {
    append_ptx(module->ptx, code[i].ptx);
    if (!code[i].math.empty()) module->math = code[i].math;
    for (size_t t = 0; t < code[i].tasks.size(); ++t) {
      module->tasks[entries[i].tasks[t]] = std::move(code[i].tasks[t]);
    }
  }
  std::vector<const TaskContext*> bounded;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (module->tasks[i].bounds_on_host) bounded.push_back(&tasks[i]);
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
