// Statements that hold no others.
#include "core/frontend/ast_builder_impl.h"
#include "core/frontend/operator_types.h"

namespace qd {

namespace {

// Throws unless the text holds exactly `args` %v, and no other % than %%.
void check_format(const BuilderState& s, const std::string& format, size_t args) {
  size_t found = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    char next = ++i < format.size() ? format[i] : '\0';
    if (next == 'v')
      ++found;
    else if (next != '%')
      s.fail("a print format may hold only %v and %%, write a percent sign as %%");
  }
  if (found != args)
    s.fail("a print format with " + std::to_string(found) + " %v needs as many arguments, not " + std::to_string(args));
}

}  // namespace

ExprId ASTBuilder::local(std::string name, int32_t type, ExprId init) {
  Impl& s = state();
  const Type* of = s.type(type);
  Uses uses(s);
  if (init != -1 && uses.any(init, "an initial value").type != of)
    s.fail("local " + name + " of type " + to_string(of) + " cannot start as " + to_string(s.ast.exprs[init].type) +
           "; cast it");
  if (of->size > builder_limits::local_bytes - s.local_bytes)
    s.fail("local " + name + " of " + std::to_string(of->size) +
           " bytes is too large for a thread's stack; pass an array instead");
  s.local_bytes += of->size;
  auto stmt = s.make_statement(FrontendKind::local);
  stmt->index = static_cast<int32_t>(s.ast.locals.size());
  stmt->expr = init;
  Expr expr;
  expr.kind = ExprKind::local;
  expr.type = of;
  expr.is_place = true;
  expr.index = stmt->index;
  ExprId id = s.add_leaf(std::move(expr), {.block = s.top().id});
  s.ast.locals.push_back({std::move(name), of});
  s.add_statement(std::move(stmt));
  uses.commit();
  return id;
}

ExprId ASTBuilder::bind(ExprId value) {
  Impl& s = state();
  Uses uses(s);
  const Type* type = uses.scalar(value, "a bound value").type;
  auto stmt = s.make_statement(FrontendKind::bind);
  stmt->expr = value;
  stmt->index = static_cast<int32_t>(s.ast.bound_types.size());
  ExprId id = s.add_bound(type);
  s.add_statement(std::move(stmt));
  uses.commit();
  return id;
}

void ASTBuilder::assign(ExprId place, ExprId value) {
  Impl& s = state();
  Uses uses(s);
  const Type* to = uses.place(place, "the left side of an assignment").type;
  const Type* from = uses.any(value, "the right side of an assignment").type;
  if (to != from) s.fail("cannot assign " + to_string(from) + " to a place of type " + to_string(to) + "; cast it");
  s.check_writable(place, true);
  auto stmt = s.make_statement(FrontendKind::assign);
  stmt->place = place;
  stmt->expr = value;
  s.add_statement(std::move(stmt));
  uses.commit();
}

ExprId ASTBuilder::atomic(int32_t op, ExprId place, ExprId value) {
  Impl& s = state();
  if (op < 0 || op >= static_cast<int32_t>(AtomicOp::count_))
    s.fail("there is no atomic operator " + std::to_string(op));
  Uses uses(s);
  const Type* of = uses.scalar_place(place, "the place of an atomic").type;
  uses.scalar_of(value, of, "the value of an atomic");
  OperatorType type = atomic_type(static_cast<AtomicOp>(op), of);
  if (type.result == nullptr) s.fail(type.why);
  s.check_writable(place, false);
  auto stmt = s.make_statement(FrontendKind::atomic);
  stmt->op = op;
  stmt->place = place;
  stmt->expr = value;
  stmt->index = static_cast<int32_t>(s.ast.bound_types.size());
  ExprId id = s.add_bound(of);
  s.add_statement(std::move(stmt));
  uses.commit();
  return id;
}

ExprId ASTBuilder::atomic_cas(ExprId place, ExprId expected, ExprId desired) {
  Impl& s = state();
  Uses uses(s);
  const Type* of = uses.scalar_place(place, "the place of a compare-and-swap").type;
  uses.scalar_of(expected, of, "the expected value of a compare-and-swap");
  uses.scalar_of(desired, of, "the new value of a compare-and-swap");
  OperatorType type = atomic_type(AtomicOp::exchange, of);
  if (type.result == nullptr) s.fail(type.why);
  s.check_writable(place, false);
  auto stmt = s.make_statement(FrontendKind::atomic_cas);
  stmt->place = place;
  stmt->expr = expected;
  stmt->expr2 = desired;
  stmt->index = static_cast<int32_t>(s.ast.bound_types.size());
  ExprId id = s.add_bound(of);
  s.add_statement(std::move(stmt));
  uses.commit();
  return id;
}

void ASTBuilder::check(CheckKind kind, const std::vector<ExprId>& args, std::string name, std::string message) {
  Impl& s = state();
  const Type* i64 = scalar_type(Primitive::i64);
  Uses uses(s);
  auto want = [&](size_t count, const char* what) {
    if (args.size() != count)
      s.fail(std::string(what) + " takes " + std::to_string(count) + " values, not " + std::to_string(args.size()));
  };
  switch (kind) {
    case CheckKind::index:
    case CheckKind::length:
      want(2, kind == CheckKind::index ? "an index check" : "a length check");
      for (ExprId arg : args) uses.scalar_of(arg, i64, "a checked value");
      break;
    case CheckKind::slice:
      want(3, "a slice check");
      for (ExprId arg : args) uses.scalar_of(arg, i64, "a checked value");
      break;
    case CheckKind::nonzero:
    case CheckKind::shift:
      want(1, kind == CheckKind::nonzero ? "a check for zero" : "a shift check");
      if (!uses.scalar(args[0], "a checked value").type->is_integer()) s.fail("a checked value must be an integer");
      break;
    case CheckKind::assertion:
      if (args.empty()) s.fail("an assertion needs a condition");
      if (args.size() > builder_limits::check_values + 1)
        s.fail("an assertion reports at most " + std::to_string(builder_limits::check_values) + " values, not " +
               std::to_string(args.size() - 1));
      uses.scalar_of(args[0], scalar_type(Primitive::u1), "the condition of an assertion");
      for (size_t i = 1; i < args.size(); ++i) uses.scalar(args[i], "an argument of an assertion");
      break;
    default:
      s.fail("there is no check " + std::to_string(static_cast<int32_t>(kind)));
  }
  auto stmt = s.make_statement(FrontendKind::check);
  stmt->check = kind;
  stmt->args = args;
  stmt->name = std::move(name);
  stmt->message = std::move(message);
  s.add_statement(std::move(stmt));
  uses.commit();
}

void ASTBuilder::print(const std::vector<ExprId>& args, std::string format, bool to_stderr) {
  Impl& s = state();
  if (args.size() > builder_limits::print_args)
    s.fail("a print takes at most " + std::to_string(builder_limits::print_args) + " arguments, not " +
           std::to_string(args.size()));
  check_format(s, format, args.size());
  Uses uses(s);
  for (ExprId arg : args) uses.scalar(arg, "a printed value");
  auto stmt = s.make_statement(FrontendKind::print);
  stmt->args = args;
  stmt->message = std::move(format);
  stmt->to_stderr = to_stderr;
  s.add_statement(std::move(stmt));
  uses.commit();
}

}  // namespace qd
