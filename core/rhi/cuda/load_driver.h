// Finds NVIDIA's driver on this machine.
#pragma once

#include <functional>
#include <string>

#include "core/rhi/cuda/driver.h"

namespace qd::rhi::cuda {

// As CUDA counts: 1000 × major + 10 × minor.
inline constexpr int kDriverNeeded = 12000;
std::string version_text(int version);  // "12.0"

// The complete table, from a function that gives a symbol's address or null. Throws Code::no_device and says what is
// missing, which version was found and which is needed.
Driver load_driver(const std::function<void*(const char* symbol)>& find);

// The table of libcuda.so.1, which stays loaded. Throws as load_driver, also where there is no library.
const Driver& system_driver();

}  // namespace qd::rhi::cuda
