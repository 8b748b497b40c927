// simplify: IR before and after.
#include <gtest/gtest.h>

#include <array>

#include "core/ir/edit.h"
#include "core/ir/print.h"
#include "core/ir/verify.h"
#include "core/transforms/passes.h"

namespace qd {
namespace {

const Type* const kI64 = scalar_type(Primitive::i64);
const Type* const kF32 = scalar_type(Primitive::f32);
const Type* const kF64 = scalar_type(Primitive::f64);
const Type* const kU1 = scalar_type(Primitive::u1);

class Simplify : public testing::Test {
 protected:
  Simplify() : e(kernel.types, kernel.root.get()) {
    kernel.name = "k";
    kernel.params = {{"x", kI64, 1}, {"n", kI64, 0}, {"c", kU1, 0}, {"f", kF32, 0}};
    kernel.params_size = layout_params(kernel.params);
  }

  Stmt* n() { return e.arg_load(1, kI64); }
  Stmt* c() { return e.arg_load(2, kU1); }
  // Braces, unlike a call's arguments, are evaluated in order.
  Stmt* binary(BinaryOp op, std::array<Stmt*, 2> xy) { return e.binary(op, xy[0], xy[1]); }
  Stmt* i64(int64_t value) { return e.constant_int(kI64, value); }
  Stmt* place(Emitter& emitter) {
    return emitter.emit<ElementPtrStmt>(kernel.types.pointer_to(kI64), {emitter.constant_int(kI64, 0)});
  }
  // An effect that keeps the value alive.
  void keep(Emitter& emitter, Stmt* value) {
    auto* print = emitter.emit<PrintStmt>(none_type(), {value});
    print->format = "%v";
  }
  void keep(Stmt* value) { keep(e, value); }
  Emitter in(Stmt* stmt, size_t block = 0) { return Emitter(kernel.types, stmt->blocks[block].get()); }

  // The statements' text; both must be valid.
  std::string text() {
    verify(kernel, "test");
    std::string whole = print(kernel);
    return "\n" + whole.substr(whole.find('\n') + 1);
  }
  std::string simplified() {
    verify(kernel, "before");
    simplify(kernel);
    return text();
  }

