#include "core/runtime/launch_failure.h"

#include <algorithm>

#include "core/ir/error.h"
#include "core/runtime/value_text.h"

namespace qd {
namespace {

// How many of the header's values a check of this kind sets.
size_t value_count(const CheckSite& site) {
  switch (site.kind) {
    case CheckKind::index:
    case CheckKind::length:
      return 2;
    case CheckKind::slice:
      return 3;
    case CheckKind::nonzero:
    case CheckKind::shift:
      return 1;
    case CheckKind::assertion:
      break;
  }
  return std::min<size_t>(site.types.size(), kMaxCheckValues);
}

// The words of Go's runtime where it has the same failure.
std::string check_message(const CheckSite& site, const LaunchOutcome& outcome) {
  const auto value = [&](size_t i) { return std::to_string(static_cast<int64_t>(outcome.values[i])); };
  switch (site.kind) {
    case CheckKind::index:
      return "index out of range [" + value(0) + "] with length " + value(1);
    case CheckKind::slice:
      return "slice bounds out of range [" + value(0) + ":" + value(1) + "] with capacity " + value(2);
    case CheckKind::nonzero:
      return "integer divide by zero";
    case CheckKind::shift:
      return "negative shift amount";
    case CheckKind::length:
      return "cannot convert slice with length " + value(0) + " to array or pointer to array with length " + value(1);
    case CheckKind::assertion:
      break;
  }
  if (site.message.empty()) return "assertion failed";
  return format_values(site.message, site.types, outcome.values.data(), outcome.values.size());
}

}  // namespace

LaunchFailure describe_failure(const LaunchOutcome& outcome, const std::vector<CheckSite>& checks) {
  LaunchFailure failure;
  if (outcome.check == kTooManyIterations) {
    failure.pos = static_cast<PosId>(static_cast<int64_t>(outcome.values[0]));
    failure.message = "too many iterations: the loop's axes multiply to more than 63 bits hold";
    return failure;
  }
  if (outcome.check < 0 || static_cast<size_t>(outcome.check) >= checks.size()) {
    throw Error(Code::internal, "a task reported check " + std::to_string(outcome.check) + ", which does not exist");
  }
  const CheckSite& site = checks[static_cast<size_t>(outcome.check)];
  failure.has_check = true;
  failure.check = site.kind;
  failure.pos = site.pos;
  failure.message = check_message(site, outcome);
  failure.name = site.name;
  failure.axis = site.axis;
  failure.value_count = static_cast<int32_t>(value_count(site));
  for (int32_t i = 0; i < failure.value_count; ++i) {
    failure.values[static_cast<size_t>(i)] = static_cast<int64_t>(outcome.values[static_cast<size_t>(i)]);
  }
  return failure;
}

}  // namespace qd
