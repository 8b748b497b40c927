// The types, operators and constants that the AST builder takes.
#include <gtest/gtest.h>

#include "core/frontend/ast_builder.h"
#include "core/ir/error.h"
#include "tests/core/ast_builder_fixture.h"

namespace qd {
namespace {

using namespace testing_ast;

class ASTBuilderTypes : public BuilderFixture {};

TEST_F(ASTBuilderTypes, ChecksTypes) {
  refused([&] { b.type(0); }, "no type 0");
  refused([&] { b.type(100); }, "no type 100");
  refused([&] { b.array_type(kF32, 0); }, "at least 1");
  refused([&] { b.array_type(kF32, int64_t{1} << 62); }, "too large");
  refused([&] { b.struct_type({}, {}, 4, 4); }, "at least one field");
  refused([&] { b.struct_type({kF32}, {}, 4, 4); }, "one offset a field");
  refused([&] { b.struct_type({kF32, kF32}, {0, 2}, 8, 4); }, "overlaps");
  refused([&] { b.struct_type({kI8, kF32}, {0, 2}, 8, 4); }, "not aligned");
  refused([&] { b.struct_type({kF32, kF32}, {0, 8}, 8, 4); }, "past the end");
  refused([&] { b.struct_type({kF32}, {0}, 6, 4); }, "multiple of its alignment");
  refused([&] { b.struct_type({kF32}, {0}, 6, 3); }, "power of two");
  refused([&] { b.struct_type({kF32}, {-4}, 8, 4); }, "overlaps");
  int32_t vector = b.array_type(kF32, 3);
  EXPECT_EQ(b.array_type(kF32, 3), vector);
  EXPECT_EQ(to_string(b.type(vector)), "[3]f32");
  refused([&] { b.local("big", b.array_type(kF32, 1 << 20), -1); }, "too large for a thread's stack");
  // Sizes stay small while the text and the recursion would not.
  int32_t nested = kI8;
  int depth = 0;
  refused(
      [&] {
        for (; depth < 100; ++depth) nested = b.array_type(nested, 1);
      },
      "nested more than");
  EXPECT_LT(depth, 100);
  int32_t doubled = kI8;
  int64_t size = 1;
  refused(
      [&] {
        for (; size < (1 << 30); size *= 2) doubled = b.struct_type({doubled, doubled}, {0, size}, 2 * size, 1);
      },
      "parts");
}

TEST_F(ASTBuilderTypes, ChecksOperandsAndConstants) {
  refused([&] { b.unary(id(UnaryOp::sqrt), i64(1)); }, "needs a float, not i64");
  refused([&] { b.unary(-1, i64(1)); }, "no unary operator -1");
  refused([&] { b.unary(id(UnaryOp::count_), i64(1)); }, "no unary operator");
  refused([&] { b.binary(id(BinaryOp::count_), i64(1), i64(1)); }, "no binary operator");
  refused([&] { b.binary(id(BinaryOp::add), i64(1), f32(1)); }, "operands of one type");
  refused([&] { b.binary(id(BinaryOp::rem), f32(1), f32(1)); }, "needs integers, not f32");
  refused([&] { b.binary(id(BinaryOp::lt), truth(), truth()); }, "not u1");
  refused([&] { b.binary(id(BinaryOp::logic_and), i64(1), i64(1)); }, "needs two u1");
  b.binary(id(BinaryOp::shl), b.constant_int(kI8, 1), b.constant_int(kU64, 3));
  refused([&] { b.cast(id(CastOp::bits), f32(1), kI64); }, "of one width");
  refused([&] { b.cast(id(CastOp::round), i64(1), kI64); }, "use a value cast");
  refused([&] { b.cast(3, f32(1), kF32); }, "no cast operator 3");
  refused([&] { b.select(i64(1), f32(1), f32(1)); }, "must be u1");
  refused([&] { b.random(kU1); }, "not u1");
  refused([&] { b.constant_int(kI8, 128); }, "128 does not fit i8");
  refused([&] { b.constant_int(kU1, 2); }, "does not fit u1");
  refused([&] { b.constant_int(kF32, 1); }, "use constant_float");
  refused([&] { b.constant_float(kI32, 1); }, "use constant_int");
  b.constant_int(kI8, -128);
  b.constant_int(kU64, -1);
  refused([&] { b.bind(12345); }, "no expression 12345");
  refused([&] { b.bind(-1); }, "no expression -1");
  refused([&] { b.atomic(id(AtomicOp::bit_or), b.element(x, {i64(0)}, true), f32(1)); }, "needs an integer, not f32");
  refused([&] { b.atomic(id(AtomicOp::count_), b.element(x, {i64(0)}, true), f32(1)); }, "no atomic operator");
  refused([&] { b.element(x, {i64(-1)}, false); }, "unchecked index -1");
  ExprId v = b.local("v", b.array_type(kF32, 3), -1);
  refused([&] { b.item(v, i64(3), false); }, "unchecked index 3 is out of range of [3]f32");
  refused([&] { b.field(v, 0); }, "has no fields");
  refused([&] { b.print({f32(1)}, "nothing", false); }, "with 0 %v needs as many arguments, not 1");
  refused([&] { b.print({}, "100%", false); }, "percent sign");
  refused([&] { b.print({}, "%d", false); }, "percent sign");
  refused([&] { b.check(static_cast<CheckKind>(-1), {}, "", ""); }, "no check -1");
  refused([&] { b.check(CheckKind::index, {i64(1)}, "", ""); }, "takes 2 values, not 1");
  refused([&] { b.begin_for({i64(0)}, {}); }, "1 to 3 axes");
  refused([&] { b.begin_for({i64(0), i64(1)}, {.block_dim = -1, .name = {}}); }, "block_dim");
  refused([&] { b.set_position(4, 1, 1); }, "no file 4");
  refused([&] { b.set_position(file, 0, 1); }, "from 1");
}

}  // namespace
}  // namespace qd
