#include "core/analysis/symbolic_range.h"

#include <algorithm>

#include "core/ir/constant.h"

namespace qd {

namespace {

bool is_integer(const Stmt* value) { return value->type->is_integer(); }

bool fits(Range inner, Range outer) { return inner.low >= outer.low && inner.high <= outer.high; }

Wide constant_value(const ConstantStmt* constant) {
  if (constant->type->is_signed()) return signed_value(constant);
  return static_cast<Wide>(constant->bits);
}

// Keeps sums and products of forms inside Wide.
bool simple(const Linear& form) {
  constexpr size_t kMaxTerms = 8;
  constexpr Wide kMaxConstant = Wide{1} << 80, kMaxCoefficient = Wide{1} << 40;
  if (form.terms.size() > kMaxTerms || form.constant > kMaxConstant || form.constant < -kMaxConstant) return false;
  return std::all_of(form.terms.begin(), form.terms.end(), [](const auto& term) {
    return term.second <= kMaxCoefficient && term.second >= -kMaxCoefficient;
  });
}

const ConstantStmt* constant_operand(const Stmt* stmt, size_t i) { return as<ConstantStmt>(stmt->operands[i]); }

}  // namespace

Range type_range(const Type* type) {
  if (type->is_bool()) return {0, 1};
  const int bits = type->bits();
  if (type->is_signed()) return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

void Linear::add(const Linear& other, Wide factor) {
  constant += other.constant * factor;
  for (const auto& [atom, coefficient] : other.terms) {
    auto term = terms.emplace(atom, 0).first;
    term->second += coefficient * factor;
    if (term->second == 0) terms.erase(term);
  }
}

// ---- ranges ----

Range SymbolicRange::range(const Linear& form) const {
  Range total{form.constant, form.constant};
  for (const auto& [atom, coefficient] : form.terms) {
    const Range own = ranges_.at(atom);
    total.low += coefficient * (coefficient > 0 ? own.low : own.high);
    total.high += coefficient * (coefficient > 0 ? own.high : own.low);
  }
  return total;
}

Range SymbolicRange::range(const Stmt* value) {
  return is_integer(value) ? range(linear(value)) : type_range(value->type);
}

Range SymbolicRange::binary_range(const BinaryStmt* value) {
  const Range whole = type_range(value->type);
  const Stmt* x = value->operands[0];
  const Range a = range(x);
  const auto* constant = constant_operand(value, 1);
  const Wide c = constant != nullptr ? constant_value(constant) : 0;
  switch (value->op) {
    case BinaryOp::rem:
      if (a.low >= 0) return {0, c > 0 ? std::min(a.high, c - 1) : a.high};
      if (c > 0) return {1 - c, a.high < 0 ? 0 : c - 1};
      return whole;
    case BinaryOp::floor_mod:
      return c > 0 ? Range{0, c - 1} : whole;
    case BinaryOp::div:
      return c > 0 ? Range{a.low / c, a.high / c} : whole;
    case BinaryOp::shr:
      return c > 0 && c < 63 ? Range{a.low >> c, a.high >> c} : whole;
    case BinaryOp::bit_and: {
      const Range b = range(value->operands[1]);
      if (a.low < 0 && b.low < 0) return whole;
      if (a.low < 0) return {0, b.high};
      return {0, b.low < 0 ? a.high : std::min(a.high, b.high)};
    }
    case BinaryOp::min: {
      const Range b = range(value->operands[1]);
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    }
    case BinaryOp::max: {
      const Range b = range(value->operands[1]);
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    }
    default:
      return whole;
  }
}

Range SymbolicRange::atom_range(const Stmt* value) {
  Range result = type_range(value->type);
  if (value->kind == StmtKind::array_dim) {
    result = {0, kMaxLength};
  } else if (const auto* index = as<LoopIndexStmt>(value)) {
    const auto& bounds = index->operands[0]->operands;
    const auto first = 2 * static_cast<size_t>(index->axis);
    const Range begin = range(bounds[first]), end = range(bounds[first + 1]);
    result = {begin.low, std::max(begin.low, end.high - 1)};
  } else if (const auto* binary = as<BinaryStmt>(value)) {
    result = binary_range(binary);
  } else if (value->kind == StmtKind::select) {
    const Range a = range(value->operands[1]), b = range(value->operands[2]);
    result = {std::min(a.low, b.low), std::max(a.high, b.high)};
  } else if (value->kind == StmtKind::cast && as<CastStmt>(value)->op == CastOp::value &&
             value->operands[0]->type->is_bool()) {
    result = {0, 1};
  }
  const Range whole = type_range(value->type);
  return fits(result, whole) ? result : whole;
}

// ---- linear forms ----

Linear SymbolicRange::atom(const Stmt* value) {
  const ValueNumber number = numbers_.number(value);
  if (!ranges_.contains(number)) {
    const Range own = atom_range(value);
    ranges_.emplace(number, own);
    defined_.emplace(number, value);
  }
  Linear form;
  form.terms.emplace(number, 1);
  return form;
}

// Takes a value apart, if it is arithmetic; the result may lie outside the type.
bool SymbolicRange::combine(const Stmt* value, Linear& result) {
  if (const auto* constant = as<ConstantStmt>(value)) {
    result.constant = constant_value(constant);
    return true;
  }
  if (const auto* cast = as<CastStmt>(value)) {
    if (cast->op != CastOp::value || !is_integer(cast->operands[0])) return false;
    result = linear(cast->operands[0]);
    return true;
  }
  if (const auto* unary = as<UnaryStmt>(value)) {
    if (unary->op == UnaryOp::neg) result.add(linear(unary->operands[0]), -1);
    return unary->op == UnaryOp::neg;
  }
  const auto* binary = as<BinaryStmt>(value);
  if (binary == nullptr) return false;
  const auto* left = constant_operand(binary, 0);
  const auto* right = constant_operand(binary, 1);
  switch (binary->op) {
    case BinaryOp::add:
    case BinaryOp::sub:
      result = linear(binary->operands[0]);
      result.add(linear(binary->operands[1]), binary->op == BinaryOp::add ? 1 : -1);
      return true;
    case BinaryOp::mul:
      if (left == nullptr && right == nullptr) return false;
      result.add(linear(binary->operands[left != nullptr ? 1 : 0]), constant_value(left != nullptr ? left : right));
      return true;
    case BinaryOp::shl:
      if (right == nullptr || right->bits > 62) return false;
      result.add(linear(binary->operands[0]), Wide{1} << right->bits);
      return true;
    default:
      return false;
  }
}

const Linear& SymbolicRange::linear(const Stmt* value) {
  if (auto found = forms_.find(value); found != forms_.end()) return found->second;
  Linear form;
  if (!combine(value, form) || !simple(form) || !fits(range(form), type_range(value->type))) {
    form = atom(value);
  }
  return forms_.emplace(value, std::move(form)).first->second;
}

// ---- facts ----

// larger - smaller - gap
Linear SymbolicRange::difference(const Stmt* larger, const Stmt* smaller, int64_t gap) {
  Linear form = linear(larger);
  form.add(linear(smaller), -1);
  form.constant -= gap;
  return form;
}

void SymbolicRange::assume_not_negative(Linear form) {
  constexpr size_t kMaxFacts = 100;
  if (!form.terms.empty() && facts_.size() < kMaxFacts) facts_.push_back(std::move(form));
}

void SymbolicRange::assume_at_most(const Stmt* smaller, const Stmt* larger, int64_t gap) {
  assume_not_negative(difference(larger, smaller, gap));
}

void SymbolicRange::assume_at_least(const Stmt* value, int64_t least) {
  Linear form = linear(value);
  form.constant -= least;
  assume_not_negative(std::move(form));
}

void SymbolicRange::assume_indices(const Stmt* loop, int32_t dims) {
  std::vector<bool> done(static_cast<size_t>(dims), false);
  for (const auto& block : loop->blocks) {
    // Only an index that is read somewhere has a statement to speak about.
    walk(static_cast<const Block*>(block.get()), [&](const Stmt* stmt) {
      const auto* index = as<LoopIndexStmt>(stmt);
      if (index == nullptr || index->operands[0] != loop || done[static_cast<size_t>(index->axis)]) return;
      done[static_cast<size_t>(index->axis)] = true;
      const auto first = 2 * static_cast<size_t>(index->axis);
      assume_at_most(loop->operands[first], index, 0);
      assume_at_most(index, loop->operands[first + 1], 1);
    });
  }
}

void SymbolicRange::compare(const BinaryStmt* comparison, BinaryOp op) {
  const Stmt* x = comparison->operands[0];
  const Stmt* y = comparison->operands[1];
  switch (op) {
    case BinaryOp::lt:
      return assume_at_most(x, y, 1);
    case BinaryOp::le:
      return assume_at_most(x, y, 0);
    case BinaryOp::gt:
      return assume_at_most(y, x, 1);
    case BinaryOp::ge:
      return assume_at_most(y, x, 0);
    case BinaryOp::eq:
      assume_at_most(x, y, 0);
      return assume_at_most(y, x, 0);
    case BinaryOp::ne:
      if (at_most(x, y, 0)) return assume_at_most(x, y, 1);
      if (at_most(y, x, 0)) return assume_at_most(y, x, 1);
      return;
    default:
      return;
  }
}

void SymbolicRange::assume(const Stmt* condition, bool holds) {
  if (const auto* unary = as<UnaryStmt>(condition)) {
    if (unary->op == UnaryOp::logic_not) assume(unary->operands[0], !holds);
    return;
  }
  const auto* binary = as<BinaryStmt>(condition);
  if (binary == nullptr || !condition->type->is_bool()) return;
  const bool both = binary->op == BinaryOp::logic_and || binary->op == BinaryOp::bit_and;
  const bool either = binary->op == BinaryOp::logic_or || binary->op == BinaryOp::bit_or;
  if ((both && holds) || (either && !holds)) {
    assume(binary->operands[0], holds);
    assume(binary->operands[1], holds);
    return;
  }
  if (!is_integer(binary->operands[0])) return;
  BinaryOp op = binary->op;
  if (!holds) {
    switch (op) {
      case BinaryOp::eq:
        op = BinaryOp::ne;
        break;
      case BinaryOp::ne:
        op = BinaryOp::eq;
        break;
      case BinaryOp::lt:
        op = BinaryOp::ge;
        break;
      case BinaryOp::le:
        op = BinaryOp::gt;
        break;
      case BinaryOp::gt:
        op = BinaryOp::le;
        break;
      case BinaryOp::ge:
        op = BinaryOp::lt;
        break;
      default:
        return;
    }
  }
  compare(binary, op);
}

}  // namespace qd
