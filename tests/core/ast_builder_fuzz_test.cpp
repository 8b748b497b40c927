// Random calls, most of them wrong: none may crash, a refused one must leave the builder as it was, and whatever
// finishes must go through the passes as well-formed IR.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/frontend/ast_builder.h"
#include "core/ir/error.h"
#include "core/transforms/passes.h"

namespace qd {
namespace {

class Fuzzer {
 public:
  // Makes the calls of a seed; of those, only the ones that `only` holds, where it is given.
  explicit Fuzzer(uint32_t seed, const std::vector<bool>* only = nullptr)
      : seed_(seed), only_(only), builder_("fuzz") {}

  // The finished tree's text, or what finish says against it.
  std::string run() {
    file_ = builder_.file("k.go");
    for (int32_t type = 1; type <= kPrimitives; ++type) {
      bool is_float = scalar_type(static_cast<Primitive>(type))->is_float();
      leaves_.push_back(is_float ? builder_.constant_float(type, 0.5) : builder_.constant_int(type, 1));
    }
    reseed(0);
    int types = pick(6), params = 1 + pick(6), calls = pick(300);
    bool closed = pick(4) != 0;
    for (int i = 0; i < types; ++i) attempt([&] { type(); });
    for (int i = 0; i < params; ++i) attempt([&] { param(); });
    for (int i = 0; i < calls; ++i) attempt([&] { call(); });
    if (closed) close_all();
    try {
      AST ast = builder_.finish();
      std::string text = print(ast);
      compile_to_offloads(std::move(ast), {});  // verifies after each pass
      EXPECT_THROW(builder_.finish(), Error);
      finished = true;
      return text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Code::invalid) << error.what();
      return error.what();
    }
  }

  bool finished = false;
  std::vector<bool> accepted;  // by call

 private:
  static constexpr int kPrimitives = static_cast<int>(Primitive::f64);

  void reseed(size_t call) { random_.seed(seed_ * 2654435761u + static_cast<uint32_t>(call) * 40503u + 1); }
  int pick(int below) { return static_cast<int>((random_() >> 8) % static_cast<uint32_t>(below)); }

  // Each attempt is one call of the builder, the same whatever was refused before.
  template <class F>
  void attempt(F call) {
    size_t index = accepted.size();
    accepted.push_back(false);
    if (only_ != nullptr && !(*only_)[index]) return;
    reseed(index + 1);
    try {
      call();
      accepted[index] = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Code::invalid) << error.what();
      EXPECT_STRNE(error.what(), "");
    }
  }

  // Handles of the wanted type are likely, others are not rare.
  ExprId expr(const Type* type = nullptr) {
    if (pick(40) == 0) return pick(3) == 0 ? -1 : pick(1000) - 10;
    for (int tries = 0; tries < 12 && !exprs_.empty(); ++tries) {
      const auto& [id, of] = exprs_[recent()];
      if (type == nullptr || of == type) return id;
    }
    return leaf(type);
  }
  size_t recent() {
    size_t back = static_cast<size_t>(pick(40));
    return back < exprs_.size() ? exprs_.size() - 1 - back : static_cast<size_t>(pick(static_cast<int>(exprs_.size())));
  }
  ExprId leaf(const Type* type) {
    if (type == nullptr) type = i64();
    if (!type->is_scalar()) return exprs_.empty() ? -1 : exprs_[recent()].first;
    return leaves_[static_cast<size_t>(type->primitive) - 1];
  }
  void keep(ExprId id, const Type* type) {
    ASSERT_GE(id, 0);
    exprs_.emplace_back(id, type);
  }
  int32_t type_id() {
    if (pick(30) == 0) return pick(300) - 50;
    if (pick(3) == 0 && !types_.empty()) return types_[static_cast<size_t>(pick(static_cast<int>(types_.size())))];
    return 1 + pick(12);
  }
  const Type* primitive() { return scalar_type(static_cast<Primitive>(1 + pick(12))); }
  const Type* i64() { return scalar_type(Primitive::i64); }
  const Type* u1() { return scalar_type(Primitive::u1); }
  LabelId label() {
    return pick(20) == 0 || labels_.empty() ? pick(30) - 5 : labels_[labels_.size() - 1 - some_back()];
  }
  size_t some_back() { return static_cast<size_t>(pick(static_cast<int>(std::min<size_t>(labels_.size(), 4)))); }
  std::vector<ExprId> some(int count, const Type* type) {
    std::vector<ExprId> out;
    for (int i = 0; i < count; ++i) out.push_back(expr(type));
    return out;
  }

