// Where in a block its loads stand.
#pragma once

#include "core/codegen/ir_builder.h"

namespace qd {

// Moves loads of memory that no thread writes up, over divisions and square roots of the same basic block. Those become
// branches in machine code, which later loads would wait behind: after unrolling, each iteration for itself.
void load_early(const IrBuilder& ir);

}  // namespace qd
