// Frontend statements to IR statements; expressions are lower_expr's.
#include "core/transforms/lower_expr.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

// Two arrays may share memory at any distance; everything else is one object or two distinct ones. Within one object,
// two places of one type are the same or apart, since no type holds itself.
bool may_overlap_partly(const Stmt* a, const Stmt* b) {
  auto root = [](const Stmt* pointer) {
    while (pointer->kind == StmtKind::offset_ptr) pointer = pointer->operands[0];
    return as<ElementPtrStmt>(pointer);
  };
  const ElementPtrStmt* x = root(a);
  const ElementPtrStmt* y = root(b);
  return x != nullptr && y != nullptr && x->param != y->param;
}

class Lowering {
 public:
  explicit Lowering(AST ast)
      : ast_(std::move(ast)),
        kernel_(std::move(ast_.kernel)),
        emitter_(kernel_.types, kernel_.root.get()),
        exprs_(ast_, kernel_, emitter_) {}

  KernelIR run() {
    block(ast_.body);
    return std::move(kernel_);
  }

 private:
  // Appends to the emitter's block; what can never be reached is left out.
  void block(const FrontendBlock& statements) {
    for (const auto& stmt : statements) {
      emitter_.pos = stmt->pos;
      emitter_.group = stmt->group;
      statement(*stmt);
      const auto& emitted = emitter_.block()->statements;
      if (!emitted.empty() && always_leaves(emitted.back().get())) return;
    }
  }

  void nested(Block* into, const FrontendBlock& statements) {
    Block* outer = emitter_.block();
    emitter_.set_block(into);
    block(statements);
    emitter_.set_block(outer);
  }

  std::vector<Stmt*> values(const std::vector<ExprId>& ids) {
    std::vector<Stmt*> out;
    for (ExprId id : ids) out.push_back(exprs_.value(id));
    return out;
  }

  Stmt*& loop_of(LabelId label) { return exprs_.loops[static_cast<size_t>(label)]; }

  void statement(const FrontendStmt& s) {
    switch (s.kind) {
      case FrontendKind::local:
        return local(s);
      case FrontendKind::bind:
        exprs_.bound[static_cast<size_t>(s.index)] = exprs_.value(s.expr);
        return;
      case FrontendKind::assign:
        return assign(s);
      case FrontendKind::atomic: {
        Stmt* place = exprs_.address(s.place);
        Stmt* value = exprs_.value(s.expr);
        exprs_.bound[static_cast<size_t>(s.index)] = emitter_.atomic(static_cast<AtomicOp>(s.op), place, value);
        return;
      }
      case FrontendKind::atomic_cas: {
        Stmt* place = exprs_.address(s.place);
        Stmt* expected = exprs_.value(s.expr);
        Stmt* desired = exprs_.value(s.expr2);
        exprs_.bound[static_cast<size_t>(s.index)] =
            emitter_.emit<AtomicCasStmt>(place->type->element, std::vector<Stmt*>{place, expected, desired});
        return;
      }
      case FrontendKind::if_: {
        IfStmt* branch = emitter_.if_else(exprs_.value(s.expr));
        nested(branch->blocks[0].get(), s.body);
        return nested(branch->blocks[1].get(), s.other);
      }
      case FrontendKind::for_:
        return range_for(s);
      case FrontendKind::loop: {
        auto* loop = emitter_.emit<LoopStmt>(none_type(), {}, 2);
        loop_of(s.label) = loop;
        nested(loop->blocks[0].get(), s.body);
        return nested(loop->blocks[1].get(), s.other);
      }
      case FrontendKind::scope: {
        auto* scope = emitter_.emit<ScopeStmt>(none_type(), {}, 1);
        loop_of(s.label) = scope;
        return nested(scope->blocks[0].get(), s.body);
      }
      case FrontendKind::break_:
        emitter_.emit<BreakStmt>(none_type(), std::vector<Stmt*>{loop_of(s.label)});
        return;
      case FrontendKind::continue_:
        emitter_.emit<ContinueStmt>(none_type(), std::vector<Stmt*>{loop_of(s.label)});
        return;
      case FrontendKind::return_:
        emitter_.emit<StopStmt>(none_type());
        return;
      case FrontendKind::check:
        return check(s);
      case FrontendKind::print: {
        std::vector<Stmt*> arguments = values(s.args);
        auto* print = emitter_.emit<PrintStmt>(none_type(), std::move(arguments));
        print->format = s.message;
        print->to_stderr = s.to_stderr;
        return;
      }
    }
  }

  void local(const FrontendStmt& s) {
    const Local& declared = ast_.locals[static_cast<size_t>(s.index)];
    Stmt*& place = exprs_.locals[static_cast<size_t>(s.index)];
    if (s.expr < 0) {
      place = emitter_.alloca_of(declared.type, declared.name);
      return;
    }
    bool scalar = declared.type->is_scalar();
    Stmt* initial = scalar ? exprs_.value(s.expr) : exprs_.address(s.expr);
    place = emitter_.alloca_of(declared.type, declared.name);
    if (scalar)
      emitter_.store(place, initial);
    else
      emitter_.copy(place, initial);
  }

  void assign(const FrontendStmt& s) {
    Stmt* place = exprs_.address(s.place);
    if (place->type->element->is_scalar()) {
      emitter_.store(place, exprs_.value(s.expr));
      return;
    }
    Stmt* source = exprs_.address(s.expr);
    if (may_overlap_partly(place, source)) {
      Stmt* between = emitter_.alloca_of(place->type->element);
      emitter_.copy(between, source);
      source = between;
    }
    emitter_.copy(place, source);
  }

  void range_for(const FrontendStmt& s) {
    std::vector<Stmt*> bounds = values(s.args);
    auto* loop = emitter_.emit<RangeForStmt>(none_type(), std::move(bounds), 1);
    loop->dims = s.dims;
    loop->parallel = s.parallel;
    loop->options = s.options;
    loop_of(s.label) = loop;
    nested(loop->blocks[0].get(), s.body);
  }

  void check(const FrontendStmt& s) {
    std::vector<Stmt*> arguments = values(s.args);
    auto* check = emitter_.emit<CheckStmt>(none_type(), std::move(arguments));
    check->check = s.check;
    check->name = s.name;
    check->message = s.message;
  }

  AST ast_;
  KernelIR kernel_;
  Emitter emitter_;
  ExprLowering exprs_;
};

}  // namespace

KernelIR lower_ast(AST ast, const CompileOptions&) { return Lowering(std::move(ast)).run(); }

}  // namespace qd
