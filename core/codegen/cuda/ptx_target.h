// NVIDIA GPUs as LLVM's target.
#pragma once

#include "core/codegen/cuda/cuda_kernel.h"
#include "core/codegen/machine_code.h"

namespace qd {

// Initialises LLVM's NVPTX target on the first call. Throws Error(Code::unsupported) where LLVM lacks it.
LlvmTargetMachine create_ptx_machine(const CudaPtxVersion& version);

// Bytes that the parameters of a kernel may take.
int64_t max_parameter_bytes(const CudaPtxVersion& version);

}  // namespace qd
