// LLVM's errors as qd::Error.
#pragma once

#include <functional>
#include <string>

#include "core/codegen/llvm_version.h"

namespace qd {

// Thrown out of LLVM by its fatal-error handler. LLVM's frames are unwound without running their destructors, so the
// context in use must not be touched again, not even disposed of.
struct LlvmFatalError {
  std::string message;
};

// While one lives on this thread, LLVM's fatal errors are thrown as LlvmFatalError; elsewhere LLVM ends the process as
// it does without us.
class FatalErrorScope {
 public:
  FatalErrorScope();
  ~FatalErrorScope();
  FatalErrorScope(const FatalErrorScope&) = delete;
  FatalErrorScope& operator=(const FatalErrorScope&) = delete;
};

// Errors that a context reports go to *errors, one a line; warnings and remarks are dropped.
void collect_diagnostics(LLVMContextRef context, std::string* errors);

// Throws Error(Code::internal, "what: message") if error is not null; consumes it.
void throw_if_failed(LLVMErrorRef error, const char* what);

}  // namespace qd
