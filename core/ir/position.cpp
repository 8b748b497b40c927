#include "core/ir/position.h"

namespace qd {

namespace {

bool same(const Position& a, const Position& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column && a.caller == b.caller &&
         a.function == b.function;
}

}  // namespace

PosId PositionTable::add(Position position) {
  if (positions.empty() || !same(positions.back(), position)) positions.push_back(position);
  return static_cast<PosId>(positions.size()) - 1;
}

std::string PositionTable::to_string(PosId pos) const {
  if (pos < 0 || static_cast<size_t>(pos) >= positions.size()) return "?";
  const Position& position = positions[static_cast<size_t>(pos)];
  bool known = position.file >= 0 && static_cast<size_t>(position.file) < files.size();
  return (known ? files[static_cast<size_t>(position.file)] : "?") + ":" + std::to_string(position.line) + ":" +
         std::to_string(position.column);
}

}  // namespace qd
