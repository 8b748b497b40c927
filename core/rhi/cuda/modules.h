// PTX that the driver has turned into machine code for the GPU.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/rhi/cuda/context.h"

namespace qd::rhi::cuda {

// The newest PTX, major * 10 + minor, that a driver for this version of CUDA is known to read.
int32_t newest_ptx(int driver_version);

class Module {
 public:
  // The context is current. Throws what the driver says of the PTX.
  Module(Context& context, const std::string& ptx, const std::string& kernel);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  CUfunction function(const std::string& entry) const;

 private:
  Context& context_;
  CUmodule handle_ = nullptr;
};

// Kernels with the same PTX share a module as long as one of them lives. Nothing is kept on disk here.
class Modules {
 public:
  explicit Modules(Context& context) : context_(context) {}
  // The context is current. kernel: for messages.
  std::shared_ptr<const Module> load(std::string ptx, const std::string& kernel);

 private:
  void drop_dead();

  Context& context_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const Module>> loaded_;  // by PTX
};

}  // namespace qd::rhi::cuda
