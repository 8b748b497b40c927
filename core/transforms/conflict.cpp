#include "core/transforms/conflict.h"

namespace qd {

namespace {

std::string verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::read:
      return "read";
    case AccessKind::write:
      return "write";
    case AccessKind::atomic:
      break;
  }
  return "update";
}

std::string scope(GroupId group) { return "scope " + std::to_string(group); }

std::string line_of(const PositionTable& table, const Position& position) {
  const auto file = static_cast<size_t>(position.file);
  std::string name = position.file >= 0 && file < table.files.size() ? table.files[file] : "?";
  return name.substr(name.find_last_of("/\\") + 1) + ":" + std::to_string(position.line);
}

// "kernels.go:91", or "vec.go:7, called at kernels.go:91".
std::string place_of(const PositionTable& table, PosId pos) {
  if (pos < 0 || static_cast<size_t>(pos) >= table.positions.size()) return "?";
  const Position* position = &table.positions[static_cast<size_t>(pos)];
  std::string text = line_of(table, *position);
  if (position->caller < 0) return text;
  while (position->caller >= 0) position = &table.positions[static_cast<size_t>(position->caller)];
  return text + ", called at " + line_of(table, *position);
}

}  // namespace

std::string describe(const ScopeAccess& access, const std::string& what) {
  return scope(access.group) + " " + verb(access.kind) + "s " + what;
}

Diagnostic describe(const Conflict& conflict, const KernelIR& kernel) {
  const std::string& array = kernel.params[static_cast<size_t>(conflict.param)].name;
  const std::string what =
      conflict.element.empty() ? "elements of " + array + " that " : array + conflict.element + ", which ";
  const std::string also = conflict.earlier.kind == conflict.later.kind ? "also " : "";
  const std::string there = " (" + place_of(kernel.positions, conflict.earlier.pos) + ")";
  const std::string both = describe(conflict.later, what + scope(conflict.earlier.group));
  const std::string does = verb(conflict.earlier.kind);
  Diagnostic told{.is_warning = !conflict.proven, .pos = conflict.later.pos, .message = {}, .hint = {}};
  if (conflict.proven) {
    told.message = "conflict: " + both + " " + also + does + "s" + there;
    told.hint =
        "put both into one scope, move one to another kernel, use atomics for both, or make the ranges disjoint";
  } else {
    told.message = "possible conflict: " + both + " may " + also + does + there;
    told.hint = "if the scopes never meet in one element, say so by AssumeDisjoint(" + array + ", " + array + ")";
  }
  return told;
}

}  // namespace qd
