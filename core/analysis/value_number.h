// Numbers the values of one task so that equal numbers are equal values, and says which values no iteration changes.
#pragma once

#include <set>
#include <string>
#include <unordered_map>

#include "core/ir/edit.h"

namespace qd {

using ValueNumber = int32_t;

class ValueNumbers {
 public:
  explicit ValueNumbers(const Stmt* task);
  // Of a whole kernel before offload, when there are no temporaries.
  ValueNumbers() = default;

  // Equal numbers: the same value wherever both are defined. Loads of memory that the task may write each have a
  // number of their own.
  ValueNumber number(const Stmt* value);

  // The value follows from constants, arguments, array lengths and temporaries that the task never writes.
  bool invariant(const Stmt* value);
  // As above, and evaluating it where it did not stand cannot fail the launch.
  bool invariant_anywhere(const Stmt* value) { return invariant(value) && safe(value); }

  // A copy of an invariant value at the emitter; `made` holds what was copied before.
  static Stmt* copy(Stmt* value, Emitter& emitter, StmtMap& made);

 private:
  bool is_function(const Stmt* stmt) const;
  bool safe(const Stmt* value);

  std::set<int64_t> written_temps_;
  std::unordered_map<std::string, ValueNumber> known_;
  std::unordered_map<const Stmt*, ValueNumber> numbers_;
  std::unordered_map<const Stmt*, bool> invariant_, safe_;
};

}  // namespace qd
