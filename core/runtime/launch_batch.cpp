#include "core/runtime/launch_batch.h"

#include <algorithm>

namespace qd {

bool LaunchBatch::find(uint64_t number, std::shared_ptr<const void>& launched) const {
  const auto at = std::find(numbers_.begin(), numbers_.end(), number);
  if (at == numbers_.end()) return false;
  const auto index = static_cast<size_t>(at - numbers_.begin());
  const auto next = std::upper_bound(owners_.begin(), owners_.end(), index,
                                     [](size_t launch, const Owner& owner) { return launch < owner.first; });
  const Owner& owner = *std::prev(next);
  launched = std::shared_ptr<const void>(owner.owner, owner.launched);
  return true;
}

void LaunchBatch::clear() {
  numbers_.clear();
  owners_.clear();
  kept.clear();
}

}  // namespace qd
