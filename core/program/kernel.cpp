#include "core/program/kernel.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "core/analysis/access.h"
#include "core/codegen/codegen.h"
#include "core/ir/error.h"
#include "core/program/clone_ast.h"
#include "core/program/stream.h"
#include "core/runtime/host_arrays.h"
#include "core/runtime/value_text.h"

namespace qd {

struct Kernel::Variant {
  const Kernel* kernel = nullptr;
  std::unique_ptr<CompiledKernel> code;
  LaunchPlan plan;
  int64_t temps_size = 0;
  OutputBuffer* output = nullptr;
  HostServices services{};

  // Called from machine code: nothing may be thrown through it.
  static void print(void* context, int32_t site, const uint64_t* values, int32_t count) noexcept {
    const auto* self = static_cast<const Variant*>(context);
    const std::vector<PrintSite>& sites = self->code->prints;
    try {
      if (site == kLostLines) {
        self->output->append(
            OutputBuffer::standard_error,
            "qd: kernel " + self->kernel->name() + " printed more than the device holds; lines were lost\n");
      }
      if (site < 0 || static_cast<size_t>(site) >= sites.size()) return;
      const PrintSite& s = sites[static_cast<size_t>(site)];
      self->output->append(s.to_stderr ? OutputBuffer::standard_error : OutputBuffer::standard_output,
                           format_values(s.format, s.types, values, static_cast<size_t>(count)));
    } catch (...) {
      // No memory for a printed line: the line is lost, the kernel goes on.
    }
  }
};

namespace {

void write_dump(const std::string& kernel, const char* stage, const std::string& text) {
  std::fprintf(stderr, "---- %s: %s\n%s%s", kernel.c_str(), stage, text.c_str(), text.ends_with('\n') ? "" : "\n");
}

std::vector<OffloadedTask> tasks_of(const CompiledKernel& code) {
  std::vector<OffloadedTask> tasks;
  tasks.reserve(code.tasks.size());
  for (const CompiledTask& task : code.tasks) tasks.push_back(task.task);
  return tasks;
}

}  // namespace

Kernel::Kernel(std::shared_ptr<Program> program, AST ast) : program_(std::move(program)), ast_(std::move(ast)) {
  if (program_->dump_request().wants(name(), "ast")) write_dump(name(), "ast", print(ast_));
  lowered_ = compile_to_offloads(clone(ast_), options_for(false));
  const ArrayAccess access = gather_access(lowered_->root.get());
  written_.resize(params().size());
  for (size_t i = 0; i < written_.size(); ++i) {
    const auto param = static_cast<int32_t>(i);
    written_[i] = access.writes.contains(param) || access.atomics.contains(param);
  }
  diagnostics_ = lowered_->diagnostics;
  arrays_ = ArrayArguments(params(), written_, ast_.kernel.assumed_disjoint, lowered_->apart);
  program_->kernels.fetch_add(1);
}

Kernel::~Kernel() { program_->kernels.fetch_sub(1); }

CompileOptions Kernel::options_for(bool may_alias) const {
  CompileOptions options = program_->compile_options();
  options.may_alias = may_alias;
  if (program_->dump_request().wants(name())) {
    options.dump = [this, may_alias](const char* stage, const std::string& text) {
      if (program_->dump_request().wants(name(), stage)) {
        write_dump(name(), may_alias ? (std::string(stage) + ", arrays may overlap").c_str() : stage, text);
      }
    };
  }
  return options;
}

void Kernel::require_sound() const {
  for (const Diagnostic& said : diagnostics_) {
    if (!said.is_warning) throw Error(Code::compile, said.message, said.pos);
  }
}

std::unique_ptr<Kernel::Variant> Kernel::make_variant(bool may_alias) {
  require_sound();
  const CompileOptions options = options_for(may_alias);
  const KernelIR ir =
      !may_alias && lowered_ ? *std::exchange(lowered_, std::nullopt) : compile_to_offloads(clone(ast_), options);
  auto made = std::make_unique<Variant>();
  made->kernel = this;
  made->code = program_->device().compile(ir, options, program_->compile_threads());
  made->plan = plan_launch(tasks_of(*made->code));
  made->temps_size = ir.temps_size;
  made->output = &program_->output;
  made->services = {Variant::print, made.get()};
  return made;
}

const Kernel::Variant& Kernel::variant(bool may_alias) {
  Once& once = variants_[may_alias ? 1 : 0];
  if (const Variant* ready = once.ready.load(std::memory_order_acquire)) return *ready;
  const std::lock_guard lock(once.mutex);
  if (once.error) std::rethrow_exception(once.error);
  if (!once.owned) {
    try {
      once.owned = make_variant(may_alias);
    } catch (const std::bad_alloc&) {
      throw;  // may well work later
    } catch (...) {
      once.error = std::current_exception();
      throw;
    }
    once.ready.store(once.owned.get(), std::memory_order_release);
  }
  return *once.owned;
}

void Kernel::compile() {
  program_->require_open();
  variant(false);
}

const Kernel::Variant& Kernel::variant_for(const void* args) {
  program_->require_open();
  if (!diagnostics_.empty()) require_sound();
  return variant(arrays_.overlap(args));
}

LaunchRequest Kernel::request(const Variant& code, const void* args) {
  return {.tasks = code.code->tasks,
          .plan = code.plan,
          .args = args,
          .args_size = args_size(),
          .temps_size = code.temps_size,
          .seed = program_->options().seed,
          .launch = program_->next_launch(),
          .host = const_cast<HostServices*>(&code.services),
          .kernel = code.code.get()};
}

Kernel::Result Kernel::result(const Variant& code, const LaunchOutcome& outcome) {
  Result result;
  result.has_output = !code.code->prints.empty() && !code.output->empty();
  if (outcome.state == LaunchState::failed) result.failure = describe_failure(outcome, code.code->checks);
  return result;
}

Kernel::Result Kernel::launch(const void* args) {
  const Variant& code = variant_for(args);
  const LaunchRequest wanted = request(code, args);
  LaunchOutcome outcome;
  {
    const rhi::StreamUse use(program_->device(), nullptr);
    program_->require_open();
    outcome = qd::launch(program_->device(), nullptr, program_->launch_blocks, wanted);
  }
  return result(code, outcome);
}

void Kernel::queue(const std::shared_ptr<Kernel>& kernel, LaunchQueue& queue, const void* args,
                   std::span<const int64_t> host_offsets) {
  const Variant& code = kernel->variant_for(args);
  if (host_offsets.empty()) {
    queue.launch(kernel->request(code, args), kernel, &code);
    return;
  }
  std::vector<ArrayArguments::Placed> arrays;
  for (const int64_t offset : host_offsets) arrays.push_back(kernel->arrays_.placed(offset, args));
  const auto size = static_cast<size_t>(kernel->args_size());
  std::vector<uint64_t> there((size + sizeof(uint64_t) - 1) / sizeof(uint64_t));
  std::memcpy(there.data(), args, size);
  HostArrays host(kernel->program().device(), queue.stream());
  host.copy_in(arrays, there.data());
  queue.launch(kernel->request(code, there.data()), kernel, &code);
  queue.drain();
  host.copy_out(kernel->written_);
}

StreamFailure Kernel::describe(const LaunchQueue::Failure& failure) {
  StreamFailure said{.launch = failure.failed.number, .kernel = {}, .positions = {}, .failure = {}, .error = {}};
  if (failure.launched == nullptr) {
    said.error = std::make_exception_ptr(Error(
        Code::internal, "launch " + std::to_string(failure.failed.number) + " failed, and its kernel is unknown"));
    return said;
  }
  const auto& code = *static_cast<const Variant*>(failure.launched.get());
  said.kernel = code.kernel->name();
  said.positions = code.kernel->positions();
  said.failure =
      describe_failure({.state = LaunchState::failed, .check = failure.failed.check, .values = failure.failed.values},
                       code.code->checks);
  return said;
}

Kernel::Prepared Kernel::prepare(std::shared_ptr<Kernel> kernel, const void* args, LaunchBlockPool& blocks) {
  const Variant& code = kernel->variant_for(args);
  const LaunchRequest wanted = kernel->request(code, args);
  LaunchBlockPool::Lease block = blocks.take(block_size(wanted));
  fill_block(block.get(), wanted);
  return Prepared(std::move(kernel), code, std::move(block), wanted.launch);
}

Kernel::Result Kernel::Prepared::run(rhi::Stream stream) {
  return result(*code_, run_block(kernel_->program().device(), stream, code_->code->tasks, code_->plan, block_.get()));
}

std::string Kernel::plan() {
  const Variant& code = variant(false);
  std::string text =
      to_string(code.plan, tasks_of(*code.code), program_->groups == nullptr ? 0 : program_->groups->cap() + 1);
  if (code.code->launched_by_task.load(std::memory_order_relaxed)) {
    text += "(the driver refused a graph of it: launched task by task)\n";
  } else if (code.code->launched_as_one > 0) {
    text +=
        "(" + std::to_string(code.code->launched_as_one) + " groups of one serial task are launched as one kernel)\n";
  }
  return text;
}

std::string Kernel::plan_graphviz() {
  const Variant& code = variant(false);
  return to_graphviz(code.plan, tasks_of(*code.code));
}

int32_t Kernel::plan_width() { return variant(false).plan.width(); }

std::string Kernel::dump(const std::string& stage) {
  if (!is_dump_stage(stage)) throw Error(Code::invalid, "there is no stage \"" + stage + "\"");
  const std::lock_guard lock(dumps_mutex_);
  if (stage == "ast") return dumps_.try_emplace(stage, print(ast_)).first->second;
  const bool codegen = is_codegen_stage(stage);
  if (codegen ? !codegen_dumped_ : !passes_dumped_) {
    std::map<std::string, std::string> made;
    std::mutex made_mutex;
    CompileOptions options = program_->compile_options();
    options.dump = [&](const char* at, const std::string& text) {
      const std::lock_guard made_lock(made_mutex);
      made[at] += text;
    };
    const KernelIR ir = compile_to_offloads(clone(ast_), options);
    if (codegen) program_->device().compile(ir, options, 1);  // one thread: the tasks' texts stay in order
    for (auto& [at, text] : made) dumps_.insert_or_assign(at, std::move(text));
    passes_dumped_ = true;
    codegen_dumped_ |= codegen;
  }
  const auto found = dumps_.find(stage);
  if (found == dumps_.end()) throw Error(Code::invalid, "on this device there is no stage \"" + stage + "\"");
  return found->second;
}

}  // namespace qd
