// The bounds of range tasks as machine code of this host, for kernels whose tasks run elsewhere.
#pragma once

#include <vector>

#include "core/codegen/cpu/jit.h"
#include "core/codegen/task_codegen.h"
#include "core/runtime/launch_block.h"

namespace qd {

class HostBounds {
 public:
  // Of those tasks; their bounds read no temporaries.
  explicit HostBounds(const std::vector<const TaskContext*>& tasks);
  BoundsFunction of(size_t position) const { return functions_[position]; }

 private:
  JitLibrary library_;
  std::vector<BoundsFunction> functions_;  // in the order of the tasks
};

}  // namespace qd
