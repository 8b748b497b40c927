// The headers of ROCm are there and new enough for the driver interface that the core opens.
#include <hip/hip_version.h>

static_assert(HIP_VERSION_MAJOR >= 5, "ROCm 5 or later is needed");

int main() {}
