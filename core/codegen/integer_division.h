// Integer division where LLVM leaves MinInt / -1 undefined and Go does not. The divisor is never zero.
#pragma once

#include "core/codegen/ir_builder.h"

namespace qd {

Value emit_div(const IrBuilder& ir, const Type* type, Value x, Value y);
Value emit_rem(const IrBuilder& ir, const Type* type, Value x, Value y);
// Rounded towards minus infinity; the remainder has the divisor's sign.
Value emit_floor_div(const IrBuilder& ir, const Type* type, Value x, Value y);
Value emit_floor_mod(const IrBuilder& ir, const Type* type, Value x, Value y);

}  // namespace qd
