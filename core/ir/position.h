// Source positions of statements, with the chain of calls that led to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qd {

// Index into PositionTable; -1 is "no position".
using PosId = int32_t;

struct Position {
  int32_t file = -1;      // index into PositionTable::files
  int32_t line = 0;       // 1-based
  int32_t column = 0;     // 1-based, in bytes
  PosId caller = -1;      // where the function that holds this position was called from
  int32_t function = -1;  // index into PositionTable::functions; -1 is the kernel itself
};

struct PositionTable {
  std::vector<std::string> files;
  std::vector<std::string> functions;
  std::vector<Position> positions;

  PosId add(Position position);            // reuses the last entry when equal
  std::string to_string(PosId pos) const;  // "file:line:column", "?" for -1
};

}  // namespace qd
