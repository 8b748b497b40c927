// Builds small kernels for the tests of the passes after lowering, and runs the passes up to a stage.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/frontend/ast_builder.h"
#include "core/ir/edit.h"
#include "core/ir/print.h"
#include "core/ir/verify.h"
#include "core/transforms/passes.h"

namespace qd {

inline constexpr int32_t kU1 = static_cast<int32_t>(Primitive::u1);
inline constexpr int32_t kU8 = static_cast<int32_t>(Primitive::u8);
inline constexpr int32_t kI32 = static_cast<int32_t>(Primitive::i32);
inline constexpr int32_t kI64 = static_cast<int32_t>(Primitive::i64);
inline constexpr int32_t kU64 = static_cast<int32_t>(Primitive::u64);
inline constexpr int32_t kF32 = static_cast<int32_t>(Primitive::f32);
inline constexpr int32_t kF64 = static_cast<int32_t>(Primitive::f64);

class PassTest : public ::testing::Test {
 protected:
  PassTest() { b.set_position(b.file("k.go"), 1, 1); }

  int32_t array(const char* name, int32_t type, int32_t rank = 1) { return b.param_array(name, type, rank); }
  int32_t scalar(const char* name, int32_t type) { return b.param_value(name, type); }
  ExprId i64(int64_t value) { return b.constant_int(kI64, value); }
  ExprId i32(int64_t value) { return b.constant_int(kI32, value); }
  ExprId f32(double value) { return b.constant_float(kF32, value); }
  ExprId at(int32_t param, ExprId index) { return b.element(param, {index}, true); }
  ExprId at(int32_t param, ExprId row, ExprId column) { return b.element(param, {row, column}, true); }
  ExprId op(BinaryOp op, ExprId x, ExprId y) { return b.binary(static_cast<int32_t>(op), x, y); }
  ExprId add(ExprId x, ExprId y) { return op(BinaryOp::add, x, y); }
  ExprId sub(ExprId x, ExprId y) { return op(BinaryOp::sub, x, y); }
  ExprId mul(ExprId x, ExprId y) { return op(BinaryOp::mul, x, y); }
  ExprId to(ExprId x, int32_t type) { return b.cast(static_cast<int32_t>(CastOp::value), x, type); }
  ExprId atomic(AtomicOp op, ExprId place, ExprId value) { return b.atomic(static_cast<int32_t>(op), place, value); }
  LabelId range(ExprId end) { return b.begin_for({i64(0), end}, {}); }
  ExprId index(LabelId loop, int32_t axis = 0) { return b.loop_index(loop, axis); }

  // The IR after `stage`, without the kernel's line; every stage is verified.
  std::string after(const std::string& stage) {
    compile();
    return stages.at(stage);
  }
  const KernelIR& compile() {
    if (kernel != nullptr) return *kernel;
    options.dump = [this](const char* stage, const std::string& text) {
      stages[stage] = text.substr(text.find('\n') + 1);
    };
    kernel = std::make_unique<KernelIR>(compile_to_offloads(b.finish(), options));
    return *kernel;
  }
  // Statements of a kind in one block of a task.
  int count(size_t task, StmtKind kind, size_t block = offloaded_block::body) {
    int found = 0;
    const Stmt* stmt = compile().root->statements.at(task).get();
    walk(static_cast<const Block*>(stmt->blocks.at(block).get()), [&](const Stmt* s) { found += s->kind == kind; });
    return found;
  }

  ASTBuilder b{"k"};
  CompileOptions options;
  std::map<std::string, std::string> stages;
  std::unique_ptr<KernelIR> kernel;
};

}  // namespace qd
