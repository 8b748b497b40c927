// Copies and fills of whole arrays, shared out over the pool where they are large.
#pragma once

#include <cstdint>

#include "core/rhi/cpu/thread_pool.h"

namespace qd::rhi {

void bulk_copy(ThreadPool& pool, void* to, const void* from, int64_t size);
// Repeats the pattern; size is a multiple of pattern_size.
void bulk_fill(ThreadPool& pool, void* to, int64_t size, const void* pattern, int64_t pattern_size);

}  // namespace qd::rhi
