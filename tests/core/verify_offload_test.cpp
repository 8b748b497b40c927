#include "core/ir/error.h"
#include "tests/core/pass_fixture.h"

namespace qd {
namespace {

// Each test breaks a correct task list in one way.
class VerifyOffload : public PassTest {
 protected:
  // Two groups, each a serial task that reads a bound and a loop.
  void build() {
    int32_t x = array("x", kI64), y = array("y", kI64);
    for (int32_t target : {x, y}) {
      b.begin_stream_parallel();
      LabelId loop = range(at(target, i64(0)));
      b.assign(at(target, index(loop)), index(loop));
      b.end_for();
      b.end_stream_parallel();
    }
    compile();
  }
  OffloadedStmt* task(size_t i) { return as<OffloadedStmt>(kernel->root->statements.at(i).get()); }
  Block* block(size_t i, size_t which) { return task(i)->blocks[which].get(); }
  Stmt* first(size_t i, size_t which, StmtKind kind) {
    Stmt* found = nullptr;
    walk(block(i, which), [&](Stmt* stmt) {
      if (found == nullptr && stmt->kind == kind) found = stmt;
    });
    return found;
  }
  std::string fault() {
    try {
      verify_offload(*kernel);
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Code::internal);
      return error.what();
    }
    return "";
  }
  void expect_fault(const char* part) { EXPECT_NE(fault().find(part), std::string::npos) << fault(); }
};

TEST_F(VerifyOffload, AcceptsWhatOffloadMakes) {
  build();
  ASSERT_EQ(kernel->root->statements.size(), 4u);
  EXPECT_EQ(fault(), "");
}

TEST_F(VerifyOffload, FindsAStatementOfAnotherGroup) {
  build();
  first(1, offloaded_block::body, StmtKind::store)->group = 2;
  expect_fault("statements of two groups");
}

TEST_F(VerifyOffload, FindsATemporaryOfAnotherGroup) {
  build();
  auto* mine = as<TempPtrStmt>(first(1, offloaded_block::bounds, StmtKind::temp_ptr));
  as<TempPtrStmt>(first(3, offloaded_block::bounds, StmtKind::temp_ptr))->offset = mine->offset;
  expect_fault("a temporary crosses groups");
}

TEST_F(VerifyOffload, FindsATemporaryOutsideTheBlock) {
  build();
  as<TempPtrStmt>(first(1, offloaded_block::bounds, StmtKind::temp_ptr))->offset = kernel->temps_size;
  expect_fault("outside the launch block");
}

TEST_F(VerifyOffload, FindsAValueOfAnotherTask) {
  build();
  first(1, offloaded_block::body, StmtKind::store)->operands[1] = first(0, offloaded_block::body, StmtKind::load);
  expect_fault("a value crosses tasks");
}

TEST_F(VerifyOffload, FindsABoundsBlockThatReadsAnArray) {
  build();
  Emitter emitter(kernel->types, block(1, offloaded_block::bounds));
  emitter.group = task(1)->group;
  Stmt* zero = emitter.constant_int(scalar_type(Primitive::i64), 0);
  emitter.emit<ElementPtrStmt>(kernel->types.pointer_to(scalar_type(Primitive::i64)), {zero})->check = false;
  expect_fault("a bounds block reads more than it may");
}

TEST_F(VerifyOffload, FindsABoundOutsideTheBoundsBlock) {
  build();
  task(1)->operands[1] = first(1, offloaded_block::body, StmtKind::loop_index);
  expect_fault("a bound is not computed");
}

TEST_F(VerifyOffload, FindsAStatementOutsideTasks) {
  build();
  Emitter(kernel->types, kernel->root.get()).constant_bool(true);
  expect_fault("a statement outside tasks");
}

TEST_F(VerifyOffload, FindsAReturnInARangeTask) {
  build();
  Emitter emitter(kernel->types, block(1, offloaded_block::body));
  emitter.group = task(1)->group;
  emitter.emit<StopStmt>(none_type());
  expect_fault("cannot end the kernel");
}

TEST_F(VerifyOffload, FindsAParallelLoopInsideATask) {
  build();
  Emitter emitter(kernel->types, block(0, offloaded_block::body));
  emitter.group = task(0)->group;
  Stmt* zero = emitter.constant_int(scalar_type(Primitive::i64), 0);
  emitter.emit<RangeForStmt>(none_type(), {zero, zero}, 1)->parallel = true;
  expect_fault("a parallel loop remains");
}

}  // namespace
}  // namespace qd
