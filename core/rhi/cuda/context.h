// A GPU's primary context, and what becomes of the driver's results.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "core/rhi/cuda/driver.h"

namespace qd::rhi::cuda {

// Whether every further call in the context fails after this result.
bool loses_context(CUresult result);

// Shared with everything else in the process that uses the GPU's primary context, such as CUDA's runtime API.
class Context {
 public:
  // Throws Code::no_device where there is no such GPU or it cannot be used.
  Context(const Driver& driver, int32_t ordinal);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Driver& driver() const { return driver_; }
  CUcontext handle() const { return handle_; }
  const std::string& name() const { return name_; }
  int32_t ordinal() const { return ordinal_; }
  int64_t memory_bytes() const { return memory_bytes_; }
  int32_t multiprocessors() const { return multiprocessors_; }
  int32_t compute_capability() const { return compute_capability_; }  // 90 for 9.0
  int32_t driver_version() const { return driver_version_; }          // 12040 for 12.4

  // Throws Error for anything but success; doing: "copying to the GPU". A result after which the context is of no use
  // makes it lost: then and from then on Code::device_lost.
  void check(CUresult result, const char* doing) {
    if (result != CUDA_SUCCESS) [[unlikely]]
      fail(result, doing);
  }
  // As check, but false for work that is not done yet.
  bool check_ready(CUresult result, const char* doing);
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  void require_alive() const {
    if (lost()) [[unlikely]]
      fail_lost();
  }
  // The driver's name and description of a result.
  std::string describe(CUresult result) const;

 private:
  [[noreturn]] void fail(CUresult result, const char* doing);
  [[noreturn]] void fail_lost() const;
  void open();
  int attribute(CUdevice_attribute attribute);

  const Driver& driver_;
  const int32_t ordinal_;
  CUdevice device_ = 0;
  CUcontext handle_ = nullptr;
  std::string name_;
  int64_t memory_bytes_ = 0;
  int32_t multiprocessors_ = 0, compute_capability_ = 0, driver_version_ = 0;
  std::atomic<bool> lost_{false};
  mutable std::mutex mutex_;
  std::string why_lost_;
};

// Makes the context current on the calling thread, and at its end the one that was before, if there was one: on a
// thread that had none it stays, so that the next call need not set it again. Throws where the context is lost.
class Current {
 public:
  explicit Current(Context& context) : Current(context, true) {}
  ~Current() {
    if (changed_ && before_ != nullptr) context_.driver().cuCtxSetCurrent(before_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 protected:
  Current(Context& context, bool throws) : context_(context) {
    if (throws) context_.require_alive();
    const Driver& driver = context_.driver();
    const CUresult found = driver.cuCtxGetCurrent(&before_);
    if (throws) context_.check(found, "asking for the current context");
    if (found == CUDA_SUCCESS && before_ != context_.handle()) [[unlikely]]
      change(throws);
  }

 private:
  void change(bool throws);

  Context& context_;
  CUcontext before_ = nullptr;
  bool changed_ = false;
};

// For giving something back, which never throws: the driver's calls fail quietly where the context is lost.
class CurrentToRelease : public Current {
 public:
  explicit CurrentToRelease(Context& context) : Current(context, false) {}
};

}  // namespace qd::rhi::cuda
