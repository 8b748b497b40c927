// Every rule of verify() and type_check(): a sound kernel, damaged in one place, is refused by name.
#include "core/ir/verify.h"

#include <gtest/gtest.h>

#include "core/ir/error.h"
#include "core/ir/print.h"
#include "core/transforms/passes.h"
#include "tests/core/saxpy.h"

namespace qd {
namespace {

template <class F>
std::string internal_error(F f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Code::internal);
    return error.what();
  }
  return "";
}

TEST(Verify, AcceptsAWellFormedKernel) {
  Saxpy s;
  EXPECT_NO_THROW(verify(s.kernel, "test"));
  EXPECT_NO_THROW(type_check(s.kernel));
}

struct Fault {
  const char* name;
  std::function<void(Saxpy&)> make;
  const char* message;
};

class VerifyFault : public testing::TestWithParam<Fault> {};

TEST_P(VerifyFault, IsNamed) {
  Saxpy s;
  GetParam().make(s);
  std::string message = internal_error([&] { verify(s.kernel, "stage"); });
  EXPECT_NE(message.find("invalid IR after stage: "), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

Emitter body_of(Saxpy& s) { return Emitter(s.kernel.types, inner(s.loop)); }

INSTANTIATE_TEST_SUITE_P(
    All, VerifyFault,
    testing::Values(
        Fault{"use_before_definition", [](Saxpy& s) { s.x->operands[0] = inner(s.branch)->statements[0].get(); },
              "not defined before its use: %5 = load %8"},
        Fault{"value_of_another_block", [](Saxpy& s) { body_of(s).store(inner(s.branch)->statements[0].get(), s.x); },
              "not defined before"},
        Fault{"no_value", [](Saxpy& s) { s.x->operands[0] = s.loop; }, "its operand must be a pointer"},
        Fault{"load_of_a_value", [](Saxpy& s) { s.x->operands[0] = s.index; }, "its operand must be a pointer"},
        Fault{"load_type", [](Saxpy& s) { s.x->type = kF64; }, "must be the scalar pointed to"},
        Fault{"store_type", [](Saxpy& s) { body_of(s).store(s.pointer, s.index); }, "must be the scalar pointed to"},
        Fault{"operand_count", [](Saxpy& s) { s.x->operands.clear(); }, "it has 0 operands"},
        Fault{"missing_operand", [](Saxpy& s) { s.x->operands[0] = nullptr; }, "an operand is missing"},
        Fault{"condition", [](Saxpy& s) { s.branch->operands[0] = s.x; }, "its condition must be u1"},
        Fault{"bounds", [](Saxpy& s) { s.loop->dims = 2; }, "it has 2 operands"},
        Fault{"rank", [](Saxpy& s) { s.pointer->operands.push_back(s.index); }, "it has 2 operands"},
        Fault{"no_array", [](Saxpy& s) { as<ElementPtrStmt>(s.pointer)->param = 2; }, "needs an array parameter"},
        Fault{"no_param", [](Saxpy& s) { as<ElementPtrStmt>(s.pointer)->param = 9; }, "needs an array parameter"},
        Fault{"loop_axis", [](Saxpy& s) { as<LoopIndexStmt>(s.index)->axis = 1; }, "no such axis"},
        Fault{"mixed_types", [](Saxpy& s) { body_of(s).binary(BinaryOp::add, s.x, s.index); },
              "does not take f32 and i64"},
        Fault{"float_only", [](Saxpy& s) { body_of(s).unary(UnaryOp::sin, s.index); }, "does not take i64"},
        Fault{"constant_bits", [](Saxpy& s) { as<ConstantStmt>(body_of(s).constant_int(kU8, 1))->bits = 256; },
              "do not fit its type"},
        Fault{"target_outside",
              [](Saxpy& s) { Emitter(s.kernel.types, s.kernel.root.get()).emit<ContinueStmt>(none_type(), {s.loop}); },
              "does not enclose it"},
        Fault{"break_of_a_parallel_loop", [](Saxpy& s) { body_of(s).emit<BreakStmt>(none_type(), {s.loop}); },
              "a parallel loop cannot be left"},
        Fault{"break_out_of_a_parallel_loop",
              [](Saxpy& s) {
                auto scope = std::make_unique<ScopeStmt>();
                scope->blocks.push_back(std::make_unique<Block>());
                scope->blocks[0]->parent_stmt = scope.get();
                Stmt* target = s.kernel.root->insert(2, std::move(scope));
                inner(target)->append(s.kernel.root->take(3));
                body_of(s).emit<BreakStmt>(none_type(), {target});
              },
              "a parallel loop cannot be left"},
        Fault{"stop_in_a_parallel_loop", [](Saxpy& s) { body_of(s).emit<StopStmt>(none_type()); },
              "only a serial task can stop"},
        Fault{"unreachable", [](Saxpy& s) { Emitter(s.kernel.types, inner(s.branch, 1)).constant_int(kI64, 0); },
              "can never be reached"},
        Fault{"parent", [](Saxpy& s) { s.x->parent = s.kernel.root.get(); }, "parent is not its block"},
        Fault{"block_parent", [](Saxpy& s) { inner(s.branch)->parent_stmt = s.loop; }, "parent is not its statement"},
        Fault{"print_format", [](Saxpy& s) { body_of(s).emit<PrintStmt>(none_type(), {s.x})->format = "%%v"; },
              "a %v for each operand"},
        Fault{"temporaries", [](Saxpy& s) { body_of(s).emit<TempPtrStmt>(s.kernel.types.pointer_to(kF32)); },
              "outside the temporaries"}),
    [](const auto& info) { return info.param.name; });

TEST(TypeCheck, FillsInWhatFollows) {
  Saxpy s;
  walk(s.kernel.root.get(), [](Stmt* stmt) {
    if (stmt->kind != StmtKind::constant) stmt->type = none_type();
  });
  type_check(s.kernel);
  EXPECT_EQ(print(s.kernel), kSaxpyText);
}

TEST(TypeCheck, RefusesAStatedTypeThatDoesNotFollow) {
  Saxpy s;
  s.x->type = kF64;
  EXPECT_NE(internal_error([&] { type_check(s.kernel); }).find("which make it f32: %5 = load"), std::string::npos);
}

}  // namespace
}  // namespace qd
