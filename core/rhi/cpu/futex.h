// Sleeping on a 32-bit word, and waking those who do. A condition variable would cost the waker a mutex.
#pragma once

#include <atomic>
#include <cstdint>

namespace qd::rhi {

// Sleeps while word is `expected`; may return early.
void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected);
void futex_wake(std::atomic<uint32_t>& word, int32_t count);

}  // namespace qd::rhi
