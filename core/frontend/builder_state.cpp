#include "core/frontend/builder_state.h"

#include <algorithm>

namespace qd {

namespace {

constexpr int32_t kFirstComposite = 100;

}  // namespace

std::string describe(Frame::Kind kind) {
  switch (kind) {
    case Frame::Kind::kernel:
      return "the kernel";
    case Frame::Kind::stream_parallel:
      return "begin_stream_parallel";
    case Frame::Kind::then_:
      return "begin_if";
    case Frame::Kind::else_:
      return "begin_else";
    case Frame::Kind::for_:
      return "begin_for";
    case Frame::Kind::loop:
      return "begin_loop";
    case Frame::Kind::post:
      return "begin_post";
    case Frame::Kind::scope:
      return "begin_scope";
  }
  return "?";
}

const Expr& Uses::any(ExprId id, const char* what) {
  if (id < 0 || static_cast<size_t>(id) >= state_.ast.exprs.size())
    state_.fail(std::string(what) + ": there is no expression " + std::to_string(id) + " in this builder");
  const Expr& expr = state_.ast.exprs[id];
  if (!state_.is_leaf(id) && (expr.used || std::find(ids_.begin(), ids_.end(), id) != ids_.end()))
    state_.fail(std::string(what) + ": expression " + std::to_string(id) +
                " already has a user; bind it to use its value again, or build it anew");
  if (!state_.visible(id))
    state_.fail(std::string(what) + ": expression " + std::to_string(id) +
                " reads a local, a bound value or a loop index of a block that has ended; declare it before the block");
  ids_.push_back(id);
  return expr;
}

const Expr& Uses::scalar(ExprId id, const char* what) {
  const Expr& expr = any(id, what);
  if (!expr.type->is_scalar())
    state_.fail(std::string(what) + " must be a scalar, not " + to_string(expr.type) +
                "; take a field or an item of it");
  return expr;
}

const Expr& Uses::scalar_of(ExprId id, const Type* type, const char* what) {
  const Expr& expr = scalar(id, what);
  if (expr.type != type)
    state_.fail(std::string(what) + " must be " + to_string(type) + ", not " + to_string(expr.type) + "; cast it");
  return expr;
}

const Expr& Uses::place(ExprId id, const char* what) {
  const Expr& expr = any(id, what);
  if (!expr.is_place)
    state_.fail(std::string(what) + " must be a place (an element, a local, or a part of one), not a value");
  return expr;
}

const Expr& Uses::scalar_place(ExprId id, const char* what) {
  const Expr& expr = place(id, what);
  if (!expr.type->is_scalar())
    state_.fail(std::string(what) + " must be a scalar, not " + to_string(expr.type) +
                "; take a field or an item of it");
  return expr;
}

void Uses::commit() {
  for (ExprId id : ids_) {
    if (!state_.is_leaf(id)) state_.ast.exprs[id].used = true;
  }
}

BuilderState::BuilderState(std::string kernel_name) {
  ast.kernel.name = std::move(kernel_name);
  Frame kernel;
  kernel.block = &ast.body;
  open(kernel);
}

// ---- types and parameters ------------------------------------------------------------------------------------------

const Type* BuilderState::type(int32_t id) const {
  if (id > static_cast<int32_t>(Primitive::none) && id <= static_cast<int32_t>(Primitive::f64))
    return scalar_type(static_cast<Primitive>(id));
  if (id >= kFirstComposite && static_cast<size_t>(id - kFirstComposite) < composites_.size())
    return composites_[id - kFirstComposite];
  fail("there is no type " + std::to_string(id) + " in this builder");
}

int32_t BuilderState::type_id(const Type* composite, TypeNote note) {
  auto [entry, added] =
      composite_ids_.try_emplace(composite, kFirstComposite + static_cast<int32_t>(composites_.size()));
  if (added) {
    composites_.push_back(composite);
    composite_notes_.push_back(note);
  }
  return entry->second;
}

TypeNote BuilderState::type_note(const Type* type) const {
  auto entry = composite_ids_.find(type);
  return entry == composite_ids_.end() ? TypeNote{} : composite_notes_[entry->second - kFirstComposite];
}

void BuilderState::check_type(TypeNote note) const {
  if (note.depth > builder_limits::type_depth)
    fail("a type is nested more than " + std::to_string(builder_limits::type_depth) + " deep");
  if (note.parts > builder_limits::type_parts)
    fail("a type has more than " + std::to_string(builder_limits::type_parts) + " parts; use an array");
}

const Type* BuilderState::scalar_of(int32_t id, const char* what) const {
  const Type* found = type(id);
  if (!found->is_scalar()) fail(std::string(what) + " must be a scalar type, not " + to_string(found));
  return found;
}

void BuilderState::check_param(const std::string& name) const {
  if (!ast.body.empty() || ast.kernel.groups > 0)
    fail("parameter " + name + " comes after a statement; declare all parameters first");
  if (ast.kernel.params.size() >= builder_limits::params)
    fail("a kernel may have at most " + std::to_string(builder_limits::params) + " parameters");
}

int32_t BuilderState::add_param(Param param) {
  ast.kernel.params.push_back(std::move(param));
  return static_cast<int32_t>(ast.kernel.params.size() - 1);
}

const Param& BuilderState::param(int32_t index) const {
  if (index < 0 || static_cast<size_t>(index) >= ast.kernel.params.size())
    fail("there is no parameter " + std::to_string(index) + " in this kernel");
  return ast.kernel.params[index];
}

const Param& BuilderState::array_param(int32_t index, const char* what) const {
  const Param& found = param(index);
  if (!found.is_array()) fail(std::string(what) + ": parameter " + found.name + " is not an array");
  return found;
}

// ---- expressions ---------------------------------------------------------------------------------------------------

bool BuilderState::is_leaf(ExprId id) const { return ast.exprs[id].kind <= ExprKind::bound; }

bool BuilderState::visible(ExprId id) const { return blocks[notes[id].block].open; }

ExprId BuilderState::add_leaf(Expr expr, ExprNote note) {
  if (ast.exprs.size() >= builder_limits::handles) fail("too many expressions in one kernel; split it");
  expr.pos = pos;
  notes.push_back(note);
  ast.exprs.push_back(std::move(expr));
  return static_cast<ExprId>(ast.exprs.size() - 1);
}

ExprId BuilderState::add_inner(Expr expr, Uses& uses, ExprNote note) {
  for (ExprId id : uses.ids()) {
    // Blocks of visible names are nested in one another, so the deepest one is inside all others.
    if (blocks[notes[id].block].level > blocks[note.block].level) note.block = notes[id].block;
    note.depth = std::max(note.depth, notes[id].depth + 1);
  }
  if (note.depth > builder_limits::expr_depth)
    fail("an expression is nested more than " + std::to_string(builder_limits::expr_depth) + " deep; bind parts of it");
  expr.args = uses.ids();
  ExprId id = add_leaf(std::move(expr), note);
  uses.commit();
  return id;
}

std::string BuilderState::local_name(int32_t index) const {
  const std::string& name = ast.locals[index].name;
  return name.empty() ? "a local" : name;
}

ExprId BuilderState::add_bound(const Type* type) {
  Expr expr;
  expr.kind = ExprKind::bound;
  expr.type = type;
  expr.index = static_cast<int32_t>(ast.bound_types.size());
  ExprId id = add_leaf(std::move(expr), {.block = top().id});
  ast.bound_types.push_back(type);
  return id;
}

ExprId BuilderState::root_of(ExprId place) const {
  while (ast.exprs[place].kind == ExprKind::field || ast.exprs[place].kind == ExprKind::item)
    place = ast.exprs[place].args[0];
  return place;
}

void BuilderState::check_writable(ExprId place, bool plain) const {
  ExprId root = root_of(place);
  const Expr& expr = ast.exprs[root];
  if (expr.kind == ExprKind::param_value)
    fail("parameter " + ast.kernel.params[expr.index].name +
         " is passed by value and read-only; copy it to a local first");
  const Frame* loop = parallel_loop();
  if (!plain || expr.kind != ExprKind::local || loop == nullptr) return;
  if (blocks[notes[root].block].level < blocks[loop->id].level)
    fail("assigning to " + local_name(expr.index) +
         ", declared outside the parallel loop, is a race; use an atomic or declare it inside the loop");
}

// ---- scopes and statements -----------------------------------------------------------------------------------------

const Frame* BuilderState::enclosing(LabelId label) const {
  for (const Frame& frame : frames) {
    if (frame.label == label && label >= 0) return &frame;
  }
  return nullptr;
}

const Frame* BuilderState::parallel_loop() const {
  for (const Frame& frame : frames) {
    if (frame.parallel) return &frame;
  }
  return nullptr;
}

bool BuilderState::in_stream_parallel() const { return group != 0; }

bool BuilderState::at_top_level() const {
  return frames.back().kind == Frame::Kind::kernel || frames.back().kind == Frame::Kind::stream_parallel;
}

void BuilderState::check_nesting() const {
  if (frames.size() >= builder_limits::nesting)
    fail("scopes are nested more than " + std::to_string(builder_limits::nesting) +
         " deep; flatten the kernel or split it");
}

std::unique_ptr<FrontendStmt> BuilderState::make_statement(FrontendKind kind) const {
  auto stmt = std::make_unique<FrontendStmt>();
  stmt->kind = kind;
  stmt->pos = pos;
  stmt->group = group;
  return stmt;
}

FrontendStmt* BuilderState::add_statement(std::unique_ptr<FrontendStmt> stmt) {
  top().block->push_back(std::move(stmt));
  return top().block->back().get();
}

void BuilderState::open(Frame frame) {
  frame.id = static_cast<int32_t>(blocks.size());
  frame.pos = pos;
  blocks.push_back({.level = static_cast<int32_t>(frames.size()), .open = true});
  frames.push_back(frame);
}

void BuilderState::close() {
  blocks[top().id].open = false;
  frames.pop_back();
}

Frame& BuilderState::require_open(std::initializer_list<Frame::Kind> kinds, const char* call, const char* opener) {
  if (std::find(kinds.begin(), kinds.end(), top().kind) == kinds.end())
    fail(std::string(call) + " must close " + opener + ", but the innermost open scope is " + describe(top().kind));
  return top();
}

LabelId BuilderState::add_label(Label label) {
  ast.labels.push_back(label);
  return static_cast<LabelId>(ast.labels.size() - 1);
}

}  // namespace qd
