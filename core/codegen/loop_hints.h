// What LLVM is told about a loop.
#pragma once

#include "core/codegen/ir_builder.h"

namespace qd {

// The loop whose back edge this branch is stays as it is: it runs rarely, or few times.
void keep_rolled(const IrBuilder& ir, Value back_edge);
// Its body stands `count` times in a row, however often it runs.
void unroll(const IrBuilder& ir, Value back_edge, unsigned count);

}  // namespace qd
