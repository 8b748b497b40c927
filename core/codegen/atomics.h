// Read-modify-write of one memory cell, relaxed: atomics order nothing but themselves.
#pragma once

#include "core/codegen/ir_builder.h"
#include "core/ir/ops.h"

namespace qd {

// Yields the old value.
Value emit_atomic(const IrBuilder& ir, AtomicOp op, const Type* type, Value pointer, Value value);
// What the operation makes of the old value, where a load and a store do because no other thread can touch the cell.
Value emit_atomic_result(const IrBuilder& ir, AtomicOp op, const Type* type, Value old, Value value);
// Compares bits, so that NaN equals itself and -0 is not 0. Yields the old value.
Value emit_atomic_cas(const IrBuilder& ir, const Type* type, Value pointer, Value expected, Value desired);

}  // namespace qd
