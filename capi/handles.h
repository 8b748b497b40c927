// What the opaque handles of the C ABI are, and the counts of those that are alive.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "capi/errors.h"
#include "capi/qd.h"
#include "core/frontend/ast_builder.h"
#include "core/program/kernel.h"
#include "core/program/program.h"

namespace qd::capi {

// Over the whole process, for qd_process_leaks.
struct ProcessCounts {
  std::atomic<int64_t> allocations{0}, bytes{0}, streams{0}, events{0}, kernels{0}, builders{0};
};
ProcessCounts& process_counts();

// Adds one to two counts for as long as it lives.
class Counted {
 public:
  Counted(std::atomic<int64_t>& first, std::atomic<int64_t>& second) : first_(first), second_(second) {
    first_.fetch_add(1);
    second_.fetch_add(1);
  }
  ~Counted() {
    first_.fetch_sub(1);
    second_.fetch_sub(1);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<int64_t>&first_, &second_;
};

}  // namespace qd::capi

// Memory is freed through its program's handle, possibly after the program was destroyed: so each allocation holds a
// reference to the handle, as its creator does.
struct qd_program {
  explicit qd_program(std::shared_ptr<qd::Program> owned) : program(std::move(owned)) {}
  void retain() { references_.fetch_add(1); }
  // The last release deletes the handle.
  void release() {
    if (references_.fetch_sub(1) == 1) delete this;
  }

  const std::shared_ptr<qd::Program> program;

 private:
  ~qd_program() = default;
  std::atomic<int64_t> references_{1};
};

struct qd_kernel {
  qd_kernel(const std::shared_ptr<qd::Program>& program, qd::AST ast)
      : owned(std::make_shared<qd::Kernel>(program, std::move(ast))), kernel(*owned) {
    qd::capi::process_counts().kernels.fetch_add(1);
  }
  ~qd_kernel() { qd::capi::process_counts().kernels.fetch_sub(1); }
  qd_kernel(const qd_kernel&) = delete;
  qd_kernel& operator=(const qd_kernel&) = delete;

  const std::shared_ptr<qd::Kernel> owned;  // queued launches own it too
  qd::Kernel& kernel;
};

struct qd_builder {
  qd_builder(std::shared_ptr<qd::Program> owner, const char* name)
      : program(std::move(owner)), builder(name), count(program->builders, qd::capi::process_counts().builders) {}

  const std::shared_ptr<qd::Program> program;
  qd::ASTBuilder builder;
  const qd::capi::Counted count;
};

namespace qd::capi {

// The program of the handle. Throws Code::invalid without one, Code::closed where it is closed.
inline qd::Program& open_program(qd_program* handle) {
  qd::Program& program = *required(handle, "program").program;
  program.require_open();
  return program;
}

// Throws Error(Code::invalid) unless a launch can read `size` bytes of packed arguments.
void require_args(const qd_kernel& kernel, const void* args, int64_t size);

}  // namespace qd::capi
