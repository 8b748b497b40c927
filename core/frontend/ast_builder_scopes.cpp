// Ifs, loops, labelled scopes, StreamParallel scopes, and the ways out of them.
#include <algorithm>

#include "core/frontend/ast_builder_impl.h"

namespace qd {

namespace {

using Kind = Frame::Kind;

constexpr const char* kNoOrder = "a parallel loop has no order; use a serial loop";

// The open scope that break or continue leaves; refuses the ways out of a parallel loop.
const Frame& target(const BuilderState& s, LabelId label, const char* call) {
  const Frame* frame = s.enclosing(label);
  if (frame == nullptr)
    s.fail(std::string(call) + ": no loop or scope with label " + std::to_string(label) + " is open here");
  const Frame* parallel = s.parallel_loop();
  if (parallel != nullptr && s.blocks[frame->id].level < s.blocks[parallel->id].level)
    s.fail(std::string(call) + " would leave the parallel loop: " + kNoOrder);
  return *frame;
}

}  // namespace

void ASTBuilder::begin_if(ExprId condition) {
  Impl& s = state();
  s.check_nesting();
  Uses uses(s);
  uses.scalar_of(condition, scalar_type(Primitive::u1), "the condition of an if");
  auto made = s.make_statement(FrontendKind::if_);
  made->expr = condition;
  FrontendStmt* stmt = s.add_statement(std::move(made));
  uses.commit();
  s.open({.kind = Kind::then_, .stmt = stmt, .block = &stmt->body});
}

void ASTBuilder::begin_else() {
  Impl& s = state();
  FrontendStmt* stmt = s.require_open({Kind::then_}, "begin_else", "begin_if").stmt;
  s.close();
  s.open({.kind = Kind::else_, .stmt = stmt, .block = &stmt->other});
}

void ASTBuilder::end_if() {
  Impl& s = state();
  s.require_open({Kind::then_, Kind::else_}, "end_if", "begin_if");
  s.close();
}

LabelId ASTBuilder::begin_for(const std::vector<ExprId>& bounds, LoopOptions options) {
  Impl& s = state();
  s.check_nesting();
  if (bounds.size() != 2 && bounds.size() != 4 && bounds.size() != 6)
    s.fail("a for loop takes a begin and an end for each of 1 to 3 axes, not " + std::to_string(bounds.size()) +
           " bounds");
  if (options.block_dim < 0 || options.block_dim > builder_limits::block_dim)
    s.fail("block_dim must be 0 to " + std::to_string(builder_limits::block_dim) + ", not " +
           std::to_string(options.block_dim));
  Uses uses(s);
  for (ExprId bound : bounds) uses.scalar_of(bound, scalar_type(Primitive::i64), "the bound of a loop");
  auto made = s.make_statement(FrontendKind::for_);
  made->args = bounds;
  made->dims = static_cast<int32_t>(bounds.size() / 2);
  made->parallel = s.at_top_level() && !options.serialize;
  made->options = std::move(options);
  made->label = s.add_label({.kind = Label::Kind::for_, .dims = made->dims});
  FrontendStmt* stmt = s.add_statement(std::move(made));
  uses.commit();
  s.open({.kind = Kind::for_, .stmt = stmt, .block = &stmt->body, .label = stmt->label, .parallel = stmt->parallel});
  return stmt->label;
}

void ASTBuilder::end_for() {
  Impl& s = state();
  s.require_open({Kind::for_}, "end_for", "begin_for");
  s.close();
}

LabelId ASTBuilder::begin_loop() {
  Impl& s = state();
  s.check_nesting();
  auto made = s.make_statement(FrontendKind::loop);
  made->label = s.add_label({.kind = Label::Kind::loop});
  FrontendStmt* stmt = s.add_statement(std::move(made));
  s.open({.kind = Kind::loop, .stmt = stmt, .block = &stmt->body, .label = stmt->label});
  return stmt->label;
}

void ASTBuilder::begin_post() {
  Impl& s = state();
  FrontendStmt* stmt = s.require_open({Kind::loop}, "begin_post", "begin_loop").stmt;
  s.close();
  s.open({.kind = Kind::post, .stmt = stmt, .block = &stmt->other, .label = stmt->label});
}

void ASTBuilder::end_loop() {
  Impl& s = state();
  s.require_open({Kind::loop, Kind::post}, "end_loop", "begin_loop");
  s.close();
}

LabelId ASTBuilder::begin_scope() {
  Impl& s = state();
  s.check_nesting();
  auto made = s.make_statement(FrontendKind::scope);
  made->label = s.add_label({.kind = Label::Kind::scope});
  FrontendStmt* stmt = s.add_statement(std::move(made));
  s.open({.kind = Kind::scope, .stmt = stmt, .block = &stmt->body, .label = stmt->label});
  return stmt->label;
}

void ASTBuilder::end_scope() {
  Impl& s = state();
  s.require_open({Kind::scope}, "end_scope", "begin_scope");
  s.close();
}

void ASTBuilder::break_(LabelId label) {
  Impl& s = state();
  if (target(s, label, "break").parallel) s.fail(std::string("break would leave the parallel loop: ") + kNoOrder);
  auto stmt = s.make_statement(FrontendKind::break_);
  stmt->label = label;
  s.add_statement(std::move(stmt));
}

void ASTBuilder::continue_(LabelId label) {
  Impl& s = state();
  Kind kind = target(s, label, "continue").kind;
  if (kind == Kind::scope) s.fail("continue needs a loop, but the label is a scope's; use break");
  if (kind == Kind::post) s.fail("continue of a loop from what runs between its iterations; use break");
  auto stmt = s.make_statement(FrontendKind::continue_);
  stmt->label = label;
  s.add_statement(std::move(stmt));
}

void ASTBuilder::return_() {
  Impl& s = state();
  if (s.parallel_loop() != nullptr) s.fail(std::string("return would leave the parallel loop: ") + kNoOrder);
  if (s.in_stream_parallel())
    s.fail("return in a StreamParallel scope would end the other scopes; put the rest of the scope under an if");
  s.add_statement(s.make_statement(FrontendKind::return_));
}

void ASTBuilder::begin_stream_parallel() {
  Impl& s = state();
  if (s.in_stream_parallel()) s.fail("StreamParallel scopes cannot nest; put them one after the other");
  if (s.frames.size() > 1 || !s.calls.empty())
    s.fail("StreamParallel scopes may stand only at the top level of a kernel; move the scope there");
  if (s.ast.kernel.groups >= builder_limits::groups)
    s.fail("a kernel may have at most " + std::to_string(builder_limits::groups) + " StreamParallel scopes");
  s.group = ++s.ast.kernel.groups;
  s.open({.kind = Kind::stream_parallel, .block = &s.ast.body});
}

void ASTBuilder::end_stream_parallel() {
  Impl& s = state();
  s.require_open({Kind::stream_parallel}, "end_stream_parallel", "begin_stream_parallel");
  s.close();
  s.group = 0;
}

void ASTBuilder::assume_disjoint(int32_t param, int32_t other) {
  Impl& s = state();
  s.array_param(param, "assume_disjoint");
  s.array_param(other, "assume_disjoint");
  s.ast.kernel.assumed_disjoint.emplace(std::minmax(param, other));
}

}  // namespace qd
