// Random kernels full of indices, lengths, conditions and arguments at the edges of their types: the optimised task
// must fail at the same check with the same value as the one that keeps every check, or not at all.
#include <limits>
#include <random>

#include "tests/core/check_interpreter.h"
#include "tests/core/pass_fixture.h"

namespace qd {
namespace {

class RandomKernel {
 public:
  explicit RandomKernel(uint64_t seed) : random_(seed) {
    b_.set_position(b_.file("k.go"), 1, 1);
    a_ = b_.param_array("a", kI64, 1);
    m_ = b_.param_array("m", kU8, 2);
    n_ = b_.param_value("n", kI64);
    k_ = b_.param_value("k", kI32);
    u_ = b_.param_value("u", kU64);
    std::vector<ExprId> bounds;
    for (int axis = pick(2); axis >= 0; axis--) {
      bounds.push_back(bound(false));
      bounds.push_back(bound(true));
    }
    const int dims = static_cast<int>(bounds.size()) / 2;
    const LabelId loop = b_.begin_for(bounds, {});
    for (int axis = 0; axis < dims; axis++) indices_.push_back({loop, axis});
    loops_.push_back(loop);
    block(2);
    b_.end_for();
  }

  AST finish() { return b_.finish(); }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }
  ExprId i64(int64_t value) { return b_.constant_int(kI64, value); }
  ExprId op(BinaryOp op, ExprId x, ExprId y) { return b_.binary(static_cast<int32_t>(op), x, y); }
  ExprId to(ExprId x, int32_t type) { return b_.cast(static_cast<int32_t>(CastOp::value), x, type); }
  ExprId index() {
    const auto [loop, axis] = indices_[static_cast<size_t>(pick(static_cast<int>(indices_.size())))];
    return b_.loop_index(loop, axis);
  }
  ExprId length() {
    const int which = pick(3);
    return which == 0 ? b_.dim(a_, 0) : b_.dim(m_, which - 1);
  }
  ExprId bound(bool end) {
    switch (pick(end ? 6 : 9)) {
      case 0:
        return b_.param(n_);
      case 1:
        return to(b_.param(k_), kI64);
      case 2:
        return op(BinaryOp::sub, length(), i64(pick(3)));
      case 3:
        return i64(pick(7) - 1);
      case 4:
      case 5:
        return end ? length() : i64(pick(2));
      default:
        return i64(0);
    }
  }
  ExprId leaf() {
    switch (pick(9)) {
      case 0:
        return b_.param(n_);
      case 1:
        return to(b_.param(k_), kI64);
      case 2:
        return length();
      case 3:
        return i64(pick(5) - 1);
      case 4:
        return to(b_.param(u_), kI64);
      default:
        return indices_.empty() ? i64(1) : index();
    }
  }
  ExprId expression(int depth) {
    if (depth == 0 || pick(4) == 0) return leaf();
    const ExprId x = expression(depth - 1);
    constexpr BinaryOp kSimple[] = {BinaryOp::add, BinaryOp::sub, BinaryOp::min, BinaryOp::max, BinaryOp::mul};
    switch (pick(14)) {
      case 0:
        return op(BinaryOp::rem, x, i64(1 + pick(9)));
      case 1:
        return op(BinaryOp::rem, x, expression(depth - 1));
      case 2:
        return op(BinaryOp::div, x, pick(2) == 0 ? i64(1 + pick(3)) : expression(depth - 1));
      case 3:
        return to(to(x, kI32), kI64);
      case 4:
        return to(to(x, pick(2) == 0 ? kU8 : kU64), kI64);
      case 5:
        return op(BinaryOp::bit_and, x, i64(pick(16)));
      case 6:
        return op(BinaryOp::shr, x, i64(pick(4)));
      case 7:
        return op(BinaryOp::shl, x, i64(pick(3)));
      case 8:
        return b_.select(condition(0), x, expression(depth - 1));
      case 9:
        return op(BinaryOp::mul, x, i64(pick(4) - 1));
      case 10:
        return op(BinaryOp::floor_mod, x, i64(1 + pick(5)));
      default:
        return op(kSimple[pick(5)], x, expression(depth - 1));
    }
  }
  ExprId condition(int depth) {
    if (depth > 0 && pick(2) == 0) {
      const ExprId x = condition(depth - 1);
      return op(pick(2) == 0 ? BinaryOp::logic_and : BinaryOp::logic_or, x, condition(depth - 1));
    }
    if (depth > 0 && pick(5) == 0) return b_.unary(static_cast<int32_t>(UnaryOp::logic_not), condition(depth - 1));
    constexpr BinaryOp kCompare[] = {BinaryOp::eq, BinaryOp::ne, BinaryOp::lt,
                                     BinaryOp::le, BinaryOp::gt, BinaryOp::ge};
    const ExprId x = pick(4) == 0 ? expression(1) : leaf();
    return op(kCompare[pick(6)], x, pick(2) == 0 ? expression(1) : leaf());
  }
  void access() {
    if (pick(2) == 0) {
      b_.bind(b_.element(a_, {expression(2)}, true));
    } else {
      const ExprId row = expression(2);
      b_.assign(b_.element(m_, {row, expression(2)}, true), b_.constant_int(kU8, 1));
    }
  }
  void block(int depth) {
    for (int count = 1 + pick(3); count > 0; count--) {
      switch (pick(depth > 0 ? 7 : 2)) {
        case 2: {
          b_.begin_if(condition(2));
          block(depth - 1);
          if (pick(2) == 0) b_.continue_(loops_.back());
          if (pick(3) == 0) {
            b_.begin_else();
            block(depth - 1);
          }
          b_.end_if();
          break;
        }
        case 3: {
          const ExprId begin = pick(3) == 0 ? expression(1) : bound(false);
          const LabelId loop = b_.begin_for({begin, pick(3) == 0 ? expression(1) : bound(true)}, {});
          indices_.push_back({loop, 0});
          loops_.push_back(loop);
          block(depth - 1);
          loops_.pop_back();
          indices_.pop_back();
          b_.end_for();
          break;
        }
        default:
          access();
      }
    }
  }

