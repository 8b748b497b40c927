// Builds kernels of StreamParallel scopes and says what check_conflicts finds in them.
#pragma once

#include <algorithm>
#include <functional>

#include "core/ir/error.h"
#include "tests/core/pass_fixture.h"

namespace qd {

enum class Verdict { none, warning, error };

inline void PrintTo(Verdict verdict, std::ostream* out) {
  *out << (verdict == Verdict::none ? "none" : verdict == Verdict::warning ? "warning" : "error");
}

// A kernel of scopes over a []f32, m [][]f32, idx []i64, p []struct{f32, [3]f32, f32} and the integers n and k.
class Scopes : public PassTest {
 public:
  using Body = std::function<void(ExprId)>;
  using PassTest::add, PassTest::after, PassTest::at, PassTest::b, PassTest::compile, PassTest::f32, PassTest::i64,
      PassTest::index, PassTest::kernel, PassTest::mul, PassTest::op, PassTest::sub, PassTest::to;

  void TestBody() override {}
  // What is built next stands there.
  void line(int32_t line) { b.set_position(file, line, 3); }
  void scope(const std::function<void(Scopes&)>& body) {
    b.begin_stream_parallel();
    body(*this);
    b.end_stream_parallel();
  }
  void loop(ExprId begin, ExprId end, const Body& body) {
    const LabelId label = b.begin_for({begin, end}, {});
    body(index(label));
    b.end_for();
  }
  void loop(ExprId end, const Body& body) { loop(i64(0), end, body); }
  void when(ExprId condition, const std::function<void()>& body) {
    b.begin_if(condition);
    body();
    b.end_if();
  }
  void write(ExprId place) { b.assign(place, f32(1)); }
  void read(ExprId place) { b.print({place}, "%v\n", false); }
  void update(ExprId place) { atomic(AtomicOp::add, place, f32(1)); }
  ExprId in_a(ExprId i) { return at(a, i); }
  ExprId in_m(ExprId i, ExprId j) { return at(m, i, j); }
  ExprId length() { return b.dim(a, 0); }
  ExprId get_n() { return b.param(n); }
  ExprId get_k() { return b.param(k); }
  ExprId neg(ExprId x) { return b.unary(static_cast<int32_t>(UnaryOp::neg), x); }
  ExprId rem(ExprId x, int64_t y) { return op(BinaryOp::rem, x, i64(y)); }
  ExprId div(ExprId x, int64_t y) { return op(BinaryOp::div, x, i64(y)); }

  const std::vector<Diagnostic>& said() { return compile().diagnostics; }
  Verdict verdict() {
    Verdict worst = Verdict::none;
    for (const Diagnostic& one : said()) worst = std::max(worst, one.is_warning ? Verdict::warning : Verdict::error);
    return worst;
  }
  int32_t line_of(const Diagnostic& one) { return kernel->positions.positions.at(static_cast<size_t>(one.pos)).line; }

  const int32_t file = b.file("/home/user/kernels.go");
  const int32_t vector = b.array_type(kF32, 3);
  const int32_t particle = b.struct_type({kF32, vector, kF32}, {0, 4, 16}, 20, 4);
  const int32_t a = array("a", kF32), m = array("m", kF32, 2), idx = array("idx", kI64), p = array("p", particle);
  const int32_t n = scalar("n", kI64), k = scalar("k", kI64);
};

using Part = std::function<void(Scopes&)>;

// Of two scopes.
inline Verdict of(const Part& first, const Part& second) {
  Scopes s;
  s.scope(first);
  s.scope(second);
  return s.verdict();
}

}  // namespace qd
