// Two accesses of two StreamParallel scopes to one array that exclude each other.
#pragma once

#include <string>

#include "core/analysis/access_set.h"

namespace qd {

struct ScopeAccess {
  GroupId group = 0;
  AccessKind kind{};
  PosId pos = -1;
};

struct Conflict {
  bool proven = false;  // else it only cannot be excluded
  int32_t param = 0;
  std::string element;  // the common element, such as "[0]"; "" where it is not always the same
  ScopeAccess earlier, later;
};

// What the user is told: an error if the conflict is proven, else a warning. It stands at the later access.
Diagnostic describe(const Conflict& conflict, const KernelIR& kernel);
// "scope 1 writes a"
std::string describe(const ScopeAccess& access, const std::string& what);

}  // namespace qd
