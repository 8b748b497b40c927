#include "core/analysis/element_overlap.h"

#include <numeric>
#include <optional>

#include "core/analysis/same_value.h"
#include "core/ir/constant.h"

namespace qd {

namespace {

constexpr Wide kWrap = Wide{1} << 64;

Linear minus(Linear a, const Linear& b, Wide gap = 0) {
  a.add(b, -1);
  a.constant -= gap;
  return a;
}

bool is_zero(const Linear& form) { return form.terms.empty() && form.constant == 0; }

// Keeps sums of sums inside Wide.
bool small(const Linear& form) {
  constexpr Wide kLimit = Wide{1} << 70;
  if (form.terms.size() > 16 || form.constant > kLimit || form.constant < -kLimit) return false;
  for (const auto& [atom, coefficient] : form.terms) {
    if (coefficient > kLimit >> 32 || coefficient < -(kLimit >> 32)) return false;
  }
  return true;
}

Wide greatest_divisor(const Linear& form) {
  Wide divisor = 0;
  for (const auto& [atom, coefficient] : form.terms) {
    Wide a = divisor, b = coefficient < 0 ? -coefficient : coefficient;
    while (b != 0) {
      const Wide rest = a % b;
      a = b;
      b = rest;
    }
    divisor = a;
  }
  return divisor;
}

Linear substitute(const Linear& form, const std::map<ValueNumber, Linear>& values) {
  Linear result;
  result.constant = form.constant;
  for (const auto& [atom, coefficient] : form.terms) {
    Linear term;
    term.terms.emplace(atom, 1);
    const auto value = values.find(atom);
    result.add(value != values.end() ? value->second : term, coefficient);
  }
  return result;
}

const Stmt* bound(const RangeForStmt* loop, int32_t axis, size_t end) {
  return loop->operands[2 * static_cast<size_t>(axis) + end];
}

// Solves form = 0 for one of its terms; false if that need not be an integer.
bool isolate(const Linear& form, ValueNumber term, std::map<ValueNumber, Linear>& values) {
  const Wide factor = -form.terms.at(term);
  Linear value;
  if (form.constant % factor != 0) return false;
  value.constant = form.constant / factor;
  for (const auto& [other, coefficient] : form.terms) {
    if (other == term) continue;
    if (coefficient % factor != 0) return false;
    value.terms.emplace(other, coefficient / factor);
  }
  values.emplace(term, std::move(value));
  return true;
}

bool is_word(const Stmt* value) { return value->type->is_integer() && value->type->size == 8; }

}  // namespace

// ---- forms
// -----------------------------------------------------------------------------------------------------------

const Linear& ElementOverlap::modular(const Stmt* value) {
  if (auto found = modular_.find(value); found != modular_.end()) return found->second;
  Linear form;
  bool taken = false;
  const auto* binary = as<BinaryStmt>(value);
  const auto* unary = as<UnaryStmt>(value);
  const auto* cast = as<CastStmt>(value);
  const auto constant = [&](size_t i) { return as<ConstantStmt>(value->operands[i]); };
  const auto take = [&](size_t i, Wide factor) {
    form.add(modular(value->operands[i]), factor);
    taken = true;
  };
  if (!is_word(value)) {
    // Narrower arithmetic wraps elsewhere.
  } else if (binary != nullptr && (binary->op == BinaryOp::add || binary->op == BinaryOp::sub)) {
    take(0, 1);
    take(1, binary->op == BinaryOp::add ? 1 : -1);
  } else if (binary != nullptr && binary->op == BinaryOp::mul && (constant(0) != nullptr || constant(1) != nullptr)) {
    const size_t factor = constant(1) != nullptr ? 1 : 0;
    const int64_t by = signed_value(constant(factor));
    if (by < (int64_t{1} << 32) && by > -(int64_t{1} << 32)) take(1 - factor, by);
  } else if (binary != nullptr && binary->op == BinaryOp::shl && constant(1) != nullptr && constant(1)->bits < 32) {
    take(0, Wide{1} << constant(1)->bits);
  } else if (unary != nullptr && unary->op == UnaryOp::neg) {
    take(0, -1);
  } else if (cast != nullptr && cast->op == CastOp::value && is_word(value->operands[0])) {
    take(0, 1);
  }
  if (!taken || !small(form)) form = symbolic_.linear(value);
  return modular_.emplace(value, std::move(form)).first->second;
}

Linear ElementOverlap::exact(const Stmt* value) {
  const Linear& form = modular(value);
  const Range own = symbolic_.range(form), whole = type_range(value->type);
  if (own.low >= whole.low && own.high <= whole.high) return form;
  Linear least = form, most;
  least.constant -= whole.low;
  most.constant = whole.high;
  most.add(form, -1);
  return symbolic_.not_negative(least) && symbolic_.not_negative(most) ? form : symbolic_.linear(value);
}

const Linear& ElementOverlap::index(const ElementAccess& access, size_t axis) {
  const auto key = std::make_pair(&access, axis);
  if (auto found = indices_.find(key); found != indices_.end()) return found->second;
  return indices_.emplace(key, make_index(access, axis)).first->second;
}

Linear ElementOverlap::make_index(const ElementAccess& access, size_t axis) {
  const Stmt* value = access.element->operands[axis];
  const Linear& form = modular(value);
  // An index that is in range in each iteration never wraps on its way from one to the next: it takes steps that are
  // smaller than what lies outside the range. So the first iteration tells.
  Values first;
  for (const LoopAround& around : access.loops) {
    if (!access.certain || !steady(around)) break;
    for (int32_t i = 0; i < around.loop->dims; i++) {
      first.emplace(loop_term(around.loop, i), substitute(symbolic_.linear(bound(around.loop, i, 0)), first));
    }
  }
  const Linear start = substitute(form, first);
  const Range own = symbolic_.range(settled(start) ? start : form);
  // Then no wrapped value lies between 0 and the largest length.
  return own.low > kMaxLength - kWrap && own.high < kWrap ? form : symbolic_.linear(value);
}

Linear ElementOverlap::atom(std::unique_ptr<Stmt> value) {
  value->type = scalar_type(Primitive::i64);
  made_.push_back(std::move(value));
  return symbolic_.linear(made_.back().get());
}

Linear ElementOverlap::loop_index(const RangeForStmt* loop, int32_t axis) {
  const auto key = std::make_pair(static_cast<const Stmt*>(loop), axis);
  if (auto found = loop_indices_.find(key); found != loop_indices_.end()) return found->second;
  auto index = std::make_unique<LoopIndexStmt>();
  index->axis = axis;
  index->operands = {const_cast<RangeForStmt*>(loop)};
  return loop_indices_.emplace(key, atom(std::move(index))).first->second;
}

Linear ElementOverlap::length(const ElementAccess& access, size_t axis) {
  const auto key = std::make_pair(access.param, axis);
  if (auto found = lengths_.find(key); found != lengths_.end()) return found->second;
  auto length = std::make_unique<ArrayDimStmt>();
  length->param = access.param;
  length->axis = static_cast<int32_t>(axis);
  return lengths_.emplace(key, atom(std::move(length))).first->second;
}

// ---- never
// -----------------------------------------------------------------------------------------------------------

void ElementOverlap::assume_in_range(const ElementAccess& access, size_t axis, const Linear& index) {
  if (!small(index)) return;
  symbolic_.assume_not_negative(index);
  symbolic_.assume_not_negative(minus(length(access, axis), index, 1));
}

bool ElementOverlap::assume_iterations(const ElementAccess& access) {
  for (const LoopAround& around : access.loops) {
    for (int32_t axis = 0; axis < around.loop->dims; axis++) {
      const Linear begin = exact(bound(around.loop, axis, 0)), end = exact(bound(around.loop, axis, 1));
      const Linear index = loop_index(around.loop, axis);
      const Linear more = minus(end, begin, 1);
      if (symbolic_.range(more).high < 0) return false;
      symbolic_.assume_not_negative(more);
      symbolic_.assume_not_negative(minus(index, begin));
      symbolic_.assume_not_negative(minus(end, index, 1));
    }
  }
  return true;
}

bool ElementOverlap::never(const ElementAccess& a, const ElementAccess& b) {
  for (const ElementAccess* access : {&a, &b}) {
    for (size_t axis = 0; axis < access->element->operands.size(); axis++) {
      assume_in_range(*access, axis, index(*access, axis));
    }
    for (const Condition& condition : access->conditions) symbolic_.assume(condition.value, condition.holds);
  }
  if (!assume_iterations(a) || !assume_iterations(b)) return true;
  for (size_t axis = 0; axis < a.element->operands.size(); axis++) {
    const Linear apart = minus(index(a, axis), index(b, axis));
    if (!small(apart)) continue;
    const Wide divisor = greatest_divisor(apart);
    if (divisor > 1 && apart.constant % divisor != 0) return true;
    Linear above = apart, below;
    above.constant -= 1;
    below.add(apart, -1);
    below.constant -= 1;
    if (symbolic_.not_negative(above) || symbolic_.not_negative(below)) return true;
  }
  return false;
}

// ---- certain
// ---------------------------------------------------------------------------------------------------------

// The loop has the same bounds each time, so that it may be taken to run.
bool ElementOverlap::steady(const LoopAround& around) {
  if (!around.repeated) return true;
  for (const Stmt* operand : around.loop->operands) {
    if (!numbers_.invariant(operand)) return false;
  }
  return true;
}

// Both go through the same iterations, with the same indices in each.
bool ElementOverlap::same_iterations(const ElementAccess& a, const ElementAccess& b) {
  SameValue values(set_.written);
  for (size_t axis = 0; axis < a.element->operands.size(); axis++) {
    if (!values.same(a.element->operands[axis], b.element->operands[axis])) return false;
  }
  for (const ElementAccess* access : {&a, &b}) {
    for (const LoopAround& around : access->loops) {
      if (values.paired(around.loop) ? set_.cut_short.contains(around.loop) : !steady(around)) return false;
    }
  }
  return true;
}

// The first or last iteration of the loops around an access; false if the loops may not get there.
bool ElementOverlap::iteration_at(const ElementAccess& access, End at, Values& values) {
  for (const LoopAround& around : access.loops) {
    if (at == End::last && set_.cut_short.contains(around.loop)) return false;
    for (int32_t axis = 0; axis < around.loop->dims; axis++) {
      const Linear begin = substitute(exact(bound(around.loop, axis, 0)), values);
      const Linear end = substitute(exact(bound(around.loop, axis, 1)), values);
      if (!small(begin) || !small(end)) return false;
      if (!steady(around) && !symbolic_.not_negative(minus(end, begin, 1))) return false;
      values[loop_term(around.loop, axis)] = at == End::first ? begin : minus(end, {}, 1);
    }
  }
  return true;
}

// Has one value in all iterations.
bool ElementOverlap::settled(const Linear& form) {
  for (const auto& [term, coefficient] : form.terms) {
    if (!numbers_.invariant(symbolic_.atom_of(term))) return false;
  }
  return true;
}

// The loops run, and the access succeeds in their first and last iterations.
void ElementOverlap::assume_runs(const ElementAccess& access) {
  for (const LoopAround& around : access.loops) {
    if (!steady(around)) continue;
    for (int32_t axis = 0; axis < around.loop->dims; axis++) {
      symbolic_.assume_not_negative(minus(exact(bound(around.loop, axis, 1)), exact(bound(around.loop, axis, 0)), 1));
    }
  }
  for (const End at : {End::first, End::last}) {
    Values values;
    if (!iteration_at(access, at, values)) continue;
    for (size_t axis = 0; axis < access.element->operands.size(); axis++) {
      const Linear now = substitute(index(access, axis), values);
      // Where the loops do not show in the index, it is in range in the iteration that meet() finds, too.
      const bool always = is_zero(minus(now, index(access, axis)));
      if (always || settled(now)) assume_in_range(access, axis, now);
    }
  }
}

// Finds an iteration of each in which both touch one element. Axis by axis, an index of one is computed from the other;
// where that leaves a choice, the fixed access stays in iteration `there`, the free one in its first.
bool ElementOverlap::solve(const ElementAccess& fixed, const ElementAccess& free, const Values& there, Values& values) {
  Values first;
  if (!iteration_at(free, End::first, first)) first.clear();
  first.insert(there.begin(), there.end());
  std::vector<size_t> axes(fixed.element->operands.size());
  std::iota(axes.begin(), axes.end(), size_t{0});
  while (!axes.empty()) {
    bool progress = false;
    std::optional<ValueNumber> choice;
    for (size_t i = 0; i < axes.size(); i++) {
      Linear rest = substitute(modular(fixed.element->operands[axes[i]]), values);
      rest.add(substitute(modular(free.element->operands[axes[i]]), values), -1);
      if (!small(rest)) return false;
      std::vector<ValueNumber> open;
      for (const auto& [term, coefficient] : rest.terms) {
        if (symbolic_.atom_of(term)->kind != StmtKind::loop_index) continue;
        open.push_back(term);
        if (!choice || (there.contains(term) && !there.contains(*choice))) choice = term;
      }
      if (open.size() > 1) continue;
      if (open.empty() ? !is_zero(rest) : !isolate(rest, open[0], values)) return false;
      axes.erase(axes.begin() + static_cast<ptrdiff_t>(i--));
      progress = true;
    }
    if (progress || axes.empty()) continue;
    const auto chosen = first.find(*choice);
    if (chosen == first.end()) return false;
    values.emplace(*choice, substitute(chosen->second, values));
  }
  return true;
}

// The loops around the access surely reach the iteration; indices that are still free become the first ones.
bool ElementOverlap::reaches(const ElementAccess& access, Values& values) {
  for (const LoopAround& around : access.loops) {
    for (int32_t axis = 0; axis < around.loop->dims; axis++) {
      const Linear begin = substitute(exact(bound(around.loop, axis, 0)), values);
      const Linear end = substitute(exact(bound(around.loop, axis, 1)), values);
      const Linear value = values.try_emplace(loop_term(around.loop, axis), begin).first->second;
      const Linear above = minus(value, begin), below = minus(end, value, 1);
      if (!small(above) || !small(below)) return false;
      if (set_.cut_short.contains(around.loop) && !is_zero(above)) return false;
      if (!symbolic_.not_negative(above)) return false;
      if (!(is_zero(above) && steady(around)) && !symbolic_.not_negative(below)) return false;
    }
  }
  return true;
}

bool ElementOverlap::meet(const ElementAccess& fixed, const ElementAccess& free, End at) {
  assume_runs(fixed);
  assume_runs(free);
  Values there, values;
  return iteration_at(fixed, at, there) && solve(fixed, free, there, values) && reaches(fixed, values) &&
         reaches(free, values);
}

Overlap ElementOverlap::between(const ElementAccess& a, const ElementAccess& b) {
  const size_t mark = symbolic_.mark();
  const auto without_facts = [&](bool result) {
    symbolic_.drop_to(mark);
    return result;
  };
  if (a.part.apart_from(b.part) || without_facts(never(a, b))) return Overlap::never;
  if (!a.certain || !b.certain || !a.part.surely_overlaps(b.part)) return Overlap::unknown;
  if (same_iterations(a, b)) return Overlap::certain;
  for (const End at : {End::first, End::last}) {
    if (without_facts(meet(a, b, at)) || without_facts(meet(b, a, at))) return Overlap::certain;
  }
  return Overlap::unknown;
}

}  // namespace qd
