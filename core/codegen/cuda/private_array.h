// An array that each block gathers its part of: atomics on a copy in shared memory, then one atomic a cell on the
// array.
#pragma once

#include <cstdint>
#include <optional>

#include "core/codegen/task_codegen.h"

namespace qd {

struct PrivateArray {
  int32_t param = 0;
  const Type* type = nullptr;  // of a cell
  AtomicOp op{};               // on the copy
  AtomicOp flush{};            // of a copy's cell on the array's
  uint64_t identity = 0;       // a constant's bits: the cell of a block that has nothing to add
};
// The array whose cells the task's atomics update, if there is one and nothing else in the task touches it.
std::optional<PrivateArray> find_private_array(const TaskContext& context);

}  // namespace qd
