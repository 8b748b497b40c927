// Short waits without the kernel's help, and the clock that bounds them.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace qd::rhi {

// Time in ticks of about a third of a nanosecond: the time stamp counter where there is one.
inline int64_t ticks() {
#if defined(__x86_64__)
  return static_cast<int64_t>(__rdtsc());
#else
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
             .count() *
         3;
#endif
}

inline constexpr int64_t kTicksPerMicrosecond = 3000;

// Tells the core that this thread polls.
inline void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// Polls `done` for at most `limit` ticks; true if it held.
template <class Predicate>
bool spin_until(int64_t limit, Predicate&& done) {
  const int64_t start = ticks();
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      pause();
    }
  } while (ticks() - start < limit);
  return done();
}

}  // namespace qd::rhi
