// The headers of a CUDA toolkit are there and new enough for the driver interface that the core opens.
#include <cuda.h>

static_assert(CUDA_VERSION >= 12000, "CUDA 12 or later is needed");

int main() {}
