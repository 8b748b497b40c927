// Mathematical functions of a GPU: the C library's names that shared code calls are looked up in a library of bitcode.
#pragma once

#include <string>

#include "core/codegen/cuda/cuda_kernel.h"
#include "core/codegen/ir_builder.h"

namespace qd {

// Links what the module calls and does not define, from libdevice or else from libclc. Returns which one, "" where it
// calls nothing. Throws Error(Code::unsupported) where it needs one and none is given.
std::string link_device_math(const IrBuilder& ir, const CudaTarget& target);

// Links the definitions that `module` needs out of `library`, which is consumed. False: the context's diagnostics say
// why.
bool link_needed(LLVMModuleRef module, LLVMModuleRef library);

}  // namespace qd
