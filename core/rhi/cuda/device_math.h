// Where the bitcode for mathematical functions on the GPU comes from.
#pragma once

#include <functional>
#include <string>

namespace qd::rhi::cuda {

struct DeviceMath {
  enum Kind { none, libdevice, libclc } kind = none;
  std::string path;
  std::string bitcode;
};

// NVIDIA's libdevice, from the file that QD_LIBDEVICE names, from the toolkit at CUDA_HOME or CUDA_PATH, or from the
// newest below /usr/local; else LLVM's libclc; else none. Throws Code::invalid where QD_LIBDEVICE names no readable
// file. root: put before the paths of the system, for tests.
DeviceMath find_device_math(const std::function<const char*(const char*)>& environment, const std::string& root = "");

}  // namespace qd::rhi::cuda
