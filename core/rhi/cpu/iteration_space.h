// How many iterations a range task has.
#pragma once

#include <cstdint>
#include <optional>

#include "core/codegen/codegen.h"

namespace qd::rhi {

inline constexpr int32_t kMaxDims = 3;

// The product of max(0, end - begin) over the axes; nothing where it does not fit in 63 bits. bounds: begin0, end0, ….
std::optional<int64_t> flattened_size(const int64_t* bounds, int32_t dims);
// Evaluates the task's bounds.
// Fails the launch as a check in the task's code would, with kTooManyIterations. Streams run tasks later, so an
// exception would reach nobody.
void fail_too_many(const CompiledTask& task, void* block);
std::optional<int64_t> iteration_count(const CompiledTask& task, void* block);

}  // namespace qd::rhi
