#include "core/analysis/access.h"

#include "core/ir/edit.h"

namespace qd {

namespace {

void note(std::set<int32_t>& params, const Stmt* pointer) {
  if (const auto* element = as<ElementPtrStmt>(pointer_root(pointer))) params.insert(element->param);
}

}  // namespace

const Stmt* pointer_root(const Stmt* pointer) {
  while (pointer != nullptr && pointer->kind == StmtKind::offset_ptr) pointer = pointer->operands[0];
  return pointer;
}

ArrayAccess gather_access(const Block* block) {
  ArrayAccess access;
  walk(block, [&](const Stmt* stmt) {
    const auto* atomic = as<AtomicStmt>(stmt);
    if (stmt->kind == StmtKind::atomic_cas || (atomic != nullptr && !atomic->plain)) {
      note(access.atomics, stmt->operands[0]);
      return;
    }
    const MemoryAccess touched = memory_access(stmt);
    note(access.reads, touched.read);
    note(access.writes, touched.written);
  });
  return access;
}

MemoryAccess memory_access(const Stmt* stmt) {
  switch (stmt->kind) {
    case StmtKind::load:
      return {.read = stmt->operands[0]};
    case StmtKind::store:
    case StmtKind::zero:
      return {.written = stmt->operands[0]};
    case StmtKind::copy:
      return {.read = stmt->operands[1], .written = stmt->operands[0]};
    case StmtKind::atomic:
    case StmtKind::atomic_cas:
      return {.read = stmt->operands[0], .written = stmt->operands[0]};
    default:
      return {};
  }
}

bool never_alias(const Stmt* a, const Stmt* b, AliasClaims claims) {
  const Stmt* x = pointer_root(a);
  const Stmt* y = pointer_root(b);
  if (x == y) return false;
  // Locals, temporaries, by-value arguments and arrays each live in memory of their own.
  if (x->kind != y->kind) return true;
  switch (x->kind) {
    case StmtKind::alloca_:
      return true;
    case StmtKind::temp_ptr:
      return as<TempPtrStmt>(x)->offset != as<TempPtrStmt>(y)->offset;
    case StmtKind::arg_place:
      return as<ArgPlaceStmt>(x)->param != as<ArgPlaceStmt>(y)->param;
    case StmtKind::element_ptr:
      return claims.arrays_distinct && as<ElementPtrStmt>(x)->param != as<ElementPtrStmt>(y)->param;
    default:
      return false;
  }
}

}  // namespace qd
