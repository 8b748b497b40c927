// What the tests of the AST builder share.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/frontend/ast_builder.h"
#include "core/ir/error.h"

namespace qd::testing_ast {

inline constexpr int32_t kU1 = static_cast<int32_t>(Primitive::u1);
inline constexpr int32_t kI8 = static_cast<int32_t>(Primitive::i8);
inline constexpr int32_t kI32 = static_cast<int32_t>(Primitive::i32);
inline constexpr int32_t kI64 = static_cast<int32_t>(Primitive::i64);
inline constexpr int32_t kU64 = static_cast<int32_t>(Primitive::u64);
inline constexpr int32_t kF32 = static_cast<int32_t>(Primitive::f32);

template <class Op>
int32_t id(Op op) {
  return static_cast<int32_t>(op);
}

// A kernel over one array x []f32 and a scalar n.
class BuilderFixture : public ::testing::Test {
 protected:
  BuilderFixture() : b("kernel"), file(b.file("k.go")), x(b.param_array("x", kF32, 1)), n(b.param_value("n", kI64)) {
    at(1);
  }

  void at(int line) { b.set_position(file, line, 2); }
  ExprId i64(int64_t value) { return b.constant_int(kI64, value); }
  ExprId f32(double value) { return b.constant_float(kF32, value); }
  ExprId truth() { return b.constant_int(kU1, 1); }
  LabelId parallel() { return b.begin_for({i64(0), b.dim(x, 0)}, {}); }
  LabelId serial() { return b.begin_for({i64(0), i64(4)}, {.serialize = true, .name = {}}); }

  // The call fails with a message that holds `text`, at the current position.
  template <class F>
  void refused(F call, const std::string& text) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Code::invalid);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
      return;
    }
    ADD_FAILURE() << "accepted, but should say: " << text;
  }

  ASTBuilder b;
  int32_t file, x, n;
};

}  // namespace qd::testing_ast
