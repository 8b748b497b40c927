#include "core/rhi/cuda/device_math.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

#include "core/ir/error.h"

namespace qd::rhi::cuda {
namespace {

constexpr const char* kInToolkit = "/nvvm/libdevice/libdevice.10.bc";

std::optional<std::string> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (content.empty() || file.bad()) return std::nullopt;
  return content;
}

// "cuda-12.10" is newer than "cuda-12.9".
std::vector<int> version_of(const std::string& toolkit) {
  std::vector<int> numbers;
  bool in_number = false;
  for (const char c : std::filesystem::path(toolkit).filename().string()) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !in_number) numbers.push_back(0);
    if (digit && numbers.back() < 100'000) numbers.back() = numbers.back() * 10 + (c - '0');
    in_number = digit;
  }
  return numbers;
}

std::vector<std::string> toolkits(const std::function<const char*(const char*)>& environment, const std::string& root) {
  std::vector<std::string> paths;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = environment(name);
    if (value != nullptr && *value != '\0') paths.emplace_back(value);
  }
  paths.push_back(root + "/usr/local/cuda");
  std::vector<std::string> versioned;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(root + "/usr/local", ignored)) {
    if (entry.path().filename().string().starts_with("cuda-")) versioned.push_back(entry.path().string());
  }
  std::sort(versioned.begin(), versioned.end(),
            [](const std::string& a, const std::string& b) { return version_of(a) > version_of(b); });
  paths.insert(paths.end(), versioned.begin(), versioned.end());
  return paths;
}

}  // namespace

DeviceMath find_device_math(const std::function<const char*(const char*)>& environment, const std::string& root) {
  const char* named = environment("QD_LIBDEVICE");
  if (named != nullptr && *named != '\0') {
    std::optional<std::string> bitcode = read(named);
    if (!bitcode) throw Error(Code::invalid, "QD_LIBDEVICE names " + std::string(named) + ", which cannot be read");
    return {DeviceMath::libdevice, named, std::move(*bitcode)};
  }
  for (const std::string& toolkit : toolkits(environment, root)) {
    const std::string path = toolkit + kInToolkit;
    if (std::optional<std::string> bitcode = read(path)) return {DeviceMath::libdevice, path, std::move(*bitcode)};
  }
  for (const char* folder : {"/usr/lib/clc/", "/usr/share/clc/", "/usr/local/lib/clc/", "/usr/local/share/clc/"}) {
    const std::string path = root + folder + "nvptx64--.bc";
    if (std::optional<std::string> bitcode = read(path)) return {DeviceMath::libclc, path, std::move(*bitcode)};
  }
  return {};
}

}  // namespace qd::rhi::cuda
