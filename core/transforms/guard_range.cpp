#include "core/transforms/guard_range.h"

#include <algorithm>

#include "core/ir/constant.h"

namespace qd {

namespace {

// Interval arithmetic runs in i64: no intermediate value may come near its ends. Values that nothing is known of are
// tested against a limit small enough for that; the largest limit that serves is taken.
constexpr Wide kCeiling = Wide{1} << 62;
constexpr Wide kLimits[] = {Wide{1} << 60, Wide{1} << 40, Wide{1} << 30, Wide{1} << 20};

const Type* i64() { return scalar_type(Primitive::i64); }

std::optional<int64_t> positive_constant(const Stmt* value) {
  const auto* constant = as<ConstantStmt>(value);
  if (constant == nullptr || signed_value(constant) <= 0) return {};
  return signed_value(constant);
}

std::optional<int64_t> shift_constant(const Stmt* value) {
  const auto* constant = as<ConstantStmt>(value);
  if (constant == nullptr || constant->bits > 61) return {};
  return signed_value(constant);
}

}  // namespace

GuardRange::GuardRange(KernelIR& kernel, OffloadedStmt* task, ValueNumbers& numbers, SymbolicRange& ranges)
    : numbers_(numbers), ranges_(ranges), emitter_(kernel.types, task->blocks[offloaded_block::guard].get()) {
  emitter_.pos = task->pos;
  emitter_.group = task->group;
}

Stmt* GuardRange::integer(int64_t value) {
  Stmt*& made = integers_[value];
  if (made == nullptr) made = emitter_.constant_int(i64(), value);
  return made;
}

void GuardRange::require(Stmt* condition) {
  all_ = all_ == nullptr ? condition : emitter_.binary(BinaryOp::logic_and, all_, condition);
}

void GuardRange::require_at_most(Stmt* x, Stmt* y) {
  const auto* a = as<ConstantStmt>(x);
  const auto* b = as<ConstantStmt>(y);
  if (a != nullptr && b != nullptr && signed_value(a) <= signed_value(b)) return;
  if (ordered_.emplace(x, y).second) require(emitter_.binary(BinaryOp::le, x, y));
}

void GuardRange::finish() {
  // The last statement must be the answer even where it was made long before.
  Stmt* answer = all_ != nullptr ? all_ : emitter_.constant_bool(true);
  if (emitter_.block()->statements.back().get() != answer) {
    emitter_.binary(BinaryOp::logic_and, answer, answer);
  }
}

// ---- what can be said -----------------------------------------------------------------------------------------------

bool GuardRange::leaf(const Stmt* value) { return value->type->is_integer() && numbers_.invariant_anywhere(value); }

// A value that cannot be taken apart but can only be small, such as a byte or the remainder of a division. Anything
// wider would make the guard fail too often.
std::optional<Range> GuardRange::narrow_range(const Stmt* value) {
  constexpr Wide kByte = 255, kMasked = Wide{1} << 40;
  const auto* binary = as<BinaryStmt>(value);
  const bool masked = binary != nullptr && (binary->op == BinaryOp::bit_and || binary->op == BinaryOp::rem ||
                                            binary->op == BinaryOp::floor_mod || binary->op == BinaryOp::shr);
  const Range range = ranges_.range(value);
  if (range.low < 0 || range.high > (masked ? kMasked : kByte)) return {};
  return range;
}

std::optional<Wide> GuardRange::magnitude(const Stmt* value) {
  if (!value->type->is_integer()) return {};
  if (const auto parts = composed(value)) return parts;
  if (const auto range = narrow_range(value)) return range->high;
  return {};
}

std::optional<Wide> GuardRange::composed(const Stmt* value) {
  const std::pair<const Stmt*, size_t> key{value, limit_};
  if (auto found = composed_.find(key); found != composed_.end()) return found->second;
  std::optional<Wide> result = compose(value);
  if (result && *result >= kCeiling) result.reset();
  composed_.emplace(key, result);
  return result;
}

std::optional<Wide> GuardRange::compose(const Stmt* value) {
  if (leaf(value)) {
    const Range known = ranges_.range(value);
    const Wide most = std::max(known.high, -known.low);
    return value->kind == StmtKind::constant ? most : std::min(most, kLimits[limit_]);
  }
  if (const auto* index = as<LoopIndexStmt>(value)) {
    const auto first = 2 * static_cast<size_t>(index->axis);
    const auto begin = magnitude(index->operands[0]->operands[first]);
    const auto end = magnitude(index->operands[0]->operands[first + 1]);
    if (begin && end) return std::max(*begin, *end + 1);
  } else if (const auto* binary = as<BinaryStmt>(value)) {
    return compose_binary(binary);
  } else if (const auto* cast = as<CastStmt>(value)) {
    if (cast->op == CastOp::value) return magnitude(cast->operands[0]);
  } else if (value->kind == StmtKind::select) {
    const auto x = magnitude(value->operands[1]);
    const auto y = magnitude(value->operands[2]);
    if (x && y) return std::max(*x, *y);
  }
  return {};
}

std::optional<Wide> GuardRange::compose_binary(const BinaryStmt* value) {
  const Stmt* second = value->operands[1];
  if (value->op == BinaryOp::bit_and) {
    if (const auto mask = positive_constant(second)) return *mask;
    return {};
  }
  const auto x = magnitude(value->operands[0]);
  if (!x) return {};
  switch (value->op) {
    case BinaryOp::shl:
      if (const auto count = shift_constant(second)) return *x << *count;
      return {};
    case BinaryOp::shr:
      if (!shift_constant(second)) return {};
      return x;
    case BinaryOp::div:
      if (!positive_constant(second)) return {};
      return x;
    case BinaryOp::rem:
      if (!leaf(second)) return {};
      break;
    case BinaryOp::add:
    case BinaryOp::sub:
    case BinaryOp::mul:
    case BinaryOp::min:
    case BinaryOp::max:
      break;
    default:
      return {};
  }
  const auto y = magnitude(second);
  if (!y) return {};
  if (value->op == BinaryOp::mul) return *x * *y;
  return *x + *y;
}

bool GuardRange::expressible(const std::vector<const Stmt*>& values) {
  for (limit_ = 0; limit_ < std::size(kLimits); limit_++) {
    if (std::all_of(values.begin(), values.end(), [&](const Stmt* x) { return magnitude(x).has_value(); })) return true;
  }
  return false;
}

// ---- intervals ------------------------------------------------------------------------------------------------------

void GuardRange::keep_inside(Interval interval, const Type* type) {
  if (type == i64()) return;
  const Range range = type_range(type);
  require_at_most(integer(static_cast<int64_t>(range.low)), interval.low);
  if (range.high < kCeiling) require_at_most(interval.high, integer(static_cast<int64_t>(range.high)));
}

GuardRange::Interval GuardRange::evaluate_leaf(Stmt* value) {
  Stmt* copy = ValueNumbers::copy(value, emitter_, copies_);
  if (copy->type != i64()) copy = emitter_.cast(copy, i64());
  if (value->kind == StmtKind::constant) return {copy, copy};
  // A u64 beyond i64 would look negative.
  if (value->type->primitive == Primitive::u64) require_at_most(integer(0), copy);
  const Range known = ranges_.range(value);
  const auto limit = static_cast<int64_t>(kLimits[limit_]);
  if (known.high > limit) require_at_most(copy, integer(limit));
  if (known.low < -limit && !value->type->is_unsigned()) require_at_most(integer(-limit), copy);
  return {copy, copy};
}

GuardRange::Interval GuardRange::product(Interval x, Interval y) {
  const auto times = [&](Stmt* a, Stmt* b) { return emitter_.binary(BinaryOp::mul, a, b); };
  Stmt* a = times(x.low, y.low);
  Stmt* b = times(x.high, y.high);
  Interval result{smaller(a, b), larger(a, b)};
  if (x.low == x.high || y.low == y.high) return result;
  for (Stmt* corner : {times(x.low, y.high), times(x.high, y.low)}) {
    result = {smaller(result.low, corner), larger(result.high, corner)};
  }
  return result;
}

GuardRange::Interval GuardRange::evaluate_binary(BinaryStmt* value) {
  const Interval x = evaluate(value->operands[0]);
  Stmt* second = value->operands[1];
  const auto apply = [&](Stmt* a, Stmt* b) { return emitter_.binary(value->op, a, b); };
  switch (value->op) {
    case BinaryOp::shl: {
      Stmt* factor = integer(int64_t{1} << *shift_constant(second));
      return product(x, {factor, factor});
    }
    case BinaryOp::shr: {
      Stmt* count = integer(*shift_constant(second));
      return {apply(x.low, count), apply(x.high, count)};
    }
    case BinaryOp::div: {
      Stmt* divisor = integer(*positive_constant(second));
      return {apply(x.low, divisor), apply(x.high, divisor)};
    }
    case BinaryOp::bit_and:
      return {integer(0), integer(*positive_constant(second))};
    case BinaryOp::rem: {
      // The sign follows x; the absolute value is below the divisor and not above x's.
      Stmt* divisor = evaluate(second).low;
      require_at_most(integer(1), divisor);
      Stmt* most = emitter_.binary(BinaryOp::sub, divisor, integer(1));
      Stmt* least = emitter_.binary(BinaryOp::sub, integer(1), divisor);
      Stmt* zero = integer(0);
      Stmt* low = larger(x.low, least);
      Stmt* high = smaller(x.high, most);
      return {smaller(zero, low), larger(zero, high)};
    }
    default:
      break;
  }
  const Interval y = evaluate(second);
  if (value->op == BinaryOp::mul) return product(x, y);
  if (value->op == BinaryOp::sub) return {apply(x.low, y.high), apply(x.high, y.low)};
  return {apply(x.low, y.low), apply(x.high, y.high)};  // add, min and max rise with both
}

GuardRange::Interval GuardRange::evaluate(Stmt* value) {
  const std::pair<ValueNumber, size_t> key{numbers_.number(value), limit_};
  if (auto found = known_.find(key); found != known_.end()) return found->second;
  return known_.emplace(key, evaluate_new(value)).first->second;
}

GuardRange::Interval GuardRange::evaluate_new(Stmt* value) {
  if (!composed(value)) {
    const Range range = *narrow_range(value);
    return {integer(static_cast<int64_t>(range.low)), integer(static_cast<int64_t>(range.high))};
  }
  if (leaf(value)) return evaluate_leaf(value);
  if (const auto* index = as<LoopIndexStmt>(value)) {
    const auto first = 2 * static_cast<size_t>(index->axis);
    const Interval begin = evaluate(index->operands[0]->operands[first]);
    const Interval end = evaluate(index->operands[0]->operands[first + 1]);
    return {begin.low, emitter_.binary(BinaryOp::sub, end.high, integer(1))};
  }
  if (value->kind == StmtKind::select) {
    const Interval x = evaluate(value->operands[1]);
    const Interval y = evaluate(value->operands[2]);
    return {smaller(x.low, y.low), larger(x.high, y.high)};
  }
  auto* binary = as<BinaryStmt>(value);
  const Interval result = binary != nullptr ? evaluate_binary(binary) : evaluate(value->operands[0]);
  keep_inside(result, value->type);
  return result;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

bool GuardRange::add(const CheckStmt* check) {
  const auto& operands = check->operands;
  if (check->check == CheckKind::assertion) return false;
  // A length that varies goes with its index: apart, their intervals say too little.
  if (check->check == CheckKind::index && !leaf(operands[1])) return false;
  if (check->check == CheckKind::slice && !(leaf(operands[0]) && leaf(operands[1]) && leaf(operands[2]))) return false;
  std::vector<int64_t> key{static_cast<int64_t>(check->check)};
  for (const Stmt* operand : operands) key.push_back(numbers_.number(operand));
  if (added_.contains(key)) return true;
  if (!expressible({operands.begin(), operands.end()})) return false;
  added_.insert(key);

  std::vector<Interval> at;
  for (Stmt* operand : operands) at.push_back(evaluate(operand));
  switch (check->check) {
    case CheckKind::index:
      require_at_most(integer(0), at[0].low);
      require(emitter_.binary(BinaryOp::lt, at[0].high, at[1].low));
      break;
    case CheckKind::slice:
      require_at_most(integer(0), at[0].low);
      require_at_most(at[0].high, at[1].low);
      require_at_most(at[1].high, at[2].low);
      break;
    case CheckKind::nonzero: {
      Stmt* positive = emitter_.binary(BinaryOp::lt, integer(0), at[0].low);
      Stmt* negative = emitter_.binary(BinaryOp::lt, at[0].high, integer(0));
      require(emitter_.binary(BinaryOp::logic_or, positive, negative));
      break;
    }
    case CheckKind::shift:
      require_at_most(integer(0), at[0].low);
      break;
    case CheckKind::length:
      require_at_most(at[1].high, at[0].low);
      break;
    case CheckKind::assertion:
      break;
  }
  return true;
}

}  // namespace qd
