// Exact divisions and square roots of 32-bit floats without a branch for each.
#pragma once

#include "core/codegen/ir_builder.h"

namespace qd {

// PTX's div.rn, rcp.rn and sqrt.rn are an approximation, a few fused steps that make it exact, and a branch to a slow
// way for operands near the ends of the exponents. Branches keep the assembler from overlapping one operation with the
// next. Where a basic block has several of them, and only computes and loads from the first to the last, this writes
// the steps out, tests all operands together, and does all of it again the slow way if any of them asks for that. The
// results are the same. The steps and the limits are those that NVIDIA's assembler uses for sm_90.
void divide_quickly(const IrBuilder& ir);

}  // namespace qd
