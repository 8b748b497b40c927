#include "core/ir/stmt.h"

#include <cstdio>
#include <cstdlib>

namespace qd {

Stmt::Stmt(StmtKind kind) : kind(kind), type(none_type()) {}
Stmt::~Stmt() = default;

Stmt* Block::append(std::unique_ptr<Stmt> stmt) { return insert(statements.size(), std::move(stmt)); }

Stmt* Block::insert(size_t index, std::unique_ptr<Stmt> stmt) {
  stmt->parent = this;
  Stmt* inserted = stmt.get();
  statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(index), std::move(stmt));
  return inserted;
}

std::unique_ptr<Stmt> Block::take(size_t index) {
  auto place = statements.begin() + static_cast<std::ptrdiff_t>(index);
  std::unique_ptr<Stmt> stmt = std::move(*place);
  statements.erase(place);
  stmt->parent = nullptr;
  return stmt;
}

size_t Block::index_of(const Stmt* stmt) const {
  for (size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].get() == stmt) return i;
  }
  std::fputs("quadrants: a statement was looked up in a block that does not hold it\n", stderr);
  std::abort();
}

}  // namespace qd
