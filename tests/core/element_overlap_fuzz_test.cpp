// Random pairs of scopes, and whether what is said about them is true: every execution with small arguments is tried.
#include <algorithm>
#include <array>
#include <bitset>
#include <memory>
#include <random>

#include "tests/core/scopes_fixture.h"

namespace qd {
namespace {

// An integer expression of the arguments, the array's length and the indices of up to two loops.
struct Term {
  enum Kind { constant, n, k, length, index, add, sub, mul, div, rem, min, max } kind{};
  int64_t value = 0;  // of a constant; which loop's index
  std::shared_ptr<Term> x, y;
};

struct Arguments {
  int64_t n = 0, k = 0, length = 0;
  size_t depth = 0;  // in how many loops
  std::array<int64_t, 2> indices{};
};

int64_t evaluate(const Term& t, const Arguments& at) {
  const auto x = [&] { return evaluate(*t.x, at); };
  const auto y = [&] { return evaluate(*t.y, at); };
  switch (t.kind) {
    case Term::constant:
      return t.value;
    case Term::n:
      return at.n;
    case Term::k:
      return at.k;
    case Term::length:
      return at.length;
    case Term::index:
      return at.indices.at(static_cast<size_t>(t.value));
    case Term::add:
      return x() + y();
    case Term::sub:
      return x() - y();
    case Term::mul:
      return x() * y();
    case Term::div:
      return x() / y();
    case Term::rem:
      return x() % y();
    case Term::min:
      return std::min(x(), y());
    case Term::max:
      break;
  }
  return std::max(x(), y());
}

ExprId build(const Term& t, Scopes& s, const std::vector<ExprId>& indices) {
  const auto both = [&](BinaryOp op) {
    const ExprId x = build(*t.x, s, indices);
    return s.op(op, x, build(*t.y, s, indices));
  };
  switch (t.kind) {
    case Term::constant:
      return s.i64(t.value);
    case Term::n:
      return s.get_n();
    case Term::k:
      return s.get_k();
    case Term::length:
      return s.length();
    case Term::index:
      return indices.at(static_cast<size_t>(t.value));
    case Term::add:
      return both(BinaryOp::add);
    case Term::sub:
      return both(BinaryOp::sub);
    case Term::mul:
      return both(BinaryOp::mul);
    case Term::div:
      return both(BinaryOp::div);
    case Term::rem:
      return both(BinaryOp::rem);
    case Term::min:
      return both(BinaryOp::min);
    case Term::max:
      break;
  }
  return both(BinaryOp::max);
}

// Up to two loops around a write of a[index], which a condition and a jump may keep from happening.
struct Access {
  struct Loop {
    Term begin, end;
  };
  enum Jump { none, skips, stops };  // if limit < index of the innermost loop; stops after the write
  std::vector<Loop> loops;
  Term index;
  Jump jump = none;
  bool conditional = false;
  Term limit;
};

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  Access access() {
    Access a;
    const int loops = pick(4);
    for (int i = 0; i < std::min(loops, 2); i++) a.loops.push_back({leaf(i, 3), sum(i)});
    const int depth = static_cast<int>(a.loops.size());
    a.index = pick(3) == 0 ? leaf(depth, 6) : sum(depth);
    a.conditional = pick(6) == 0;
    if (depth > 0 && !a.conditional && pick(4) == 0) a.jump = pick(2) == 0 ? Access::skips : Access::stops;
    a.limit = leaf(0, 5);
    return a;
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<uint32_t>(below)); }
  Term constant(int64_t value) { return {Term::constant, value, {}, {}}; }

  Term leaf(int loops, int64_t below) {
    switch (pick(loops > 0 ? 7 : 4)) {
      case 0:
      case 1:
        return constant(pick(static_cast<int>(below)));
      case 2:
        return {pick(3) > 0 ? Term::n : Term::k, 0, {}, {}};
      case 3:
        return pick(2) == 0 ? Term{Term::length, 0, {}, {}} : constant(0);
      default:
        return {Term::index, pick(loops), {}, {}};
    }
  }

  Term sum(int loops) {
    Term result = leaf(loops, 5);
    for (int i = pick(3); i > 0; i--) {
      static constexpr Term::Kind kKinds[] = {Term::add, Term::add, Term::add, Term::sub, Term::sub,
                                              Term::mul, Term::div, Term::rem, Term::min, Term::max};
      const Term::Kind kind = kKinds[pick(10)];
      const bool by_constant = kind == Term::mul || kind == Term::div || kind == Term::rem;
      Term y = by_constant ? constant(1 + pick(3)) : leaf(loops, 4);
      result = {kind, 0, std::make_shared<Term>(std::move(result)), std::make_shared<Term>(std::move(y))};
    }
    return result;
  }

