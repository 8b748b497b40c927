#include "core/codegen/llvm_errors.h"

#include <mutex>

#include "core/codegen/llvm_handles.h"
#include "core/ir/error.h"

namespace qd {

namespace {

thread_local int fatal_scopes = 0;

void on_fatal_error(const char* reason) {
  if (fatal_scopes > 0) throw LlvmFatalError{reason != nullptr ? reason : "unknown error"};
}

void on_diagnostic(LLVMDiagnosticInfoRef info, void* context) {
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  auto& errors = *static_cast<std::string*>(context);
  if (!errors.empty()) errors += '\n';
  errors += take_message(LLVMGetDiagInfoDescription(info));
}

}  // namespace

FatalErrorScope::FatalErrorScope() {
  static std::once_flag installed;
  std::call_once(installed, [] { LLVMInstallFatalErrorHandler(on_fatal_error); });
  ++fatal_scopes;
}

FatalErrorScope::~FatalErrorScope() { --fatal_scopes; }

void collect_diagnostics(LLVMContextRef context, std::string* errors) {
  LLVMContextSetDiagnosticHandler(context, on_diagnostic, errors);
}

void throw_if_failed(LLVMErrorRef error, const char* what) {
  if (error == nullptr) return;
  char* message = LLVMGetErrorMessage(error);
  const std::string text = std::string(what) + ": " + message;
  LLVMDisposeErrorMessage(message);
  throw Error(Code::internal, text);
}

}  // namespace qd
