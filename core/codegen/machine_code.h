// From an LLVM module to code: what is the same for every target machine.
#pragma once

#include <string>

#include "core/codegen/llvm_handles.h"

namespace qd {

// Sets the module's target and layout.
void set_target(LLVMModuleRef module, LLVMTargetMachineRef machine);
// Throws Error(Code::internal) with the verifier's findings.
void verify_module(LLVMModuleRef module, const char* stage);
// vectorize: into vectors of one thread.
void optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, bool vectorize = true);
// An object file or assembly. LLVM's passes change the module.
LlvmBuffer emit_code(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind);
// The module's text.
std::string text_of(LLVMModuleRef module);

}  // namespace qd
