// A kernel of a program: from its tree to machine code, made when first needed, and its launches.
#pragma once

#include <array>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/frontend/ast.h"
#include "core/program/program.h"
#include "core/runtime/array_arguments.h"
#include "core/runtime/launch_failure.h"
#include "core/runtime/launch_plan.h"
#include "core/runtime/launch_queue.h"
#include "core/runtime/launcher.h"

namespace qd {

struct StreamFailure;

// All methods may be called from any thread at the same time.
class Kernel {
 public:
  // Runs the passes, so that what is wrong with the kernel is known now. Throws Error.
  Kernel(std::shared_ptr<Program> program, AST ast);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  Program& program() const { return *program_; }
  const std::string& name() const { return ast_.kernel.name; }
  const std::vector<Param>& params() const { return ast_.kernel.params; }
  int64_t args_size() const { return ast_.kernel.params_size; }
  const PositionTable& positions() const { return ast_.kernel.positions; }
  bool writes(int32_t param) const { return written_[static_cast<size_t>(param)]; }
  // With an error among them, the kernel neither compiles nor launches.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  const ArrayArguments& arrays() const { return arrays_; }

  // Generates machine code, once; an error is remembered and thrown again.
  void compile();

  struct Result {
    bool has_output = false;
    std::optional<LaunchFailure> failure;
  };
  // Runs the kernel on the default stream and returns when it has ended. args: args_size() bytes. Throws Error.
  Result launch(const void* args);

  // On a device that queues: queues the kernel. Host memory among the arguments, whose addresses lie at `host_offsets`
  // of them, is copied to the device and back; with any, this waits for the stream. Throws Error.
  static void queue(const std::shared_ptr<Kernel>& kernel, LaunchQueue& queue, const void* args,
                    std::span<const int64_t> host_offsets);
  // What a queue says of a failed launch.
  static StreamFailure describe(const LaunchQueue::Failure& failure);

  class Prepared;
  // A launch to be run later. What can be wrong with it beforehand is thrown now, and the arguments are copied, into a
  // block of `blocks`.
  static Prepared prepare(std::shared_ptr<Kernel> kernel, const void* args, LaunchBlockPool& blocks);

  // These compile first.
  std::string plan();
  std::string plan_graphviz();
  int32_t plan_width();

  // The text of a stage. Throws Code::invalid for an unknown one.
  std::string dump(const std::string& stage);

 private:
  // The kernel as compiled with or without the claim that its arrays are apart.
  struct Variant;
  const Variant& variant(bool may_alias);
  // The variant that a launch with these arguments runs. Throws what is wrong with it.
  const Variant& variant_for(const void* args);
  LaunchRequest request(const Variant& code, const void* args);
  static Result result(const Variant& code, const LaunchOutcome& outcome);
  std::unique_ptr<Variant> make_variant(bool may_alias);
  CompileOptions options_for(bool may_alias) const;
  // Throws the first error among the diagnostics.
  void require_sound() const;

  const std::shared_ptr<Program> program_;
  const AST ast_;
  std::optional<KernelIR> lowered_;  // of the variant without aliases, until it is compiled
  std::vector<bool> written_;        // by parameter
  std::vector<Diagnostic> diagnostics_;
  ArrayArguments arrays_;

  struct Once {
    std::atomic<const Variant*> ready{nullptr};
    std::mutex mutex;
    std::unique_ptr<Variant> owned;
    std::exception_ptr error;
  };
  std::array<Once, 2> variants_;  // by may_alias

  std::mutex dumps_mutex_;
  std::map<std::string, std::string> dumps_;  // by stage
  bool passes_dumped_ = false, codegen_dumped_ = false;
};

// Keeps the kernel alive, and with it the program.
class Kernel::Prepared {
 public:
  const Kernel& kernel() const { return *kernel_; }
  uint64_t number() const { return number_; }
  // Once. On the default stream the caller holds the stream. Throws Error.
  Result run(rhi::Stream stream);

 private:
  friend class Kernel;
  Prepared(std::shared_ptr<Kernel> kernel, const Variant& code, LaunchBlockPool::Lease block, uint64_t number)
      : kernel_(std::move(kernel)), code_(&code), block_(std::move(block)), number_(number) {}

  std::shared_ptr<Kernel> kernel_;
  const Variant* code_;
  LaunchBlockPool::Lease block_;
  uint64_t number_;
};

}  // namespace qd
