// Which operations may not fuse into a multiply-add: a conversion in the source rounds its operand, and a product that
// is fused is never rounded.
#pragma once

#include <unordered_set>

#include "core/ir/stmt.h"

namespace qd {

// LLVM fuses a multiplication and an addition when both allow it, so it is enough to forbid one of the two. That is the
// product under the conversion where it is in sight; where the conversion's operand comes from a variable, whose
// product LLVM may find later, it is the sums that use the conversion.
std::unordered_set<const Stmt*> find_unfused(const OffloadedStmt& task);

}  // namespace qd
