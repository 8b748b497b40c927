// The prover behind SymbolicRange: a goal L >= 0 holds if L is a sum of known facts F >= 0, with positive factors, and
// of something whose absolute range is not negative. Atoms are eliminated one by one; a budget bounds the search.
#include "core/analysis/symbolic_range.h"

namespace qd {

namespace {

constexpr int kDepth = 6;
constexpr int kBudget = 100;
constexpr Wide kLargest = Wide{1} << 80;  // beyond it products could leave Wide

bool small(const Linear& form) {
  if (form.constant > kLargest || form.constant < -kLargest) return false;
  for (const auto& [atom, coefficient] : form.terms) {
    if (coefficient > (Wide{1} << 32) || coefficient < -(Wide{1} << 32)) return false;
  }
  return true;
}

}  // namespace

// What an atom's own definition says beyond its range.
void SymbolicRange::definition_facts(ValueNumber atom, int depth, std::vector<Linear>& facts) {
  const auto* binary = as<BinaryStmt>(defined_.at(atom));
  if (binary == nullptr) return;
  const Stmt* x = binary->operands[0];
  const Stmt* y = binary->operands[1];
  const auto between = [&](const Stmt* larger, const Stmt* smaller, int64_t gap) {
    facts.push_back(difference(larger, smaller, gap));
  };
  switch (binary->op) {
    case BinaryOp::min:
      between(x, binary, 0);
      between(y, binary, 0);
      break;
    case BinaryOp::max:
      between(binary, x, 0);
      between(binary, y, 0);
      break;
    case BinaryOp::rem:
    case BinaryOp::floor_mod:
      // The divisor is not zero: its check stands before. So from y >= 0 follows y >= 1, and x % y < y.
      if (range(y).low < 0) break;
      between(y, binary, 1);
      if (binary->op == BinaryOp::floor_mod || prove(linear(x), depth)) {
        Linear itself = linear(binary);
        facts.push_back(itself);
      }
      break;
    case BinaryOp::div:
      if (range(x).low >= 0 && range(y).low >= 0) between(x, binary, 0);
      break;
    default:
      break;
  }
}

bool SymbolicRange::prove_with(const Linear& goal, ValueNumber atom, Wide factor, const Linear& fact, int depth) {
  auto term = fact.terms.find(atom);
  if (term == fact.terms.end() || (term->second > 0) != (factor > 0)) return false;
  // |fact coefficient| * goal - |goal coefficient| * fact: the atom is gone, the sign of the goal kept.
  const Wide scale = term->second > 0 ? term->second : -term->second;
  Linear rest;
  rest.add(goal, scale);
  rest.add(fact, -(factor > 0 ? factor : -factor));
  return small(rest) && prove(rest, depth - 1);
}

// A minimum, maximum or selection is one of two values: the goal must hold for both.
bool SymbolicRange::prove_by_cases(const Linear& goal, ValueNumber atom, Wide factor, int depth) {
  const Stmt* value = defined_.at(atom);
  const auto* binary = as<BinaryStmt>(value);
  const bool one_of_two = value->kind == StmtKind::select ||
                          (binary != nullptr && (binary->op == BinaryOp::min || binary->op == BinaryOp::max));
  if (!one_of_two) return false;
  const size_t first = value->operands.size() - 2;
  for (size_t i = first; i < first + 2; i++) {
    Linear one = goal;
    one.add(linear(value), -factor);
    one.add(linear(value->operands[i]), factor);
    if (!small(one) || !prove(one, depth - 1)) return false;
  }
  return true;
}

bool SymbolicRange::prove(const Linear& goal, int depth) {
  if (range(goal).low >= 0) return true;
  if (depth <= 0 || budget_ <= 0) return false;
  budget_--;
  // Later atoms first: inner indices are bounded by outer ones and by lengths.
  for (auto term = goal.terms.rbegin(); term != goal.terms.rend(); ++term) {
    for (const Linear& fact : facts_) {
      if (prove_with(goal, term->first, term->second, fact, depth)) return true;
    }
    std::vector<Linear> own;
    definition_facts(term->first, depth - 2, own);
    for (const Linear& fact : own) {
      if (prove_with(goal, term->first, term->second, fact, depth)) return true;
    }
    if (prove_by_cases(goal, term->first, term->second, depth)) return true;
  }
  return false;
}

bool SymbolicRange::at_most(const Stmt* smaller, const Stmt* larger, int64_t gap) {
  budget_ = kBudget;
  return prove(difference(larger, smaller, gap), kDepth);
}

bool SymbolicRange::at_least(const Stmt* value, int64_t least) {
  budget_ = kBudget;
  Linear goal = linear(value);
  goal.constant -= least;
  return prove(goal, kDepth);
}

bool SymbolicRange::not_negative(const Linear& form) {
  budget_ = kBudget;
  return prove(form, kDepth);
}

bool SymbolicRange::never_zero(const Stmt* value) {
  if (at_least(value, 1)) return true;
  budget_ = kBudget;
  Linear goal;
  goal.add(linear(value), -1);
  goal.constant -= 1;
  return prove(goal, kDepth);
}

}  // namespace qd
