// Loops inside an iteration.
#pragma once

#include <cstdint>
#include <set>

#include "core/codegen/loop_hints.h"
#include "core/ir/stmt.h"

namespace qd {

// How many times the body of a short loop stands in a row.
inline constexpr unsigned kUnrolled = 4;

// A loop whose own counting and branching is a good part of its work.
bool is_unrolled(const Stmt& loop);

// Arrays that unrolled loops of the task read element after element: where the array and its rows start at a multiple
// of 16 bytes, several reads are one access. Rows are then a multiple of kUnrolled elements long.
std::set<int32_t> arrays_read_in_order(const OffloadedStmt& task);

}  // namespace qd
