// Types, positions, statements, editing, comparing and printing.
#include <gtest/gtest.h>

#include <cmath>

#include "core/ir/constant.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"
#include "core/ir/print.h"
#include "core/ir/verify.h"
#include "tests/core/saxpy.h"

namespace qd {
namespace {

// ---- types and parameters ----

TEST(Type, InternsAndPrints) {
  TypeTable types;
  const Type* row = types.array_of(kF32, 3);
  EXPECT_EQ(row, types.array_of(kF32, 3));
  EXPECT_NE(row, types.array_of(kF32, 4));
  EXPECT_EQ(row->size, 12);
  const Type* pair = types.structure({{kF32, 0}, {kI64, 8}, {row, 16}}, 32, 8);
  EXPECT_EQ(pair, types.structure({{kF32, 0}, {kI64, 8}, {row, 16}}, 32, 8));
  EXPECT_EQ(to_string(pair), "struct{f32@0,i64@8,[3]f32@16}");
  EXPECT_EQ(to_string(types.pointer_to(pair)), "*struct{f32@0,i64@8,[3]f32@16}");
  EXPECT_EQ(kU1->bits(), 1);
  EXPECT_EQ(kI32->bits(), 32);
}

TEST(Type, RefusesImpossibleLayouts) {
  TypeTable types;
  EXPECT_THROW(types.array_of(kF32, -1), Error);
  EXPECT_THROW(types.array_of(kF64, int64_t{1} << 61), Error);
  EXPECT_THROW(types.array_of(none_type(), 2), Error);
  EXPECT_THROW(types.array_of(types.pointer_to(kF32), 2), Error);
  EXPECT_THROW(types.structure({{kF32, 0}, {kF32, 2}}, 8, 4), Error) << "overlapping";
  EXPECT_THROW(types.structure({{kF32, 4}, {kF32, 8}}, 8, 4), Error) << "past the end";
  EXPECT_THROW(types.structure({{kF32, 2}}, 8, 4), Error) << "misaligned";
  EXPECT_THROW(types.structure({{kI64, 0}}, 8, 4), Error) << "field aligned more than the struct";
  EXPECT_THROW(types.structure({}, 8, 3), Error) << "no power of two";
}

TEST(Params, AreLaidOutAlignedAndPacked) {
  TypeTable types;
  std::vector<Param> params = {{"n", kU8, 0}, {"m", kF32, 2}, {"a", kF32, 0}, {"b", kU8, 0}, {"c", kF64, 0}};
  EXPECT_EQ(layout_params(params), 48);
  std::vector<int64_t> offsets;
  for (const Param& param : params) offsets.push_back(param.offset);
  EXPECT_EQ(offsets, (std::vector<int64_t>{0, 8, 32, 36, 40}));
}

TEST(Positions, ReuseTheLastEntry) {
  PositionTable table;
  table.files = {"a.go"};
  PosId first = table.add({0, 3, 7});
  EXPECT_EQ(table.add({0, 3, 7}), first);
  EXPECT_NE(table.add({0, 3, 7, first}), first);
  EXPECT_EQ(table.to_string(first), "a.go:3:7");
  EXPECT_EQ(table.to_string(-1), "?");
  EXPECT_EQ(table.to_string(99), "?");
}

TEST(Constant, BitsFollowTheType) {
  KernelIR kernel;
  Emitter emitter(kernel.types, kernel.root.get());
  const auto bits = [&](const Type* type, int64_t value) {
    return as<ConstantStmt>(emitter.constant_int(type, value));
  };
  EXPECT_EQ(bits(kU8, 300)->bits, 44u);
  EXPECT_EQ(bits(scalar_type(Primitive::i8), 200)->bits, static_cast<uint64_t>(-56));
  EXPECT_EQ(bits(kU1, 2)->bits, 1u);
  EXPECT_EQ(float_value(bits(kF32, 16777217)), 16777216.0);
  const Type* half = scalar_type(Primitive::f16);
  EXPECT_EQ(round_to(half, 65519.0), 65504.0);
  EXPECT_TRUE(std::isinf(round_to(half, 65520.0)));
  EXPECT_EQ(round_to(half, 0x1p-25), 0.0) << "halfway to the least subnormal: to even";
  EXPECT_EQ(round_to(half, 0x1.8p-24), 0x1p-23);
  EXPECT_EQ(round_to(half, 2049.0), 2048.0);
}

// ---- printing ----

TEST(Print, WholeKernel) { EXPECT_EQ(print(Saxpy().kernel), kSaxpyText); }

TEST(Print, OneStatementKeepsItsNumber) {
  Saxpy s;
  EXPECT_EQ(print(s.kernel, s.x), "%5 = load %4 group=1 : f32");
}

TEST(Print, ConstantsAndTextByType) {
  KernelIR kernel;
  kernel.name = "k";
  Emitter e(kernel.types, kernel.root.get());
  e.constant_bool(true);
  e.constant_int(scalar_type(Primitive::i8), -1);
  e.constant_int(scalar_type(Primitive::u64), -1);
  e.constant_float(kF32, 0.1);
  e.constant_float(kF64, -0.0);
  e.alloca_of(kernel.types.array_of(kF32, 2), "t");
  e.emit<PrintStmt>(none_type())->format = "a\"\n%%";
  EXPECT_EQ(print(kernel), R"(kernel k()
%0 = constant true : u1
%1 = constant -1 : i8
%2 = constant 18446744073709551615 : u64
%3 = constant 0.1 : f32
%4 = constant -0 : f64
%5 = alloca "t" : *[2]f32
print "a\"\n%%"
)");
}

TEST(Print, OffloadedBlocksAreLabelled) {
  KernelIR kernel;
  kernel.name = "k";
  kernel.params = {{"x", kI32, 1}};
  Emitter root(kernel.types, kernel.root.get());
  auto* task = root.emit<OffloadedStmt>(none_type(), {}, offloaded_block::count);
  task->task = TaskType::range_for;
  task->dims = 1;
  task->options.name = "fill";
  Emitter bounds(kernel.types, inner(task, offloaded_block::bounds));
  task->operands = {bounds.constant_int(kI64, 0), bounds.array_dim(0, 0)};
  Emitter guard(kernel.types, inner(task, offloaded_block::guard));
  guard.constant_bool(true);
  for (size_t block : {offloaded_block::body, offloaded_block::checked_body}) {
    Emitter body(kernel.types, inner(task, block));
    body.loop_index(task, 0);
  }
  verify(kernel, "test");
  EXPECT_EQ(print(kernel), R"(kernel k(x []i32)
%0 = offloaded range_for %1, %2 dims=1 name="fill"
  bounds:
    %1 = constant 0 : i64
    %2 = array_dim x axis=0 : i64
  body:
    %3 = loop_index %0 axis=0 : i64
  guard:
    %4 = constant true : u1
  checked_body:
    %5 = loop_index %0 axis=0 : i64
)");
}

// ---- cloning and comparing ----

// Changes one member to another value. members() hands out const references to what is not const itself.
void mutate(const std::string& member) { const_cast<std::string&>(member) += "x"; }
void mutate(const bool& member) { const_cast<bool&>(member) = !member; }
void mutate(const LoopOptions& member) { mutate(member.serialize); }
template <class T>
void mutate(const T& member) {
  const_cast<T&>(member) = static_cast<T>(static_cast<int64_t>(member) + 1);
}

template <class T>
std::unique_ptr<Block> block_of_one(size_t mutated) {
  auto block = std::make_unique<Block>();
  auto owned = std::make_unique<T>();
  owned->type = kI64;
  size_t i = 0;
  std::apply([&](const auto&... member) { ((i++ == mutated ? mutate(member) : void()), ...); }, owned->members());
  block->append(std::move(owned));
  return block;
}

template <class T>
void check_kind() {
  constexpr size_t kMembers = std::tuple_size_v<decltype(std::declval<const T&>().members())>;
  KernelIR kernel;
  for (size_t mutated = 0; mutated <= kMembers; ++mutated) {
    SCOPED_TRACE("kind " + std::to_string(static_cast<int>(T::kKind)) + " member " + std::to_string(mutated));
    auto block = block_of_one<T>(mutated);
    StmtMap map;
    auto copy = clone(block.get(), map);
    EXPECT_TRUE(equal(block.get(), copy.get()));
    EXPECT_EQ(hash(block.get()), hash(copy.get()));
    if (mutated == kMembers) continue;
    auto plain = block_of_one<T>(kMembers);
    EXPECT_FALSE(equal(block.get(), plain.get()));
    EXPECT_NE(hash(block.get()), hash(plain.get()));
    EXPECT_NE(print(kernel, block->statements[0].get()), print(kernel, plain->statements[0].get()));
  }
}

template <class... T>
void check_kinds() {
  static_assert(sizeof...(T) == static_cast<size_t>(StmtKind::offloaded) + 1);
  (check_kind<T>(), ...);
}

TEST(Members, NoneIsForgottenByCloneEqualHashAndPrint) {
  check_kinds<ConstantStmt, ArgLoadStmt, ArgPlaceStmt, ArrayDimStmt, LoopIndexStmt, UnaryStmt, BinaryStmt, CastStmt,
              SelectStmt, RandomStmt, AllocaStmt, ElementPtrStmt, OffsetPtrStmt, TempPtrStmt, LoadStmt, StoreStmt,
              CopyStmt, ZeroStmt, AtomicStmt, AtomicCasStmt, IfStmt, RangeForStmt, LoopStmt, ScopeStmt, BreakStmt,
              ContinueStmt, StopStmt, CheckStmt, PrintStmt, OffloadedStmt>();
}

TEST(Compare, AcrossKernelsByStructure) {
  Saxpy a, b;
  EXPECT_TRUE(equal(a.kernel.root.get(), b.kernel.root.get()));
  EXPECT_EQ(hash(a.kernel.root.get()), hash(b.kernel.root.get()));
  b.x->pos = 5;
  EXPECT_TRUE(equal(a.kernel.root.get(), b.kernel.root.get())) << "positions do not count";
  b.x->group = 2;
  EXPECT_FALSE(equal(a.kernel.root.get(), b.kernel.root.get())) << "groups do";
  EXPECT_NE(hash(a.kernel.root.get()), hash(b.kernel.root.get()));
}

TEST(Compare, OperandsCount) {
  Saxpy a, b;
  auto* sum = b.branch->blocks[0]->statements[4].get();
  std::swap(sum->operands[0], sum->operands[1]);
  EXPECT_FALSE(equal(a.kernel.root.get(), b.kernel.root.get()));
  EXPECT_NE(hash(a.kernel.root.get()), hash(b.kernel.root.get()));
}

TEST(Clone, MapsWhatItHoldsAndKeepsTheRest) {
  Saxpy s;
  StmtMap map;
  std::unique_ptr<Stmt> copy = clone(s.branch, map);
  EXPECT_EQ(copy->operands[0], s.branch->operands[0]) << "defined outside";
  Stmt* store = inner(copy.get())->statements.back().get();
  EXPECT_EQ(store->operands[0], inner(copy.get())->statements[0].get()) << "defined inside";
  EXPECT_EQ(inner(copy.get())->parent_stmt, copy.get());
  EXPECT_EQ(map.at(s.branch), copy.get());
  map = {{s.x, s.index}};
  EXPECT_EQ(clone(inner(s.branch), map)->statements[2]->operands[1], s.index) << "the map's own entries";
}

// ---- editing ----

TEST(Edit, EmittersPlaceAroundAStatement) {
  Saxpy s;
  s.x->pos = 4;
  Emitter before = Emitter::before(s.kernel.types, s.x);
  Stmt* one = before.constant_int(kI64, 1);
  Stmt* two = before.constant_int(kI64, 2);
  Stmt* three = Emitter::after(s.kernel.types, s.x).constant_int(kI64, 3);
  const Block* body = inner(s.loop);
  EXPECT_EQ(body->index_of(one) + 1, body->index_of(two));
  EXPECT_EQ(body->index_of(two) + 1, body->index_of(s.x));
  EXPECT_EQ(body->index_of(s.x) + 1, body->index_of(three));
  EXPECT_EQ(one->pos, 4);
  EXPECT_EQ(three->group, 1);
  EXPECT_EQ(three->parent, body);
}

TEST(Edit, UsesAreCountedAndReplaced) {
  Saxpy s;
  EXPECT_EQ(count_uses(s.kernel.root.get())[s.x], 2);
  EXPECT_EQ(count_uses(s.kernel.root.get())[s.loop], 2) << "its index and its continue";
  Stmt* zero = Emitter::after(s.kernel.types, s.x).constant_float(kF32, 0);
  replace_uses(s.kernel.root.get(), s.x, zero);
  EXPECT_EQ(count_uses(s.kernel.root.get())[s.x], 0);
  EXPECT_EQ(count_uses(s.kernel.root.get())[zero], 2);
}

TEST(Edit, PureMeansNoMemoryAndNoCheck) {
  Saxpy s;
  EXPECT_FALSE(is_pure(s.pointer)) << "its index is still to be checked";
  as<ElementPtrStmt>(s.pointer)->check = false;
  EXPECT_TRUE(is_pure(s.pointer));
  EXPECT_FALSE(is_pure(s.x));
  Emitter e(s.kernel.types, inner(s.loop));
  EXPECT_FALSE(is_pure(e.binary(BinaryOp::div, s.index, s.index)));
  EXPECT_FALSE(is_pure(e.binary(BinaryOp::div, s.index, e.constant_int(kI64, 0))));
  EXPECT_TRUE(is_pure(e.binary(BinaryOp::div, s.index, e.constant_int(kI64, 2))));
  EXPECT_TRUE(is_pure(e.binary(BinaryOp::div, s.x, s.x))) << "floats never fail";
  EXPECT_FALSE(is_pure(e.binary(BinaryOp::shl, s.index, s.index))) << "a negative count fails";
}

TEST(Edit, AlwaysLeaves) {
  Saxpy s;
  EXPECT_FALSE(always_leaves(s.branch));
  EXPECT_TRUE(always_leaves(inner(s.branch, 1)));
  Emitter(s.kernel.types, inner(s.branch)).emit<ContinueStmt>(none_type(), {s.loop});
  EXPECT_TRUE(always_leaves(s.branch));
  EXPECT_FALSE(always_leaves(s.loop));
}

}  // namespace
}  // namespace qd
