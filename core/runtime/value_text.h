// Values of kernels as text, as Go's fmt prints them with %v.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/type.h"

namespace qd {

// value: as LaunchHeader::values. Floats have as many digits as needed to read the same value back.
std::string value_text(const Type* type, uint64_t value);

// The format with each %v replaced by a value and %% by a percent sign. A %v without a value is kept.
std::string format_values(std::string_view format, const std::vector<const Type*>& types, const uint64_t* values,
                          size_t count);

}  // namespace qd