  void type() {
    if (pick(2) == 0) {
      types_.push_back(builder_.array_type(type_id(), pick(5) == 0 ? int64_t{1} << pick(63) : 1 + pick(4)));
      return;
    }
    std::vector<int32_t> fields;
    std::vector<int64_t> offsets;
    int64_t end = 0;
    for (int i = pick(5); i > 0; --i) {
      fields.push_back(type_id());
      offsets.push_back(end + (pick(20) == 0 ? pick(9) - 4 : 0));
      const Type* type = builder_.type(fields.back());
      end = (end + type->size + 7) / 8 * 8;
    }
    types_.push_back(builder_.struct_type(fields, offsets, end, pick(10) == 0 ? pick(70) : 8));
  }

  void param() {
    int32_t type = type_id();
    params_ = std::max(params_, pick(2) == 0 ? builder_.param_value("p", type)
                                             : builder_.param_array("x", type, pick(10) == 0 ? pick(6) : 1 + pick(3)));
  }
  int32_t any_param() { return pick(20) == 0 ? pick(40) - 10 : pick(params_ + 1); }

  // The type that the builder itself gives an expression shows through the id alone; the fuzzer tracks what it can.
  void place() {
    const Type* type = nullptr;
    ExprId id = -1;
    switch (pick(4)) {
      case 0:
        id = builder_.element(any_param(), some(1 + pick(3), i64()), pick(2) == 0);
        break;
      case 1:
        id = builder_.field(expr(), pick(3));
        break;
      case 2:
        id = builder_.item(expr(), expr(i64()), pick(2) == 0);
        break;
      default:
        id = builder_.param(any_param());
    }
    places_.push_back(id);
    keep(id, type);
  }
  ExprId any_place() {
    if (places_.empty() || pick(10) == 0) return expr();
    return places_[places_.size() - 1 -
                   static_cast<size_t>(pick(static_cast<int>(std::min<size_t>(places_.size(), 8))))];
  }

  void expression() {
    const Type* type = primitive();
    int32_t id = static_cast<int32_t>(type->primitive);
    switch (pick(10)) {
      case 0:
        return keep(builder_.constant_int(id, pick(10) == 0 ? static_cast<int64_t>(random_()) - (1 << 30) : pick(3)),
                    type);
      case 1:
        return keep(builder_.constant_float(id, pick(100) / 8.0), type);
      case 2:
        return keep(builder_.dim(any_param(), pick(3)), i64());
      case 3:
        return keep(builder_.loop_index(label(), pick(2)), i64());
      case 4:
        return keep(builder_.checked_index(expr(i64()), expr(i64()), "x"), i64());
      case 5:
        return keep(builder_.unary(pick(38) - 1, expr(type)), type);
      case 6: {
        int32_t op = pick(35) - 1;
        bool compares = op >= static_cast<int32_t>(BinaryOp::eq) && op <= static_cast<int32_t>(BinaryOp::ge);
        bool logic = op == static_cast<int32_t>(BinaryOp::logic_and) || op == static_cast<int32_t>(BinaryOp::logic_or);
        if (logic) type = u1();
        return keep(builder_.binary(op, expr(type), expr(type)), compares ? u1() : type);
      }
      case 7:
        return keep(builder_.cast(pick(5) - 1, expr(), id), type);
      case 8:
        return keep(builder_.select(expr(u1()), expr(type), expr(type)), type);
      default:
        return keep(builder_.random(id), type);
    }
  }

  void statement() {
    const Type* type = primitive();
    switch (pick(8)) {
      case 0: {
        int32_t id = type_id();
        ExprId local = builder_.local("v", id, pick(2) == 0 ? -1 : expr(type));
        places_.push_back(local);
        return keep(local, builder_.type(id));
      }
      case 1:
        return keep(builder_.bind(expr(type)), type);
      case 2:
      case 3:
        return builder_.assign(any_place(), pick(3) == 0 ? any_place() : expr(type));
      case 4:
        return keep(builder_.atomic(pick(12) - 1, any_place(), expr(type)), type);
      case 5:
        return keep(builder_.atomic_cas(any_place(), expr(type), expr(type)), type);
      case 6: {
        int check = pick(8) - 1;
        return builder_.check(static_cast<CheckKind>(check), some(1 + pick(3), pick(3) == 0 ? u1() : i64()), "x", "m");
      }
      default: {
        int count = pick(4);
        std::string format;
        for (int i = 0; i < count; ++i) format += pick(20) == 0 ? "%%" : "%v ";
        return builder_.print(some(count, nullptr), format, pick(2) == 0);
      }
    }
  }

