// The machine we run on, as LLVM's target.
#pragma once

#include "core/codegen/codegen.h"
#include "core/codegen/llvm_handles.h"

namespace qd {

struct HostTarget {
  std::string triple;
  std::string cpu;
  std::string features;
};
// Initialises LLVM's X86 target on the first call.
const HostTarget& host_target();

LlvmTargetMachine create_host_machine();

// Sets the module's target and layout.
void set_target(LLVMModuleRef module, LLVMTargetMachineRef machine);
// Throws Error(Code::internal) with the verifier's findings.
void verify_module(LLVMModuleRef module, const char* stage);
void optimize(LLVMModuleRef module, LLVMTargetMachineRef machine);
// An object file or assembly. LLVM's passes change the module.
LlvmBuffer emit_code(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind);

}  // namespace qd
