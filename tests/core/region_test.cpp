// Kernels of many StreamParallel scopes, from the builder to the launch plan: every statement and task keeps its scope.
#include <random>

#include "core/runtime/launch_plan.h"
#include "tests/core/pass_fixture.h"

namespace qd {
namespace {

// What a scope can be made of.
enum class Piece { store, argument_bound, memory_bound, serialized, branch, reduction, crossing_local, count };

class Region : public PassTest {
 protected:
  // A scope over row `row` of x, with bound size[row] or n.
  void scope(int64_t row, const std::vector<Piece>& pieces) {
    b.begin_stream_parallel();
    for (Piece piece : pieces) add_piece(row, piece);
    b.end_stream_parallel();
  }

  void add_piece(int64_t row, Piece piece) {
    const auto bound = [&] { return at(size, i64(row)); };
    const auto add_loop = [&](ExprId end, bool serialize = false) {
      LoopOptions options;
      options.serialize = serialize;
      const LabelId loop = b.begin_for({i64(0), end}, options);
      b.assign(at(x, i64(row), index(loop)), add(index(loop), i64(row)));
      b.end_for();
    };
    switch (piece) {
      case Piece::store:
        b.assign(at(x, i64(row), i64(0)), bound());
        break;
      case Piece::argument_bound:
        add_loop(add(mul(b.param(n), i64(2)), i64(row)));
        break;
      case Piece::memory_bound:
        add_loop(add(bound(), b.param(n)));
        break;
      case Piece::serialized:
        add_loop(bound(), true);
        break;
      case Piece::branch:
        b.begin_if(op(BinaryOp::lt, bound(), b.param(n)));
        add_loop(bound());
        b.end_if();
        break;
      case Piece::reduction:
      case Piece::crossing_local: {
        const ExprId local = b.local("s", kI64, piece == Piece::reduction ? i64(0) : bound());
        const LabelId loop = range(b.param(n));
        atomic(AtomicOp::add, local, index(loop));
        b.end_for();
        add_loop(local);
        break;
      }
      case Piece::count:
        break;
    }
  }

  // Says so wherever a statement is of another scope than its task, and gives the tasks' groups.
  std::vector<GroupId> groups() {
    std::vector<GroupId> found;
    for (const auto& owned : compile().root->statements) {
      const auto* task = as<OffloadedStmt>(owned.get());
      if (task == nullptr) {
        ADD_FAILURE() << "a statement outside tasks";
        continue;
      }
      found.push_back(task->group);
      for (const auto& block : task->blocks) {
        walk(static_cast<const Block*>(block.get()),
             [&](const Stmt* stmt) { EXPECT_EQ(stmt->group, task->group) << print(*kernel, stmt); });
      }
    }
    return found;
  }

  LaunchPlan plan() {
    std::vector<OffloadedTask> tasks;
    for (GroupId group : groups()) {
      tasks.emplace_back();
      tasks.back().group = group;
    }
    return plan_launch(tasks);
  }

