// Which arrays a piece of IR reads and writes.
#pragma once

#include <set>
#include <vector>

#include "core/ir/kernel_ir.h"

namespace qd {

struct ArrayAccess {
  std::set<int32_t> reads, writes, atomics;  // array parameters; a plain atomic counts as a write and a read
};
ArrayAccess gather_access(const Block* block);

// The array parameter, alloca or temporary a pointer leads to.
const Stmt* pointer_root(const Stmt* pointer);

// The pointers through which one statement itself touches memory; null where it does not.
struct MemoryAccess {
  const Stmt* read = nullptr;
  const Stmt* written = nullptr;
};
MemoryAccess memory_access(const Stmt* stmt);

// True if two pointers can never refer to the same memory (different roots, given the options' claims).
struct AliasClaims {
  bool arrays_distinct = true;
};
bool never_alias(const Stmt* a, const Stmt* b, AliasClaims claims);

}  // namespace qd
