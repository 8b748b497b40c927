// What follows from a kernel's arguments alone.
#pragma once

#include "core/codegen/task_codegen.h"

namespace qd {

// Made of constants, arguments, array lengths and loop indices.
bool is_given(const Stmt* value);

// Whether the task ends its launch early, by a failure or a return, and what it reports then, follows from the
// arguments: launched with the same again, it does the same.
bool ends_as_given(const OffloadedStmt& task);

}  // namespace qd
