#include "core/rhi/cuda/load_driver.h"

#include <dlfcn.h>

#include "core/ir/error.h"

namespace qd::rhi::cuda {
namespace {

std::string needed() { return "CUDA " + version_text(kDriverNeeded) + " (driver 525) or later is needed"; }

Driver open_system_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw Error(Code::no_device,
                "no NVIDIA driver: " + std::string(reason == nullptr ? "libcuda.so.1 does not load" : reason));
  }
  try {
    return load_driver([library](const char* symbol) { return dlsym(library, symbol); });
  } catch (...) {
    dlclose(library);
    throw;
  }
}

}  // namespace

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Driver load_driver(const std::function<void*(const char* symbol)>& find) {
  Driver driver{};
  std::string missing;
  const auto take = [&](const auto& entry) {
    void* address = find(entry.symbol);
    if (address == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(entry.symbol);
    driver.*entry.member = reinterpret_cast<std::remove_reference_t<decltype(driver.*entry.member)>>(address);
  };
  std::apply([&](const auto&... entries) { (take(entries), ...); }, kDriverEntries);
  int version = 0;
  const bool known = driver.cuDriverGetVersion != nullptr && driver.cuDriverGetVersion(&version) == CUDA_SUCCESS;
  if (known && version < kDriverNeeded) {
    throw Error(Code::no_device,
                "the NVIDIA driver is too old: it supports CUDA " + version_text(version) + ", and " + needed());
  }
  if (!missing.empty()) {
    throw Error(Code::no_device, "the NVIDIA driver (CUDA " + (known ? version_text(version) : "of unknown version") +
                                     ") lacks " + missing + "; " + needed());
  }
  return driver;
}

const Driver& system_driver() {
  static const Driver driver = open_system_driver();
  return driver;
}

}  // namespace qd::rhi::cuda
