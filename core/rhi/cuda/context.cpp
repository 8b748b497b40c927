#include "core/rhi/cuda/context.h"

#include <array>

#include "core/ir/error.h"

namespace qd::rhi::cuda {
namespace {

Code code_of(CUresult result) {
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return Code::out_of_memory;
    case CUDA_ERROR_STUB_LIBRARY:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return Code::no_device;
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_NOT_SUPPORTED:
      return Code::unsupported;
    default:
      return Code::internal;
  }
}

}  // namespace

bool loses_context(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
      return true;
    default:
      return false;
  }
}

Context::Context(const Driver& driver, int32_t ordinal) : driver_(driver), ordinal_(ordinal) { open(); }

Context::~Context() { driver_.cuDevicePrimaryCtxRelease(device_); }

int Context::attribute(CUdevice_attribute attribute) {
  int value = 0;
  check(driver_.cuDeviceGetAttribute(&value, attribute, device_), "asking what the GPU can do");
  return value;
}

void Context::open() {
  const CUresult started = driver_.cuInit(0);
  if (started == CUDA_ERROR_NO_DEVICE) throw Error(Code::no_device, "there is an NVIDIA driver, but no NVIDIA GPU");
  if (started != CUDA_SUCCESS) {
    throw Error(Code::no_device, "the NVIDIA driver does not start: " + describe(started));
  }
  check(driver_.cuDriverGetVersion(&driver_version_), "asking for the driver's version");
  int count = 0;
  check(driver_.cuDeviceGetCount(&count), "counting the GPUs");
  if (count <= 0) throw Error(Code::no_device, "there is an NVIDIA driver, but no NVIDIA GPU");
  if (ordinal_ < 0 || ordinal_ >= count) {
    throw Error(Code::no_device,
                "no CUDA device " + std::to_string(ordinal_) + ": there are " + std::to_string(count) + ", from 0 on");
  }
  check(driver_.cuDeviceGet(&device_, ordinal_), "opening the GPU");
  std::array<char, 256> name{};
  check(driver_.cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device_), "asking for the GPU's name");
  name_ = name.data();
  size_t bytes = 0;
  check(driver_.cuDeviceTotalMem(&bytes, device_), "asking for the GPU's memory");
  memory_bytes_ = static_cast<int64_t>(bytes);
  multiprocessors_ = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  compute_capability_ = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                        attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  if (attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) == 0 ||
      attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) == 0) {
    throw Error(Code::no_device, name_ + " has no memory pools or no unified addressing, which are needed");
  }
  check(driver_.cuDevicePrimaryCtxRetain(&handle_, device_), "opening a context on the GPU");
}

std::string Context::describe(CUresult result) const {
  const char *name = nullptr, *text = nullptr;
  if (driver_.cuGetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr) {
    return "CUDA error " + std::to_string(result);
  }
  if (driver_.cuGetErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) return name;
  return std::string(name) + ": " + text;
}

void Context::fail(CUresult result, const char* doing) {
  std::string message = "CUDA, " + std::string(doing) + ": " + describe(result);
  if (!loses_context(result)) throw Error(code_of(result), message);
  {
    const std::lock_guard lock(mutex_);
    if (why_lost_.empty()) why_lost_ = std::move(message);
  }
  lost_.store(true, std::memory_order_release);
  fail_lost();
}

void Context::fail_lost() const {
  const std::lock_guard lock(mutex_);
  throw Error(Code::device_lost,
              "the GPU is lost to this process, which must be restarted to use it again (" + why_lost_ + ")");
}

bool Context::check_ready(CUresult result, const char* doing) {
  if (result == CUDA_ERROR_NOT_READY) return false;
  check(result, doing);
  return true;
}

void Current::change(bool throws) {
  const CUresult set = context_.driver().cuCtxSetCurrent(context_.handle());
  if (throws) context_.check(set, "making the context current");
  changed_ = set == CUDA_SUCCESS;
}

}  // namespace qd::rhi::cuda