  const int32_t x = array("x", kI64, 2), size = array("size", kI64), n = scalar("n", kI64);
};

TEST_F(Region, OneToSixtyFourScopesKeepTheirWidth) {
  for (int32_t scopes = 1; scopes <= 64; scopes++) {
    Region_OneToSixtyFourScopesKeepTheirWidth_Test one;
    for (int32_t row = 0; row < scopes; row++) {
      one.scope(row, {Piece::memory_bound, Piece::store});
      if (row % 3 == 0) one.scope(row, {});
    }
    const LaunchPlan plan = one.plan();
    ASSERT_EQ(plan.phases.size(), 1u);
    EXPECT_EQ(plan.width(), scopes);
    for (const PlanChain& chain : plan.phases[0].chains) EXPECT_EQ(chain.tasks.size(), 3u) << "bound, loop, store";
  }
}

// A scope that ends with a store, and one that starts with what can join no loop: each gets a serial task of its own.
TEST_F(Region, AStoreAndTheNextScopesBoundAreApart) {
  scope(0, {Piece::argument_bound, Piece::store});
  scope(1, {Piece::memory_bound});
  EXPECT_EQ(groups(), (std::vector<GroupId>{1, 1, 2, 2}));
  EXPECT_EQ(count(1, StmtKind::store), 1);
  EXPECT_EQ(count(1, StmtKind::temp_ptr), 0) << "no bound of the second scope";
  EXPECT_EQ(count(2, StmtKind::temp_ptr), 1);
}

// A bound that follows from the arguments costs no task; what computes it is its loop's, whoever computed the same
// before.
TEST_F(Region, PureBoundsAreTheirLoopsOwn) {
  scope(0, {Piece::argument_bound, Piece::store});
  scope(0, {Piece::store});
  scope(0, {Piece::argument_bound});
  EXPECT_EQ(groups(), (std::vector<GroupId>{1, 1, 2, 3}));
}

// Made by hand, as a pass that merges equal values could: one pure value, of the first scope, bounds loops of both.
TEST_F(Region, ACopiedBoundTakesTheGroupOfItsLoop) {
  scope(0, {Piece::argument_bound, Piece::store});
  scope(1, {Piece::argument_bound});
  kernel = std::make_unique<KernelIR>(lower_ast(b.finish(), options));
  type_check(*kernel);
  std::vector<Stmt*> loops;
  for (const auto& stmt : kernel->root->statements) {
    if (stmt->kind == StmtKind::range_for) loops.push_back(stmt.get());
  }
  ASSERT_EQ(loops.size(), 2u);
  loops[1]->operands = loops[0]->operands;
  options.checks = false;
  insert_checks(*kernel, options);
  offload(*kernel);
  EXPECT_EQ(groups(), (std::vector<GroupId>{1, 1, 2}));
  EXPECT_NO_THROW(verify_offload(*kernel));
}

TEST_F(Region, LoopsThatAreNotParallelStayInTheirScope) {
  scope(0, {Piece::store, Piece::branch, Piece::store});
  scope(1, {Piece::serialized});
  scope(2, {Piece::store});
  const std::vector<GroupId> found = groups();
  EXPECT_EQ(found.front(), 1);
  EXPECT_EQ(found.back(), 3);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  EXPECT_EQ(plan().width(), 3);
}

TEST_F(Region, SumsOfTwoScopesToOneCellStayAtomicWhereTheyMeet) {
  options.checks = false;
  for (int round = 0; round < 2; round++) {
    b.begin_stream_parallel();
    const LabelId loop = range(b.param(n));
    atomic(AtomicOp::add, at(size, i64(0)), index(loop));
    b.end_for();
    b.end_stream_parallel();
  }
  compile();
  for (size_t task : {0u, 1u}) {
    EXPECT_EQ(count(task, StmtKind::atomic), 0) << "the loop adds up on its own";
    int atomics = 0;
    const Stmt* stmt = kernel->root->statements[task].get();
    walk(static_cast<const Block*>(stmt->blocks[offloaded_block::epilogue].get()), [&](const Stmt* inner) {
      if (const auto* meeting = as<AtomicStmt>(inner)) {
        atomics++;
        EXPECT_FALSE(meeting->plain);
      }
    });
    EXPECT_EQ(atomics, 1);
  }
}

// Whatever scopes hold: tasks in the order of the scopes, no statement in another's, one chain for each that is not
// empty.
TEST_F(Region, AnyScopesStayApart) {
  for (uint32_t seed = 0; seed < 200; seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Region_AnyScopesStayApart_Test one;
    one.options.checks = random() % 2 == 0;
    const uint32_t scopes = 1 + random() % 6;
    std::vector<GroupId> filled;
    for (uint32_t row = 0; row < scopes; row++) {
      std::vector<Piece> pieces(random() % 4);
      for (Piece& piece : pieces) piece = static_cast<Piece>(random() % static_cast<uint32_t>(Piece::count));
      if (!pieces.empty()) filled.push_back(static_cast<GroupId>(row + 1));
      one.scope(row, pieces);
    }
    std::vector<GroupId> found = one.groups();
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    found.erase(std::unique(found.begin(), found.end()), found.end());
    EXPECT_EQ(found, filled);
    EXPECT_EQ(one.plan().width(), static_cast<int32_t>(filled.size()));
  }
}

// ---- clone, equality and hash ----

// The group of every single statement survives a clone, and counts for equality and hash.
TEST_F(Region, GroupsAreClonedAndCompared) {
  scope(0, {Piece::memory_bound, Piece::store, Piece::branch});
  scope(1, {Piece::reduction, Piece::crossing_local});
  compile();
  StmtMap map;
  const std::unique_ptr<Block> copy = clone(kernel->root.get(), map);
  EXPECT_TRUE(equal(kernel->root.get(), copy.get()));
  EXPECT_EQ(hash(kernel->root.get()), hash(copy.get()));
  int statements = 0;
  const auto hash_of_all = hash(copy.get());
  walk(kernel->root.get(), [&](Stmt* stmt) {
    statements++;
    Stmt* cloned = map.at(stmt);
    EXPECT_EQ(cloned->group, stmt->group);
    cloned->group = 3 - cloned->group;
    EXPECT_FALSE(equal(kernel->root.get(), copy.get())) << print(*kernel, stmt);
    EXPECT_NE(hash(copy.get()), hash_of_all) << print(*kernel, stmt);
    cloned->group = stmt->group;
  });
  EXPECT_GT(statements, 50);
}

// The same statements in one scope, in two, in two otherwise divided, and in none are four kernels.
TEST_F(Region, KernelsThatDifferInTheirScopesDiffer) {
  std::vector<std::unique_ptr<KernelIR>> kernels;
  for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{3}, {1, 2}, {2, 1}, {0}}) {
    Region_KernelsThatDifferInTheirScopesDiffer_Test one;
    int64_t row = 0;
    for (int pieces : sizes) {
      if (pieces > 0) one.b.begin_stream_parallel();
      for (int i = 0; i < (pieces > 0 ? pieces : 3); i++) one.add_piece(row++, Piece::argument_bound);
      if (pieces > 0) one.b.end_stream_parallel();
    }
    one.compile();
    kernels.push_back(std::move(one.kernel));
  }
  for (size_t i = 0; i < kernels.size(); i++) {
    for (size_t j = 0; j < i; j++) {
      EXPECT_FALSE(equal(kernels[i]->root.get(), kernels[j]->root.get())) << i << " and " << j;
      EXPECT_NE(hash(kernels[i]->root.get()), hash(kernels[j]->root.get())) << i << " and " << j;
      EXPECT_NE(print(*kernels[i]), print(*kernels[j])) << i << " and " << j;
    }
  }
}

}  // namespace
}  // namespace qd
