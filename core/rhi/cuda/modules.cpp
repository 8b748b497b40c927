#include "core/rhi/cuda/modules.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/ir/error.h"
#include "core/rhi/cuda/load_driver.h"

namespace qd::rhi::cuda {

int32_t newest_ptx(int driver_version) {
  // From the release notes of the PTX ISA: the version of CUDA, and of PTX that came with it.
  constexpr std::array<std::pair<int, int32_t>, 11> kVersions{{{12000, 80},
                                                               {12010, 81},
                                                               {12020, 82},
                                                               {12030, 83},
                                                               {12040, 84},
                                                               {12050, 85},
                                                               {12070, 86},
                                                               {12080, 87},
                                                               {12090, 88},
                                                               {13000, 90},
                                                               {13010, 91}}};
  int32_t newest = kVersions.front().second;
  for (const auto& [version, ptx] : kVersions) {
    if (driver_version >= version) newest = ptx;
  }
  return newest;
}

Module::Module(Context& context, const std::string& ptx, const std::string& kernel) : context_(context) {
  std::vector<char> log(16 << 10);
  std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size() - 1)};
  const CUresult result = context_.driver().cuModuleLoadDataEx(
      &handle_, ptx.c_str(), static_cast<unsigned>(options.size()), options.data(), values.data());
  if (result == CUDA_SUCCESS) return;
  std::string said(log.data());
  while (!said.empty() && said.back() == '\n') said.pop_back();
  const std::string message = "the NVIDIA driver (CUDA " + version_text(context_.driver_version()) +
                              ") does not take the kernel " + kernel + ": " + context_.describe(result) +
                              (said.empty() ? "" : "\n" + said);
  if (result == CUDA_ERROR_INVALID_PTX) throw Error(Code::internal, message);
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || result == CUDA_ERROR_NO_BINARY_FOR_GPU) {
    throw Error(Code::unsupported, message);
  }
  context_.check(result, said.empty() ? "loading a kernel" : said.c_str());
}

Module::~Module() {
  const CurrentToRelease current(context_);
  context_.driver().cuModuleUnload(handle_);
}

CUfunction Module::function(const std::string& entry) const {
  CUfunction function = nullptr;
  context_.check(context_.driver().cuModuleGetFunction(&function, handle_, entry.c_str()), "finding a task");
  return function;
}

void Modules::drop_dead() {
  std::erase_if(loaded_, [](const auto& entry) { return entry.second.expired(); });
}

std::shared_ptr<const Module> Modules::load(std::string ptx, const std::string& kernel) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = loaded_.find(ptx); at != loaded_.end()) {
      if (std::shared_ptr<const Module> module = at->second.lock()) return module;
    }
  }
  // Two threads may do this for the same PTX; both modules are good.
  auto module = std::make_shared<const Module>(context_, ptx, kernel);
  const std::lock_guard lock(mutex_);
  drop_dead();
  loaded_[std::move(ptx)] = module;
  return module;
}

}  // namespace qd::rhi::cuda
