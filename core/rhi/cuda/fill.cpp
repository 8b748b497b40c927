#include "core/rhi/cuda/fill.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace qd::rhi::cuda {
namespace {

constexpr size_t kSeed = 64 << 10;  // bytes that the host repeats a pattern over; the GPU doubles them from there

// The least of the driver's element sizes that the pattern repeats at and the memory is aligned to; 0: none.
size_t element_size(CUdeviceptr to, const char* pattern, size_t pattern_size) {
  for (const size_t size : {1, 2, 4}) {
    if (pattern_size % size == 0 && to % size == 0 && std::memcmp(pattern, pattern + size, pattern_size - size) == 0) {
      return size;
    }
  }
  return 0;
}

template <class T>
T element(const void* pattern) {
  T value{};
  std::memcpy(&value, pattern, sizeof value);
  return value;
}

CUresult set(const Driver& driver, CUstream stream, CUdeviceptr to, size_t size, const void* pattern,
             size_t element_size) {
  switch (element_size) {
    case 1:
      return driver.cuMemsetD8Async(to, element<uint8_t>(pattern), size, stream);
    case 2:
      return driver.cuMemsetD16Async(to, element<uint16_t>(pattern), size / 2, stream);
    default:
      return driver.cuMemsetD32Async(to, element<uint32_t>(pattern), size / 4, stream);
  }
}

}  // namespace

void fill(Context& context, Staging& staging, CUstream stream, CUdeviceptr to, size_t size, const void* pattern,
          size_t pattern_size) {
  if (size == 0) return;
  const Driver& driver = context.driver();
  const auto* bytes = static_cast<const char*>(pattern);
  if (const size_t element = element_size(to, bytes, pattern_size); element > 0) {
    context.check(set(driver, stream, to, size, pattern, element), "filling memory");
    return;
  }
  size_t done = pattern_size;
  if (pattern_size < kSeed) {
    done = std::min(size, kSeed / pattern_size * pattern_size);
    std::vector<char> seed(done);
    for (size_t at = 0; at < done; at += pattern_size) std::memcpy(&seed[at], bytes, pattern_size);
    staging.copy_in(stream, to, seed.data(), done);
  } else {
    staging.copy_in(stream, to, bytes, done);
  }
  while (done < size) {
    const size_t more = std::min(done, size - done);
    context.check(driver.cuMemcpyDtoDAsync(to + done, to, more, stream), "filling memory");
    done += more;
  }
}

}  // namespace qd::rhi::cuda