  std::mt19937_64 random_;
  ASTBuilder b_{"k"};
  int32_t a_, m_, n_, k_, u_;
  std::vector<std::pair<LabelId, int>> indices_;
  std::vector<LabelId> loops_;
};

class ChecksFuzz : public ::testing::TestWithParam<int> {};

TEST_P(ChecksFuzz, FailWhereTheyFailed) {
  int failed = 0, passed = 0, fast = 0;
  for (int round = 0; round < 100; round++) {
    const auto seed = static_cast<uint64_t>(GetParam() * 1000 + round);
    KernelIR kernel = lower_ast(RandomKernel(seed).finish(), {});
    simplify(kernel);
    insert_checks(kernel, {});
    simplify(kernel);
    offload(kernel);
    StmtMap copied;
    const std::unique_ptr<Block> before = clone(kernel.root.get(), copied);
    const std::string text = print(kernel);
    hoist_checks(kernel, {});
    verify(kernel, "hoist_checks");

    std::mt19937_64 random(seed);
    const auto pick = [&](std::initializer_list<int64_t> values) { return values.begin()[random() % values.size()]; };
    for (int run = 0; run < 12; run++) {
      constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
      const int64_t n = pick({0, 1, 2, 3, 5, 8, -1, 1 << 20, int64_t{1} << 40, int64_t{1} << 61, kMin, kMax});
      const int64_t k = pick({0, 1, 2, 4, 7, -1, 1 << 30, std::numeric_limits<int32_t>::min()});
      const int64_t u = pick({0, 1, 3, 6, int64_t{1} << 33, kMax, -1, kMin});
      const std::vector<int64_t> a{pick({0, 1, 2, 5, 8, 64, int64_t{1} << 45})};
      const std::vector<int64_t> m{pick({0, 1, 3, 5, 8}), pick({0, 1, 4, 5, 8, 256})};
      const auto lengths = std::map<int32_t, std::vector<int64_t>>{{0, a}, {1, m}};
      const auto args = std::map<int32_t, uint64_t>{
          {2, static_cast<uint64_t>(n)}, {3, static_cast<uint64_t>(k)}, {4, static_cast<uint64_t>(u)}};
      for (size_t i = 0; i < before->statements.size(); i++) {
        const auto* old_task = as<OffloadedStmt>(before->statements[i].get());
        if (old_task->task == TaskType::serial) break;  // its value would have to cross
        CheckInterpreter kept(lengths, args), optimised(lengths, args);
        const std::string want = kept.run(old_task);
        const std::string got = optimised.run(as<OffloadedStmt>(kernel.root->statements[i].get()));
        ASSERT_EQ(got, want) << "seed " << seed << ", n " << n << ", k " << k << ", u " << u << ", a " << a[0] << ", m "
                             << m[0] << " " << m[1] << "\n"
                             << text << print(kernel);
        (want.empty() ? passed : failed)++;
        fast += optimised.fast;
      }
    }
  }
  // The test means something only if it meets both.
  EXPECT_GT(failed, 100);
  EXPECT_GT(passed, 100);
  EXPECT_GT(fast, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ChecksFuzz, ::testing::Range(0, 4));

}  // namespace
}  // namespace qd
