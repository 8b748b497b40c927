#include "core/codegen/cpu/host_target.h"

#include "core/ir/error.h"

namespace qd {

namespace {

HostTarget detect_host() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  return {take_message(LLVMGetDefaultTargetTriple()), take_message(LLVMGetHostCPUName()),
          take_message(LLVMGetHostCPUFeatures())};
}

}  // namespace

const HostTarget& host_target() {
  static const HostTarget host = detect_host();
  return host;
}

LlvmTargetMachine create_host_machine() {
  const HostTarget& host = host_target();
  LLVMTargetRef target = nullptr;
  char* message = nullptr;
  if (LLVMGetTargetFromTriple(host.triple.c_str(), &target, &message) != 0) {
    throw Error(Code::unsupported, "this LLVM has no code generator for " + host.triple + ": " + take_message(message));
  }
  LlvmTargetMachine machine(LLVMCreateTargetMachine(target, host.triple.c_str(), host.cpu.c_str(),
                                                    host.features.c_str(), LLVMCodeGenLevelAggressive, LLVMRelocPIC,
                                                    LLVMCodeModelSmall));
  if (!machine) throw Error(Code::unsupported, "this LLVM cannot generate code for the CPU " + host.cpu);
  return machine;
}

CodegenInfo codegen_info() {
  const HostTarget& host = host_target();
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return {std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch), host.cpu, host.features};
}

}  // namespace qd
