#include <gtest/gtest.h>

#include "core/frontend/ast_builder.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"
#include "core/ir/print.h"
#include "core/ir/verify.h"
#include "core/transforms/passes.h"

namespace qd {
namespace {

constexpr int32_t kU1 = static_cast<int32_t>(Primitive::u1);
constexpr int32_t kI32 = static_cast<int32_t>(Primitive::i32);
constexpr int32_t kI64 = static_cast<int32_t>(Primitive::i64);
constexpr int32_t kF32 = static_cast<int32_t>(Primitive::f32);

// Builds over x, y []f32, n i64; compares what lowering makes of it.
class LowerAst : public ::testing::Test {
 protected:
  LowerAst() : x(b.param_array("x", kF32, 1)), y(b.param_array("y", kF32, 1)), n(b.param_value("n", kI64)) {
    b.set_position(b.file("k.go"), 1, 1);
  }

  ExprId i64(int64_t value) { return b.constant_int(kI64, value); }
  ExprId f32(double value) { return b.constant_float(kF32, value); }
  ExprId element(int32_t param, ExprId index) { return b.element(param, {index}, true); }
  ExprId op(BinaryOp op, ExprId p, ExprId q) { return b.binary(static_cast<int32_t>(op), p, q); }
  ExprId op(UnaryOp op, ExprId p) { return b.unary(static_cast<int32_t>(op), p); }

  KernelIR lower() {
    KernelIR kernel = lower_ast(b.finish(), {});
    verify(kernel, "lower");
    return kernel;
  }
  // The text after the line that names the kernel.
  std::string text() {
    std::string all = print(lower());
    return all.substr(all.find('\n') + 1);
  }

