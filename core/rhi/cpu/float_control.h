// Kernels compute with the default floating-point control: rounding to nearest, subnormals kept. The host program's own
// setting comes back afterwards.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace qd::rhi {

class DefaultFloatControl {
 public:
#if defined(__x86_64__)
  DefaultFloatControl() : before_(_mm_getcsr()) {
    if ((before_ & ~kStatusFlags) != kDefault) _mm_setcsr(kDefault);
  }
  ~DefaultFloatControl() {
    if ((before_ & ~kStatusFlags) != kDefault) _mm_setcsr(before_);
  }
#else
  DefaultFloatControl() = default;
#endif
  DefaultFloatControl(const DefaultFloatControl&) = delete;
  DefaultFloatControl& operator=(const DefaultFloatControl&) = delete;

#if defined(__x86_64__)
 private:
  static constexpr unsigned kStatusFlags = 0x3f, kDefault = 0x1f80;
  unsigned before_;
#endif
};

}  // namespace qd::rhi
