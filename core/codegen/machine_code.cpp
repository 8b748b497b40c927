#include "core/codegen/machine_code.h"

#include <llvm-c/Transforms/PassBuilder.h>

#include "core/codegen/llvm_errors.h"
#include "core/ir/error.h"

namespace qd {

namespace {

using PassOptions = LlvmOwner<LLVMPassBuilderOptionsRef, LLVMDisposePassBuilderOptions>;

}  // namespace

void set_target(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMSetTarget(module, take_message(LLVMGetTargetMachineTriple(machine)).c_str());
  const LlvmTargetData layout(LLVMCreateTargetDataLayout(machine));
  LLVMSetModuleDataLayout(module, layout.get());
}

void verify_module(LLVMModuleRef module, const char* stage) {
  char* message = nullptr;
  const bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message) != 0;
  const std::string text = take_message(message);
  if (broken) throw Error(Code::internal, std::string("LLVM IR is not valid after ") + stage + ": " + text);
}

void optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, bool vectorize) {
  const PassOptions options(LLVMCreatePassBuilderOptions());
  LLVMPassBuilderOptionsSetLoopVectorization(options.get(), vectorize);
  LLVMPassBuilderOptionsSetSLPVectorization(options.get(), vectorize);
  LLVMPassBuilderOptionsSetLoopInterleaving(options.get(), vectorize);
  LLVMPassBuilderOptionsSetLoopUnrolling(options.get(), true);
  throw_if_failed(LLVMRunPasses(module, "default<O3>", machine, options.get()), "LLVM's optimiser");
}

LlvmBuffer emit_code(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind) {
  LLVMMemoryBufferRef buffer = nullptr;
  char* message = nullptr;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, kind, &message, &buffer) != 0) {
    throw Error(Code::internal, "LLVM's code generator: " + take_message(message));
  }
  return LlvmBuffer(buffer);
}

std::string text_of(LLVMModuleRef module) { return take_message(LLVMPrintModuleToString(module)); }

}  // namespace qd
