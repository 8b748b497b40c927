// What a failed check tells the user.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/codegen/codegen.h"
#include "core/runtime/launcher.h"

namespace qd {

struct LaunchFailure {
  bool has_check = false;  // false: too many iterations
  CheckKind check{};
  PosId pos = -1;
  std::string message;  // one sentence, without position
  std::string name;     // the array's, or ""
  int32_t axis = 0;
  int32_t value_count = 0;
  std::array<int64_t, kMaxCheckValues> values{};
};

// outcome.state is failed.
LaunchFailure describe_failure(const LaunchOutcome& outcome, const std::vector<CheckSite>& checks);

}  // namespace qd
