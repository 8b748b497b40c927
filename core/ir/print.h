// Textual IR, for dumps and golden files.
#pragma once

#include <string>

#include "core/ir/kernel_ir.h"

namespace qd {

// One statement a line, nested blocks indented by two spaces, values numbered %0, %1, … in order of appearance:
//   kernel saxpy(x []f32, y []f32, a f32)
//   %0 = array_dim y axis=0 : i64
// The group is printed as "group=N" where it is not 0. Positions are not printed, so that goldens survive edits.
std::string print(const KernelIR& kernel);
std::string print(const KernelIR& kernel, const Stmt* stmt);

}  // namespace qd