  ASTBuilder b{"k"};
  int32_t x, y, n;
};

TEST_F(LowerAst, EvaluatesFromLeftToRight) {
  b.assign(element(x, b.param(n)), op(BinaryOp::sub, element(y, i64(1)), element(y, i64(2))));
  EXPECT_EQ(text(), R"(%0 = arg_load n : i64
%1 = element_ptr x %0 : *f32
%2 = constant 1 : i64
%3 = element_ptr y %2 : *f32
%4 = load %3 : f32
%5 = constant 2 : i64
%6 = element_ptr y %5 : *f32
%7 = load %6 : f32
%8 = binary sub %4, %7 : f32
store %1, %8
)");
}

TEST_F(LowerAst, FoldsFieldsAndConstantItems) {
  int32_t vector = b.array_type(kF32, 3);
  int32_t inner = b.struct_type({kI32, vector}, {0, 4}, 16, 4);
  int32_t outer = b.struct_type({kI64, b.array_type(inner, 4)}, {0, 8}, 72, 8);
  int32_t p = b.param_value("p", outer);
  auto chain = [&](ExprId root, ExprId second, ExprId third, bool checked) {
    return b.item(b.field(b.item(b.field(root, 1), second, true), 1), third, checked);
  };
  b.bind(chain(b.param(p), i64(2), i64(1), true));
  b.bind(chain(b.param(p), i64(2), b.param(n), false));
  b.bind(chain(b.param(p), b.param(n), i64(1), true));
  b.bind(chain(b.param(p), i64(0), i64(7), true));  // a check that fails when it runs
  b.bind(b.field(b.param(p), 0));
  EXPECT_EQ(text(), R"(%0 = arg_place p : *struct{i64@0,[4]struct{i32@0,[3]f32@4}@8}
%1 = offset_ptr %0 offset=48 : *f32
%2 = load %1 : f32
%3 = arg_place p : *struct{i64@0,[4]struct{i32@0,[3]f32@4}@8}
%4 = arg_load n : i64
%5 = offset_ptr %3, %4 offset=44 stride=4 count=3 : *f32
%6 = load %5 : f32
%7 = arg_place p : *struct{i64@0,[4]struct{i32@0,[3]f32@4}@8}
%8 = arg_load n : i64
%9 = offset_ptr %7, %8 offset=8 stride=16 count=4 check : *struct{i32@0,[3]f32@4}
%10 = offset_ptr %9 offset=8 : *f32
%11 = load %10 : f32
%12 = arg_place p : *struct{i64@0,[4]struct{i32@0,[3]f32@4}@8}
%13 = constant 7 : i64
%14 = offset_ptr %12, %13 offset=12 stride=4 count=3 check : *f32
%15 = load %14 : f32
%16 = arg_place p : *struct{i64@0,[4]struct{i32@0,[3]f32@4}@8}
%17 = offset_ptr %16 offset=0 : *i64
%18 = load %17 : i64
)");
}

TEST_F(LowerAst, MakesLocalsAllocas) {
  int32_t vector = b.array_type(kF32, 3);
  ExprId zero = b.local("zero", vector, -1);
  b.local("copy", vector, zero);
  ExprId scalar = b.local("scalar", kF32, f32(2));
  b.assign(scalar, scalar);
  b.atomic(static_cast<int32_t>(AtomicOp::add), scalar, f32(1));
  EXPECT_EQ(text(), R"(%0 = alloca "zero" : *[3]f32
%1 = alloca "copy" : *[3]f32
copy %1, %0
%2 = constant 2 : f32
%3 = alloca "scalar" : *f32
store %3, %2
%4 = load %3 : f32
store %3, %4
%5 = constant 1 : f32
%6 = atomic add %3, %5 : f32
)");
}

TEST_F(LowerAst, CopiesThroughATemporaryBetweenArraysAlone) {
  int32_t vector = b.array_type(kF32, 3);
  int32_t v = b.param_array("v", vector, 1), w = b.param_array("w", vector, 1);
  ExprId local = b.local("local", vector, -1);
  b.assign(element(v, i64(0)), element(w, i64(1)));
  b.assign(element(v, i64(0)), element(v, i64(1)));
  b.assign(element(v, i64(0)), local);
  EXPECT_EQ(text(), R"(%0 = alloca "local" : *[3]f32
%1 = constant 0 : i64
%2 = element_ptr v %1 : *[3]f32
%3 = constant 1 : i64
%4 = element_ptr w %3 : *[3]f32
%5 = alloca : *[3]f32
copy %5, %4
copy %2, %5
%6 = constant 0 : i64
%7 = element_ptr v %6 : *[3]f32
%8 = constant 1 : i64
%9 = element_ptr v %8 : *[3]f32
copy %7, %9
%10 = constant 0 : i64
%11 = element_ptr v %10 : *[3]f32
copy %11, %0
)");
}

TEST_F(LowerAst, ShortCircuitsOnlyWhereItMatters) {
  ExprId flag = b.local("flag", kU1, -1);
  auto below = [&] { return op(BinaryOp::lt, b.param(n), b.dim(x, 0)); };
  b.assign(flag, op(BinaryOp::logic_and, below(), op(BinaryOp::eq, b.param(n), i64(3))));
  b.assign(flag, op(BinaryOp::logic_and, below(), op(BinaryOp::gt, element(x, b.param(n)), f32(0))));
  b.assign(flag, op(BinaryOp::logic_or, below(), op(BinaryOp::gt, op(BinaryOp::div, i64(8), b.param(n)), i64(0))));
  EXPECT_EQ(text(), R"(%0 = alloca "flag" : *u1
%1 = arg_load n : i64
%2 = array_dim x axis=0 : i64
%3 = binary lt %1, %2 : u1
%4 = arg_load n : i64
%5 = constant 3 : i64
%6 = binary eq %4, %5 : u1
%7 = binary logic_and %3, %6 : u1
store %0, %7
%8 = arg_load n : i64
%9 = array_dim x axis=0 : i64
%10 = binary lt %8, %9 : u1
%11 = alloca : *u1
store %11, %10
if %10
  %12 = arg_load n : i64
  %13 = element_ptr x %12 : *f32
  %14 = load %13 : f32
  %15 = constant 0 : f32
  %16 = binary gt %14, %15 : u1
  store %11, %16
%17 = load %11 : u1
store %0, %17
%18 = arg_load n : i64
%19 = array_dim x axis=0 : i64
%20 = binary lt %18, %19 : u1
%21 = alloca : *u1
store %21, %20
if %20
else
  %22 = constant 8 : i64
  %23 = arg_load n : i64
  %24 = binary div %22, %23 : i64
  %25 = constant 0 : i64
  %26 = binary gt %24, %25 : u1
  store %21, %26
%27 = load %21 : u1
store %0, %27
)");
}

TEST_F(LowerAst, BranchesAroundWhateverMayFailOrCosts) {
  auto branches = [&](auto right) {
    ASTBuilder fresh("k");
    b = fresh;
    x = b.param_array("x", kF32, 1);
    n = b.param_value("n", kI64);
    b.bind(op(BinaryOp::logic_and, b.constant_int(kU1, 1), right()));
    KernelIR kernel = lower();
    int count = 0;
    walk(kernel.root.get(), [&](Stmt* stmt) { count += stmt->kind == StmtKind::if_; });
    return count == 1;
  };
  auto equals = [&](ExprId p, ExprId q) { return op(BinaryOp::eq, p, q); };
  EXPECT_FALSE(branches([&] { return equals(op(BinaryOp::rem, b.param(n), i64(3)), i64(0)); }));
  EXPECT_TRUE(branches([&] { return equals(op(BinaryOp::rem, b.param(n), i64(0)), i64(0)); }));
  EXPECT_TRUE(branches([&] { return equals(op(BinaryOp::floor_div, i64(1), b.param(n)), i64(0)); }));
  EXPECT_FALSE(branches([&] { return equals(op(BinaryOp::shl, b.param(n), i64(3)), i64(0)); }));
  EXPECT_TRUE(branches([&] { return equals(op(BinaryOp::shl, b.param(n), i64(-3)), i64(0)); }));
  EXPECT_TRUE(branches([&] { return equals(op(BinaryOp::shl, i64(1), b.param(n)), i64(0)); }));
  EXPECT_FALSE(branches([&] { return equals(op(BinaryOp::div, f32(1), f32(0)), f32(0)); }));
  EXPECT_TRUE(branches([&] { return equals(op(UnaryOp::sin, f32(1)), f32(0)); }));
  EXPECT_TRUE(branches([&] { return equals(b.random(kF32), f32(0)); }));
  EXPECT_TRUE(branches([&] { return equals(b.checked_index(b.param(n), i64(4), "x"), i64(0)); }));
  EXPECT_TRUE(branches([&] {
    ExprId sum = b.param(n);
    for (int i = 0; i < 40; ++i) sum = op(BinaryOp::add, sum, i64(1));
    return equals(sum, i64(0));
  }));
}

TEST_F(LowerAst, ChecksIndicesUnlessConstantsProveThem) {
  b.bind(b.checked_index(i64(3), i64(4), "x"));
  b.bind(b.checked_index(i64(4), i64(4), "x"));
  b.bind(b.checked_index(i64(-1), i64(4), "x"));
  b.bind(b.checked_index(b.param(n), b.dim(x, 0), "x"));
  EXPECT_EQ(text(), R"(%0 = constant 3 : i64
%1 = constant 4 : i64
%2 = constant 4 : i64
%3 = constant 4 : i64
check index %2, %3 name="x"
%4 = constant -1 : i64
%5 = constant 4 : i64
check index %4, %5 name="x"
%6 = arg_load n : i64
%7 = array_dim x axis=0 : i64
check index %6, %7 name="x"
)");
}

TEST_F(LowerAst, KeepsRoundedProductsFromFusing) {
  auto product = [&] { return op(BinaryOp::mul, element(x, i64(0)), element(x, i64(1))); };
  auto rounded = [&](ExprId e) { return b.cast(static_cast<int32_t>(CastOp::round), e, kF32); };
  b.bind(op(BinaryOp::add, product(), f32(1)));
  b.bind(op(BinaryOp::add, rounded(product()), f32(2)));
  b.bind(op(BinaryOp::add, rounded(op(UnaryOp::neg, product())), f32(3)));
  b.bind(op(BinaryOp::add, rounded(b.bind(product())), f32(4)));
  b.bind(op(BinaryOp::add, rounded(b.local("p", kF32, product())), f32(5)));
  KernelIR kernel = lower();
  std::vector<std::pair<bool, bool>> contract;  // of each sum's product and of the sum
  bool last_product = true;
  walk(kernel.root.get(), [&](Stmt* stmt) {
    auto* binary = as<BinaryStmt>(stmt);
    if (binary == nullptr) return;
    if (binary->op == BinaryOp::mul)
      last_product = binary->contract;
    else
      contract.emplace_back(last_product, binary->contract);
  });
  using Pairs = std::vector<std::pair<bool, bool>>;
  EXPECT_EQ(contract, (Pairs{{true, true}, {false, true}, {false, true}, {false, true}, {true, false}}));
}

TEST_F(LowerAst, DropsWhatIsNeverReached) {
  LabelId loop = b.begin_loop();
  b.begin_if(op(BinaryOp::lt, b.param(n), i64(0)));
  b.break_(loop);
  b.bind(f32(1));
  b.begin_else();
  b.begin_scope();
  b.continue_(loop);
  b.end_scope();
  b.continue_(loop);
  b.end_if();
  ExprId dead = b.local("dead", kF32, -1);
  b.begin_if(op(BinaryOp::lt, b.param(n), i64(1)));
  b.assign(dead, f32(3));
  b.end_if();
  b.begin_post();
  b.print({b.param(n)}, "n %v\n", false);
  b.end_loop();
  b.return_();
  b.bind(f32(4));
  EXPECT_EQ(text(), R"(%0 = loop
  %1 = arg_load n : i64
  %2 = constant 0 : i64
  %3 = binary lt %1, %2 : u1
  if %3
    break %0
  else
    scope
      continue %0
    continue %0
post
  %4 = arg_load n : i64
  print "n %v\n" %4
stop
)");
}

TEST_F(LowerAst, LowersLoops) {
  LabelId i =
      b.begin_for({i64(0), b.dim(x, 0), i64(1), b.param(n)}, {.block_dim = 64, .serialize = false, .name = "sweep"});
  b.assign(element(x, b.loop_index(i, 0)), b.cast(0, b.loop_index(i, 1), kF32));
  b.begin_if(op(BinaryOp::eq, b.loop_index(i, 0), i64(3)));
  b.continue_(i);
  b.end_if();
  LabelId j = b.begin_for({i64(0), i64(4)}, {});
  b.break_(j);
  b.end_for();
  ExprId old = b.atomic_cas(element(y, b.loop_index(i, 1)), f32(0), f32(1));
  b.check(CheckKind::assertion, {op(BinaryOp::eq, old, f32(0)), old}, "", "old is %v");
  b.end_for();
  EXPECT_EQ(text(), R"(%0 = constant 0 : i64
%1 = array_dim x axis=0 : i64
%2 = constant 1 : i64
%3 = arg_load n : i64
%4 = range_for %0, %1, %2, %3 dims=2 parallel block_dim=64 name="sweep"
  %5 = loop_index %4 axis=0 : i64
  %6 = element_ptr x %5 : *f32
  %7 = loop_index %4 axis=1 : i64
  %8 = cast value %7 : f32
  store %6, %8
  %9 = loop_index %4 axis=0 : i64
  %10 = constant 3 : i64
  %11 = binary eq %9, %10 : u1
  if %11
    continue %4
  %12 = constant 0 : i64
  %13 = constant 4 : i64
  %14 = range_for %12, %13 dims=1
    break %14
  %15 = loop_index %4 axis=1 : i64
  %16 = element_ptr y %15 : *f32
  %17 = constant 0 : f32
  %18 = constant 1 : f32
  %19 = atomic_cas %16, %17, %18 : f32
  %20 = constant 0 : f32
  %21 = binary eq %19, %20 : u1
  check assertion %21, %19 message="old is %v"
)");
}

TEST_F(LowerAst, LowersWhateverDepthTheBuilderTakes) {
  int depth = 0;
  try {
    for (; depth < 100000; ++depth) {
      b.begin_if(op(BinaryOp::eq, b.param(n), i64(depth)));
      b.bind(i64(depth));
      b.begin_else();
    }
  } catch (const Error&) {
  }
  EXPECT_LT(depth, 100000);
  auto compare = [&] { return op(BinaryOp::gt, element(x, i64(0)), f32(0)); };
  ExprId right = compare();
  for (int i = 0; i < 900; ++i) right = op(BinaryOp::logic_or, compare(), right);
  b.bind(right);
  for (int i = 0; i < depth; ++i) b.end_if();
  KernelIR kernel = lower();
  EXPECT_EQ(kernel.root->statements.back()->kind, StmtKind::if_);
}

TEST_F(LowerAst, CarriesGroupsAndPositions) {
  b.begin_stream_parallel();
  b.set_position(0, 10, 1);
  ExprId index = op(BinaryOp::add, b.param(n), i64(1));
  b.set_position(0, 11, 1);
  ExprId place = element(x, index);
  b.set_position(0, 12, 1);
  b.assign(place, f32(1));
  b.end_stream_parallel();
  b.begin_stream_parallel();
  b.set_position(0, 20, 1);
  LabelId i = b.begin_for({i64(0), b.param(n)}, {});
  b.assign(element(y, b.loop_index(i, 0)), f32(1));
  b.end_for();
  b.end_stream_parallel();
  KernelIR kernel = lower();
  EXPECT_EQ(kernel.groups, 2);
  int seen[4] = {};
  walk(kernel.root.get(), [&](Stmt* stmt) {
    int line = kernel.positions.positions[static_cast<size_t>(stmt->pos)].line;
    EXPECT_EQ(stmt->group, line < 20 ? 1 : 2);
    if (stmt->kind == StmtKind::binary) seen[0] = line;
    if (stmt->kind == StmtKind::element_ptr && line < 20) seen[1] = line;
    if (stmt->kind == StmtKind::store && line < 20) seen[2] = line;
    if (stmt->kind == StmtKind::range_for) seen[3] = line;
  });
  EXPECT_EQ(seen[0], 10);
  EXPECT_EQ(seen[1], 11);
  EXPECT_EQ(seen[2], 12);
  EXPECT_EQ(seen[3], 20);
}

}  // namespace
}  // namespace qd
