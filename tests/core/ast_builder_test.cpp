#include "core/frontend/ast_builder.h"

#include <gtest/gtest.h>

#include "core/ir/error.h"
#include "tests/core/ast_builder_fixture.h"

namespace qd {
namespace {

using namespace testing_ast;

class ASTBuilderTest : public BuilderFixture {};

TEST_F(ASTBuilderTest, BuildsWhatItIsTold) {
  LabelId i = parallel();
  b.assign(b.element(x, {b.loop_index(i, 0)}, false),
           b.binary(id(BinaryOp::mul), b.cast(id(CastOp::value), b.loop_index(i, 0), kF32), f32(2)));
  b.begin_if(b.binary(id(BinaryOp::gt), b.loop_index(i, 0), b.param(n)));
  b.continue_(i);
  b.begin_else();
  ExprId y = b.local("y", kF32, -1);
  b.atomic(id(AtomicOp::add), y, f32(0.5));
  b.print({y}, "%v of 100%%\n", true);
  b.end_if();
  b.end_for();
  LabelId loop = b.begin_loop();
  b.break_(loop);
  b.begin_post();
  b.check(CheckKind::assertion, {truth()}, "", "never");
  b.end_loop();
  LabelId scope = b.begin_scope();
  b.break_(scope);
  b.end_scope();
  b.return_();
  EXPECT_EQ(print(b.finish()), R"(kernel kernel(x []f32, n i64)
  for L0 in 0..len(x) parallel {
    x[i0]! = mul(f32(i0), f32(2))
    if gt(i0, n) {
      continue L0
    } else {
      var y#0 f32
      t0 = atomic_add(y#0, f32(0.5))
      eprint "%v of 100%%\n", y#0
    }
  }
  loop L1 {
    break L1
  } post {
    check assertion(true) message="never"
  }
  scope L2 {
    break L2
  }
  return
)");
}

TEST_F(ASTBuilderTest, NumbersScopesAndMarksTheirStatements) {
  b.begin_stream_parallel();
  LabelId i = parallel();
  b.assign(b.element(x, {b.loop_index(i, 0)}, true), f32(1));
  b.end_for();
  b.end_stream_parallel();
  b.begin_stream_parallel();  // an empty scope is legal, and counts
  b.end_stream_parallel();
  b.begin_stream_parallel();
  serial();
  b.end_for();
  b.end_stream_parallel();
  AST ast = b.finish();
  EXPECT_EQ(ast.kernel.groups, 3);
  ASSERT_EQ(ast.body.size(), 2u);
  EXPECT_EQ(ast.body[0]->group, 1);
  EXPECT_TRUE(ast.body[0]->parallel);
  EXPECT_EQ(ast.body[0]->body[0]->group, 1);
  EXPECT_EQ(ast.body[1]->group, 3);
  EXPECT_FALSE(ast.body[1]->parallel);
  EXPECT_NE(print(ast).find("stream_parallel 3 {\n"), std::string::npos);
}

TEST_F(ASTBuilderTest, KeepsScopesAtTheTopLevel) {
  b.begin_stream_parallel();
  refused([&] { b.begin_stream_parallel(); }, "StreamParallel scopes cannot nest");
  LabelId i = parallel();
  refused([&] { b.begin_stream_parallel(); }, "StreamParallel scopes cannot nest");
  refused([&] { b.end_stream_parallel(); }, "must close begin_stream_parallel");
  refused([&] { b.break_(i); }, "no order");
  b.end_for();
  refused([&] { b.return_(); }, "return in a StreamParallel scope");
  b.end_stream_parallel();
  refused([&] { b.end_stream_parallel(); }, "innermost open scope is the kernel");
  b.begin_if(truth());
  refused([&] { b.begin_stream_parallel(); }, "only at the top level of a kernel");
  b.end_if();
  b.enter_call("f");
  refused([&] { b.begin_stream_parallel(); }, "only at the top level of a kernel");
  b.leave_call();
}

TEST_F(ASTBuilderTest, RefusesScopesBesideOtherStatementsAtTheStatement) {
  b.begin_stream_parallel();
  b.end_stream_parallel();
  at(7);
  ExprId y = b.local("y", kF32, -1);
  at(9);
  try {
    b.finish();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("all top-level statements must be StreamParallel scopes", 0), 0u);
    EXPECT_EQ(b.positions().to_string(error.pos), "k.go:7:2");
  }
  b.assign(y, f32(1));  // the builder is as it was
}

TEST_F(ASTBuilderTest, KeepsTheChainOfCalls) {
  at(3);
  b.enter_call("outer");
  at(20);
  b.enter_call("inner");
  at(30);
  ExprId deep = b.random(kF32);
  b.leave_call();
  b.bind(deep);
  b.leave_call();
  b.bind(f32(0));
  refused([&] { b.leave_call(); }, "leave_call without enter_call");
  AST ast = b.finish();
  const PositionTable& table = ast.kernel.positions;
  const Position& innermost = table.positions[ast.exprs[deep].pos];
  EXPECT_EQ(innermost.line, 30);
  EXPECT_EQ(table.functions[innermost.function], "inner");
  const Position& middle = table.positions[innermost.caller];
  EXPECT_EQ(middle.line, 20);
  EXPECT_EQ(table.functions[middle.function], "outer");
  EXPECT_EQ(table.positions[middle.caller].line, 3);
  EXPECT_EQ(ast.body[0]->pos, innermost.caller);  // back at the call's own position
  EXPECT_EQ(ast.body[1]->pos, middle.caller);
}

TEST_F(ASTBuilderTest, GivesEveryInnerExpressionOneUser) {
  ExprId product = b.binary(id(BinaryOp::mul), f32(1), f32(2));
  refused([&] { b.binary(id(BinaryOp::add), product, product); }, "already has a user");
  ExprId sum = b.binary(id(BinaryOp::add), product, f32(1));
  refused([&] { b.bind(product); }, "already has a user");
  ExprId bound = b.bind(sum);
  b.bind(b.binary(id(BinaryOp::add), bound, bound));
  ExprId element = b.element(x, {i64(0)}, true);
  refused([&] { b.assign(element, element); }, "already has a user");
  refused([&] { b.assign(element, i64(1)); }, "cannot assign i64 to a place of type f32");
  b.assign(element, f32(1));  // refused calls used nothing
}

TEST_F(ASTBuilderTest, EndsNamesWithTheirBlock) {
  b.begin_if(truth());
  ExprId y = b.local("y", kF32, f32(1));
  ExprId bound = b.bind(y);
  ExprId sum = b.binary(id(BinaryOp::add), y, f32(1));
  b.begin_else();
  refused([&] { b.bind(bound); }, "a block that has ended");
  b.end_if();
  refused([&] { b.bind(y); }, "a block that has ended");
  refused([&] { b.unary(id(UnaryOp::neg), sum); }, "a block that has ended");
  LabelId loop = serial();
  ExprId index = b.loop_index(loop, 0);
  refused([&] { b.loop_index(loop, 1); }, "has no axis 1");
  b.end_for();
  refused([&] { b.bind(index); }, "a block that has ended");
  refused([&] { b.loop_index(loop, 0); }, "no loop with label 0 is open");
  LabelId endless = b.begin_loop();
  ExprId inside = b.local("inside", kF32, -1);
  refused([&] { b.loop_index(endless, 0); }, "not a for loop");
  b.begin_post();
  refused([&] { b.assign(inside, f32(0)); }, "a block that has ended");  // continue may have skipped it
  b.end_loop();
}

TEST_F(ASTBuilderTest, KeepsParallelLoopsWithoutOrder) {
  ExprId outside = b.local("total", kF32, -1);
  ExprId vector = b.local("v", b.array_type(kF32, 3), -1);
  LabelId around = b.begin_scope();
  serial();  // not at the top level, whatever the options say
  b.end_for();
  b.end_scope();
  LabelId i = parallel();
  refused([&] { b.assign(outside, f32(1)); }, "assigning to total, declared outside the parallel loop, is a race");
  refused([&] { b.assign(b.item(vector, i64(0), true), f32(1)); }, "assigning to v, declared outside");
  b.atomic(id(AtomicOp::add), outside, f32(1));
  b.atomic(id(AtomicOp::max), b.item(vector, i64(0), true), f32(1));
  ExprId inside = b.local("inside", kF32, outside);
  b.assign(inside, f32(1));
  refused([&] { b.return_(); }, "no order; use a serial loop");
  refused([&] { b.break_(i); }, "a parallel loop has no order; use a serial loop");
  refused([&] { b.break_(around); }, "no loop or scope with label 0 is open");
  LabelId inner = b.begin_for({i64(0), i64(2)}, {});
  b.assign(inside, f32(2));
  b.break_(inner);
  b.continue_(i);
  refused([&] { b.break_(i); }, "no order");
  b.end_for();
  b.end_for();
  b.assign(outside, f32(1));
  AST ast = b.finish();
  EXPECT_TRUE(ast.body[3]->parallel);
  EXPECT_FALSE(ast.body[2]->body[0]->parallel);
}

TEST_F(ASTBuilderTest, MakesLoopsParallelAtTheTopLevelAlone) {
  parallel();
  LabelId nested = b.begin_for({i64(0), i64(2), i64(0), i64(3)}, {});
  b.loop_index(nested, 1);
  b.end_for();
  b.end_for();
  serial();
  b.return_();  // a serial loop may end the kernel
  b.end_for();
  b.begin_if(truth());
  parallel();
  b.end_for();
  b.end_if();
  AST ast = b.finish();
  EXPECT_TRUE(ast.body[0]->parallel);
  EXPECT_FALSE(ast.body[0]->body[0]->parallel);
  EXPECT_FALSE(ast.body[1]->parallel);
  EXPECT_FALSE(ast.body[2]->body[0]->parallel);
}

TEST_F(ASTBuilderTest, ReadsParametersAndNeverWritesThem) {
  ASTBuilder fresh("k");
  int32_t vector = fresh.array_type(kF32, 3);
  int32_t pair = fresh.struct_type({kI32, vector}, {0, 4}, 16, 4);
  int32_t p = fresh.param_value("p", pair);
  int32_t s = fresh.param_value("s", kF32);
  auto field = [&] { return fresh.field(fresh.param(p), 0); };
  auto one = [&] { return fresh.constant_int(kI32, 1); };
  refused([&] { fresh.assign(field(), one()); }, "parameter p is passed by value and read-only");
  refused([&] { fresh.atomic(id(AtomicOp::add), field(), one()); }, "read-only");
  refused([&] { fresh.atomic_cas(field(), one(), one()); }, "read-only");
  refused([&] { fresh.assign(fresh.param(s), fresh.constant_float(kF32, 1)); }, "must be a place");
  refused([&] { fresh.bind(fresh.param(p)); }, "must be a scalar");
  ExprId copy = fresh.local("copy", pair, fresh.param(p));
  fresh.assign(fresh.field(copy, 0), one());
  refused([&] { fresh.param_value("late", kF32); }, "declare all parameters first");
  refused([&] { fresh.param_array("late", kF32, 1); }, "declare all parameters first");
  refused([&] { b.param_array("deep", kF32, 4); }, "rank of 1 to 3");
  refused([&] { b.param_array("flat", kF32, 0); }, "rank of 1 to 3");
  refused([&] { b.param(x); }, "x is an array");
  refused([&] { b.dim(n, 0); }, "n is not an array");
  refused([&] { b.element(x, {i64(0), i64(0)}, true); }, "takes 1 indices, not 2");
  refused([&] { b.element(x, {b.constant_int(kI32, 0)}, true); }, "must be i64, not i32; cast it");
}

TEST_F(ASTBuilderTest, PairsItsScopes) {
  refused([&] { b.end_if(); }, "innermost open scope is the kernel");
  refused([&] { b.begin_else(); }, "must close begin_if");
  refused([&] { b.begin_post(); }, "must close begin_loop");
  b.begin_if(truth());
  refused([&] { b.end_for(); }, "innermost open scope is begin_if");
  b.begin_else();
  refused([&] { b.begin_else(); }, "innermost open scope is begin_else");
  b.end_if();
  LabelId loop = b.begin_loop();
  b.begin_post();
  refused([&] { b.continue_(loop); }, "use break");
  refused([&] { b.begin_post(); }, "innermost open scope is begin_post");
  at(5);
  LabelId scope = b.begin_scope();
  refused([&] { b.continue_(scope); }, "use break");
  at(8);
  try {
    b.finish();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "begin_scope was not ended before finish");
    EXPECT_EQ(b.positions().to_string(error.pos), "k.go:5:2");
  }
  b.end_scope();
  b.end_loop();
  b.finish();
  refused([&] { b.finish(); }, "spent");
  refused([&] { b.constant_int(kI32, 1); }, "spent");
  EXPECT_EQ(b.positions().files[0], "k.go");
}

TEST_F(ASTBuilderTest, BoundsNesting) {
  int depth = 0;
  refused(
      [&] {
        for (; depth < 10000; ++depth) b.begin_scope();
      },
      "nested more than");
  EXPECT_LT(depth, 10000);
  ExprId sum = f32(0);
  refused(
      [&] {
        for (int i = 0; i < 10000; ++i) sum = b.unary(id(UnaryOp::neg), sum);
      },
      "bind parts of it");
}

}  // namespace
}  // namespace qd
