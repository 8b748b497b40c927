// Which operands, blocks and types each kind of statement may have.
#pragma once

#include <string>

#include "core/ir/kernel_ir.h"

namespace qd {

// What is wrong with the statement's own form and types, as a clause; empty if nothing is. Looks at its operands'
// types, not at where they stand.
std::string type_fault(const KernelIR& kernel, const Stmt* stmt);

// The type that follows from the statement's operands; null where the statement itself states it (constants, casts,
// allocas, random numbers, pointers into aggregates and temporaries) or where the operands make no sense.
const Type* derived_type(KernelIR& kernel, const Stmt* stmt);

}  // namespace qd