  void scope() {
    switch (pick(18)) {
      case 0:
      case 1:
        return builder_.begin_if(expr(u1()));
      case 2:
        return builder_.begin_else();
      case 3:
        return builder_.end_if();
      case 4:
      case 5:
        labels_.push_back(
            builder_.begin_for(some(2 * (1 + pick(3)), i64()),
                               {.block_dim = pick(20) == 0 ? -5 : 0, .serialize = pick(3) == 0, .name = {}}));
        return;
      case 6:
        return builder_.end_for();
      case 7:
        labels_.push_back(builder_.begin_loop());
        return;
      case 8:
        return builder_.begin_post();
      case 9:
        return builder_.end_loop();
      case 10:
        labels_.push_back(builder_.begin_scope());
        return;
      case 11:
        return builder_.end_scope();
      case 12:
        return builder_.break_(label());
      case 13:
        return builder_.continue_(label());
      case 14:
        if (pick(4) != 0) return;
        return builder_.return_();
      case 15:
        if (pick(3) != 0) return;
        return builder_.begin_stream_parallel();
      case 16:
        return builder_.end_stream_parallel();
      default:
        return pick(2) == 0 ? builder_.enter_call("f") : builder_.leave_call();
    }
  }

  void call() {
    switch (pick(10)) {
      case 0:
        return builder_.set_position(pick(10) == 0 ? 7 : file_, pick(100), pick(80));
      case 1:
        return pick(10) == 0 ? (pick(2) == 0 ? type() : param()) : place();
      case 2:
      case 3:
        return place();
      case 4:
      case 5:
      case 6:
        return expression();
      case 7:
      case 8:
        return statement();
      default:
        return scope();
    }
  }

  template <class F>
  bool closes(F call) {
    try {
      call();
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  void close_all() {
    while (closes([&] { builder_.end_if(); }) || closes([&] { builder_.end_for(); }) ||
           closes([&] { builder_.end_loop(); }) || closes([&] { builder_.end_scope(); }) ||
           closes([&] { builder_.end_stream_parallel(); }) || closes([&] { builder_.leave_call(); })) {
    }
  }

  const uint32_t seed_;
  const std::vector<bool>* only_;
  std::minstd_rand random_;
  ASTBuilder builder_;
  int32_t file_ = 0;
  int32_t params_ = 0;
  std::vector<ExprId> leaves_;  // a constant of each primitive
  std::vector<int32_t> types_;
  std::vector<std::pair<ExprId, const Type*>> exprs_;
  std::vector<ExprId> places_;
  std::vector<LabelId> labels_;
};

TEST(ASTBuilderFuzz, SurvivesAnyCalls) {
  int finished = 0;
  std::ptrdiff_t accepted = 0, refused = 0;
  constexpr int kRuns = 1000;
  for (uint32_t seed = 0; seed < kRuns && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Fuzzer all(seed);
    std::string text = all.run();
    // Refused calls leave no trace: without them, all others do the same.
    Fuzzer good(seed, &all.accepted);
    EXPECT_EQ(good.run(), text);
    EXPECT_EQ(good.accepted, all.accepted);
    finished += all.finished;
    std::ptrdiff_t passed = std::count(all.accepted.begin(), all.accepted.end(), true);
    accepted += passed;
    refused += static_cast<std::ptrdiff_t>(all.accepted.size()) - passed;
  }
  RecordProperty("finished", finished);
  RecordProperty("accepted", std::to_string(accepted));
  RecordProperty("refused", std::to_string(refused));
  // The calls reach both sides of what they test.
  EXPECT_GT(finished, kRuns / 4);
  EXPECT_GT(accepted, kRuns * 20);
  EXPECT_GT(refused, kRuns * 20);
}

}  // namespace
}  // namespace qd
