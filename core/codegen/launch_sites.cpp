#include "core/codegen/launch_sites.h"

#include "core/ir/edit.h"
#include "core/runtime/launch_block.h"

namespace qd {

std::vector<Stmt*> reported_values(const CheckStmt& check) {
  const size_t first = check.check == CheckKind::assertion ? 1 : 0;  // not the condition itself
  const size_t last = std::min<size_t>(check.operands.size(), first + kMaxCheckValues);
  return {check.operands.begin() + static_cast<ptrdiff_t>(first),
          check.operands.begin() + static_cast<ptrdiff_t>(last)};
}

LaunchSites number_sites(const KernelIR& kernel) {
  LaunchSites sites;
  walk(static_cast<const Block*>(kernel.root.get()), [&](const Stmt* stmt) {
    if (const auto* check = as<CheckStmt>(stmt)) {
      CheckSite site{check->check, check->pos, check->axis, check->name, check->message, {}};
      for (const Stmt* value : reported_values(*check)) site.types.push_back(value->type);
      sites.ids[stmt] = static_cast<int32_t>(sites.checks.size());
      sites.checks.push_back(std::move(site));
    } else if (const auto* print = as<PrintStmt>(stmt)) {
      PrintSite site{print->format, print->to_stderr, {}};
      for (const Stmt* value : print->operands) site.types.push_back(value->type);
      sites.ids[stmt] = static_cast<int32_t>(sites.prints.size());
      sites.prints.push_back(std::move(site));
    }
  });
  return sites;
}

}  // namespace qd
