// Ids of a kernel's checks and prints: counted in statement order before compilation, so that compiling tasks in
// parallel cannot change them.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/ir/kernel_ir.h"

namespace qd {

struct LaunchSites {
  std::vector<CheckSite> checks;
  std::vector<PrintSite> prints;
  std::unordered_map<const Stmt*, int32_t> ids;  // of CheckStmt and PrintStmt
};
LaunchSites number_sites(const KernelIR& kernel);

// The operands of a check whose values a failure reports, at most kMaxCheckValues.
std::vector<Stmt*> reported_values(const CheckStmt& check);

}  // namespace qd