  KernelIR kernel;
  Emitter e;
};

TEST_F(Simplify, FoldsThroughChains) {
  Stmt* sum = binary(BinaryOp::add, {i64(2), i64(3)});
  keep(binary(BinaryOp::lt, {binary(BinaryOp::mul, {sum, i64(4)}), e.cast(e.constant_float(kF64, 20.5), kI64)}));
  EXPECT_EQ(text(), R"(
%0 = constant 2 : i64
%1 = constant 3 : i64
%2 = binary add %0, %1 : i64
%3 = constant 4 : i64
%4 = binary mul %2, %3 : i64
%5 = constant 20.5 : f64
%6 = cast value %5 : i64
%7 = binary lt %4, %6 : u1
print "%v" %7
)");
  EXPECT_EQ(simplified(), R"(
%0 = constant false : u1
print "%v" %0
)");
}

TEST_F(Simplify, IntegerIdentitiesOnly) {
  Stmt* x = n();
  Stmt* y = binary(BinaryOp::add, {i64(0), binary(BinaryOp::mul, {x, i64(1)})});
  y = binary(BinaryOp::shl, {binary(BinaryOp::bit_and, {y, i64(-1)}), i64(0)});
  keep(binary(BinaryOp::sub, {e.cast(y, kI64), i64(0)}));
  keep(e.binary(BinaryOp::mul, x, i64(0)));
  Stmt* f = e.arg_load(3, kF32);
  keep(e.binary(BinaryOp::add, f, e.constant_float(kF32, 0)));
  keep(e.binary(BinaryOp::mul, f, e.constant_float(kF32, 1)));
  EXPECT_EQ(simplified(), R"(
%0 = arg_load n : i64
print "%v" %0
%1 = constant 0 : i64
print "%v" %1
%2 = arg_load f : f32
%3 = constant 0 : f32
%4 = binary add %2, %3 : f32
print "%v" %4
%5 = constant 1 : f32
%6 = binary mul %2, %5 : f32
print "%v" %6
)") << "-0 + 0 is 0, and a signalling NaN times 1 is quiet";
}

TEST_F(Simplify, BoolLogicAndSelect) {
  Stmt* x = c();
  Stmt* y = e.binary(BinaryOp::logic_and, e.constant_bool(true), x);
  y = e.binary(BinaryOp::logic_or, y, e.constant_bool(false));
  keep(e.unary(UnaryOp::logic_not, e.unary(UnaryOp::logic_not, y)));
  Stmt* decided = e.binary(BinaryOp::logic_or, x, e.constant_bool(true));
  Stmt* chosen = n();
  keep(e.select(decided, chosen, i64(1)));
  Stmt* seven = i64(7);
  keep(e.select(x, seven, seven));
  EXPECT_EQ(simplified(), R"(
%0 = arg_load c : u1
print "%v" %0
%1 = arg_load n : i64
print "%v" %1
%2 = constant 7 : i64
print "%v" %2
)");
}

TEST_F(Simplify, WhatMayFailStays) {
  Stmt* x = n();
  e.binary(BinaryOp::div, x, x);
  binary(BinaryOp::div, {i64(1), i64(0)});
  e.binary(BinaryOp::shl, x, x);
  place(e);
  std::string before = text();
  EXPECT_EQ(simplified(), before);
}

TEST_F(Simplify, DeadValuesLoadsAndLocalsGo) {
  Stmt* local = e.alloca_of(kI64, "unread");
  Stmt* pointer = place(e);
  as<ElementPtrStmt>(pointer)->check = false;
  e.store(local, binary(BinaryOp::add, {e.load(pointer), n()}));
  Stmt* aggregate = e.alloca_of(kernel.types.array_of(kI64, 4), "zeroed");
  e.emit<ZeroStmt>(none_type(), {aggregate});
  e.if_else(c());
  e.emit<RandomStmt>(kF32);
  EXPECT_EQ(simplified(), "\n");
}

TEST_F(Simplify, TheTakenBlockIsSpliced) {
  Stmt* branch = e.if_else(binary(BinaryOp::lt, {i64(1), i64(2)}));
  Emitter taken = in(branch);
  Stmt* value = taken.arg_load(1, kI64);
  keep(taken, value);
  Emitter other = in(branch, 1);
  keep(other, other.constant_int(kI64, 5));
  keep(i64(6));
  EXPECT_EQ(simplified(), R"(
%0 = arg_load n : i64
print "%v" %0
%1 = constant 6 : i64
print "%v" %1
)");
}

TEST_F(Simplify, NothingStaysBehindASplicedBreak) {
  auto* loop = e.emit<LoopStmt>(none_type(), {}, 2);
  Emitter body = in(loop);
  Stmt* outer = body.if_else(body.arg_load(2, kU1));
  Emitter left = in(outer);
  Stmt* inner = left.if_else(left.constant_bool(false));
  keep(left, left.constant_int(kI64, 1));
  in(inner, 1).emit<BreakStmt>(none_type(), {loop});
  in(outer, 1).emit<ContinueStmt>(none_type(), {loop});
  Stmt* after = body.arg_load(1, kI64);
  keep(body, after);
  Emitter post = in(loop, 1);
  keep(post, post.constant_int(kI64, 2));
  EXPECT_EQ(simplified(), R"(
%0 = loop
  %1 = arg_load c : u1
  if %1
    break %0
  else
    continue %0
post
  %2 = constant 2 : i64
  print "%v" %2
)");
}

TEST_F(Simplify, LocalsStoredOnceBecomeTheirValue) {
  Stmt* a = e.alloca_of(kI64, "a");
  e.store(a, binary(BinaryOp::add, {n(), i64(1)}));
  Stmt* b = e.alloca_of(kI64, "b");
  e.store(b, e.load(a));
  Emitter then = in(e.if_else(c()));
  keep(then, then.load(b));
  EXPECT_EQ(text(), R"(
%0 = alloca "a" : *i64
%1 = arg_load n : i64
%2 = constant 1 : i64
%3 = binary add %1, %2 : i64
store %0, %3
%4 = alloca "b" : *i64
%5 = load %0 : i64
store %4, %5
%6 = arg_load c : u1
if %6
  %7 = load %4 : i64
  print "%v" %7
)");
  EXPECT_EQ(simplified(), R"(
%0 = arg_load n : i64
%1 = constant 1 : i64
%2 = binary add %0, %1 : i64
%3 = arg_load c : u1
if %3
  print "%v" %2
)");
}

TEST_F(Simplify, LocalsNeverStoredAreZero) {
  keep(e.load(e.alloca_of(kF32, "z")));
  EXPECT_EQ(simplified(), R"(
%0 = constant 0 : f32
print "%v" %0
)");
}

TEST_F(Simplify, LocalsWithMoreThanOneStoryStay) {
  Stmt* twice = e.alloca_of(kI64, "twice");
  e.store(twice, n());
  e.store(twice, i64(1));
  Stmt* nested = e.alloca_of(kI64, "nested");
  Emitter then = in(e.if_else(c()));
  then.store(nested, then.constant_int(kI64, 2));
  Stmt* late = e.alloca_of(kI64, "late");
  Stmt* before = e.load(late);
  e.store(late, i64(3));
  Stmt* updated = e.alloca_of(kI64, "updated");
  e.store(updated, i64(4));
  e.atomic(AtomicOp::add, updated, i64(5));
  Stmt* escapes = e.alloca_of(kI64, "escapes");
  e.store(escapes, i64(6));
  Stmt* alias = e.emit<OffsetPtrStmt>(escapes->type, {escapes});
  e.store(alias, i64(7));
  keep(before);
  for (Stmt* local : {twice, nested, late, updated, escapes}) keep(e.load(local));
  std::string unchanged = text();
  EXPECT_EQ(simplified(), unchanged);
}

TEST_F(Simplify, LocalsOfALoopBodyFollowTheIteration) {
  auto* loop = e.emit<RangeForStmt>(none_type(), {i64(0), n()}, 1);
  Emitter body = in(loop);
  Stmt* local = body.alloca_of(kI64, "v");
  body.store(local, body.loop_index(loop, 0));
  keep(body, body.load(local));
  EXPECT_EQ(simplified(), R"(
%0 = constant 0 : i64
%1 = arg_load n : i64
%2 = range_for %0, %1 dims=1
  %3 = loop_index %2 axis=0 : i64
  print "%v" %3
)");
}

}  // namespace
}  // namespace qd
