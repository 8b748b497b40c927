// Read-modify-write of one memory cell, relaxed: atomics order nothing but themselves.
#pragma once

#include "core/codegen/ir_builder.h"
#include "core/ir/ops.h"

namespace qd {

// Yields the old value. plain: no other thread can touch the cell, so a load and a store do.
Value emit_atomic(const IrBuilder& ir, AtomicOp op, const Type* type, Value pointer, Value value, bool plain);
// Compares bits, so that NaN equals itself and -0 is not 0. Yields the old value.
Value emit_atomic_cas(const IrBuilder& ir, const Type* type, Value pointer, Value expected, Value desired);

}  // namespace qd
