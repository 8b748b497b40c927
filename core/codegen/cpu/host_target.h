// The machine we run on, as LLVM's target.
#pragma once

#include "core/codegen/codegen.h"
#include "core/codegen/llvm_handles.h"
#include "core/codegen/machine_code.h"

namespace qd {

struct HostTarget {
  std::string triple;
  std::string cpu;
  std::string features;
};
// Initialises LLVM's X86 target on the first call.
const HostTarget& host_target();

LlvmTargetMachine create_host_machine();

}  // namespace qd
