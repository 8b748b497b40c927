// Fills the GPU's memory with a pattern.
#pragma once

#include "core/rhi/cuda/staging.h"

namespace qd::rhi::cuda {

// In stream order; returns when queued, with the pattern copied. size is a multiple of pattern_size. The context is
// current.
void fill(Context& context, Staging& staging, CUstream stream, CUdeviceptr to, size_t size, const void* pattern,
          size_t pattern_size);

}  // namespace qd::rhi::cuda
