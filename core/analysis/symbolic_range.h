// What is known of integer values: linear forms, absolute ranges, and inequalities that hold where control is.
//
// A linear form equals its value as a mathematical integer: arithmetic is taken apart only where the ranges of the
// parts exclude wrapping, anything else is an atom.
#pragma once

#include <map>
#include <vector>

#include "core/analysis/value_number.h"

namespace qd {

__extension__ typedef __int128 Wide;  // holds any sum and product of a few 64-bit values

struct Range {
  Wide low, high;  // inclusive
};
Range type_range(const Type* type);

// Lengths are below this; no memory holds more elements.
inline constexpr int64_t kMaxLength = (int64_t{1} << 60) - 1;

struct Linear {
  Wide constant = 0;
  std::map<ValueNumber, Wide> terms;  // no zero coefficients

  void add(const Linear& other, Wide factor);
};

class SymbolicRange {
 public:
  explicit SymbolicRange(ValueNumbers& numbers) : numbers_(numbers) {}

  // Of an integer value.
  const Linear& linear(const Stmt* value);
  // A value that a term of such a form stands for.
  const Stmt* atom_of(ValueNumber term) const { return defined_.at(term); }
  // Whatever the kernel is given, wherever the value is defined.
  Range range(const Stmt* value);
  // Of a sum of this object's linear forms, as is every form below.
  Range range(const Linear& form) const;

  // Facts are a stack: those assumed inside a block are dropped at its end.
  size_t mark() const { return facts_.size(); }
  void drop_to(size_t mark) { facts_.resize(mark); }
  void assume(const Stmt* condition, bool holds);
  // The indices of a loop, range_for or offloaded, lie between its bounds.
  void assume_indices(const Stmt* loop, int32_t dims);
  // smaller + gap <= larger
  void assume_at_most(const Stmt* smaller, const Stmt* larger, int64_t gap);
  void assume_at_least(const Stmt* value, int64_t least);
  void assume_not_negative(Linear form);

  bool at_most(const Stmt* smaller, const Stmt* larger, int64_t gap);
  bool at_least(const Stmt* value, int64_t least);
  bool never_zero(const Stmt* value);
  bool not_negative(const Linear& form);

 private:
  struct Index {
    const Stmt* loop;
    int32_t axis;
  };

  Range atom_range(const Stmt* value);
  Range binary_range(const BinaryStmt* value);
  Linear atom(const Stmt* value);
  bool combine(const Stmt* value, Linear& result);
  Linear difference(const Stmt* larger, const Stmt* smaller, int64_t gap);
  void compare(const BinaryStmt* comparison, BinaryOp op);
  void definition_facts(ValueNumber atom, int depth, std::vector<Linear>& facts);
  bool prove(const Linear& goal, int depth);
  bool prove_by_cases(const Linear& goal, ValueNumber atom, Wide factor, int depth);
  bool prove_with(const Linear& goal, ValueNumber atom, Wide factor, const Linear& fact, int depth);

  ValueNumbers& numbers_;
  std::unordered_map<const Stmt*, Linear> forms_;
  std::unordered_map<ValueNumber, Range> ranges_;         // of atoms
  std::unordered_map<ValueNumber, const Stmt*> defined_;  // atoms: one statement of that number
  std::vector<Linear> facts_;                             // each is >= 0
  int budget_ = 0;
};

}  // namespace qd