  std::minstd_rand random_;
};

void build_access(const Access& a, Scopes& s) {
  std::vector<LabelId> labels;
  std::vector<ExprId> indices;
  for (const Access::Loop& loop : a.loops) {
    const ExprId begin = build(loop.begin, s, indices);
    const ExprId end = build(loop.end, s, indices);
    labels.push_back(s.b.begin_for({begin, end}, {.serialize = true, .name = {}}));
    indices.push_back(s.index(labels.back()));
  }
  const auto beyond = [&] {
    const ExprId limit = build(a.limit, s, {});
    return s.op(BinaryOp::lt, limit, indices.empty() ? s.get_k() : indices.back());
  };
  const auto write = [&] { s.write(s.in_a(build(a.index, s, indices))); };
  if (a.jump == Access::skips) s.when(beyond(), [&] { s.b.continue_(labels.back()); });
  if (a.conditional) {
    s.when(beyond(), write);
  } else {
    write();
  }
  if (a.jump == Access::stops) s.when(beyond(), [&] { s.b.break_(labels.back()); });
  for (size_t i = 0; i < a.loops.size(); i++) s.b.end_for();
}

constexpr int64_t kLengths = 9;  // tried are 0 to 8

struct Trace {
  bool valid = true;  // no index out of range; where one was, nothing else is told
  bool full = true;   // no loop was empty
  std::bitset<kLengths> touched;
};

void run(const Access& a, Arguments at, Trace& trace) {
  const size_t depth = at.depth;
  if (depth < a.loops.size()) {
    const int64_t begin = evaluate(a.loops[depth].begin, at), end = evaluate(a.loops[depth].end, at);
    trace.full = trace.full && begin < end;
    at.depth++;
    for (int64_t i = begin; i < end && trace.valid; i++) {
      at.indices[depth] = i;
      run(a, at, trace);
      const bool innermost = at.depth == a.loops.size();
      if (innermost && a.jump == Access::stops && evaluate(a.limit, at) < i) break;
    }
    return;
  }
  const int64_t last = depth == 0 ? at.k : at.indices.at(depth - 1);
  const bool beyond = evaluate(a.limit, at) < last;
  if (a.jump == Access::skips ? beyond : a.conditional && !beyond) return;
  const int64_t index = evaluate(a.index, at);
  trace.valid = index >= 0 && index < at.length;
  if (trace.valid) trace.touched.set(static_cast<size_t>(index));
}

// What all executions with small arguments show.
struct Seen {
  bool common = false, apart = false;  // in some execution of which no loop is empty
  bool ever_common = false;            // in some execution
};

Seen executions(const Access& first, const Access& second) {
  Seen seen;
  for (int64_t length = 0; length < kLengths; length++) {
    for (int64_t n = -2; n < 9; n++) {
      for (int64_t k = -2; k < 9; k++) {
        Trace a, b;
        run(first, {.n = n, .k = k, .length = length}, a);
        if (!a.valid) continue;
        run(second, {.n = n, .k = k, .length = length}, b);
        if (!b.valid) continue;
        const bool common = (a.touched & b.touched).any();
        seen.ever_common |= common;
        if (a.full && b.full) (common ? seen.common : seen.apart) = true;
      }
    }
  }
  return seen;
}

TEST(ElementOverlap, WhatIsSaidIsTrue) {
  std::array<int, 3> verdicts{};
  for (uint32_t seed = 1; seed <= 2000; seed++) {
    Generator generator(seed);
    const Access first = generator.access(), second = generator.access();
    Scopes s;
    s.scope([&](Scopes& t) { build_access(first, t); });
    s.scope([&](Scopes& t) { build_access(second, t); });
    const Verdict verdict = s.verdict();
    verdicts[static_cast<size_t>(verdict)]++;
    if (verdict == Verdict::warning) continue;
    const Seen seen = executions(first, second);
    if (verdict == Verdict::none ? seen.ever_common : seen.apart) {
      ADD_FAILURE() << "seed " << seed << " is no " << ::testing::PrintToString(verdict) << "\n" << s.after("simplify");
    }
  }
  // None of the three may be what is always said.
  EXPECT_GT(*std::min_element(verdicts.begin(), verdicts.end()), 30);
}

}  // namespace
}  // namespace qd
