// Checks that IR is well formed. A failure is a fault of this library, never of a user's kernel.
#pragma once

#include "core/ir/kernel_ir.h"

namespace qd {

// Throws Error(Code::internal) naming `stage` and the statement unless: operand counts and types fit the kind; every
// operand is defined before its use in the same block or an enclosing one; break and continue name an enclosing target;
// parent links hold; nothing follows a statement that always leaves.
void verify(const KernelIR& kernel, const char* stage);

}  // namespace qd
