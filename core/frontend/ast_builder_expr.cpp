// Expressions.
#include <bit>
#include <limits>

#include "core/frontend/ast_builder_impl.h"
#include "core/frontend/operator_types.h"

namespace qd {

namespace {

bool fits(const Type* type, int64_t value) {
  if (type->is_bool()) return value == 0 || value == 1;
  int bits = type->bits();
  if (bits == 64) return true;  // a u64 is given by its bits
  if (type->is_unsigned()) return value >= 0 && value < (int64_t{1} << bits);
  return value >= -(int64_t{1} << (bits - 1)) && value < (int64_t{1} << (bits - 1));
}

// The value of an integer constant, if it is one.
bool constant_value(const Expr& expr, int64_t& value) {
  value = static_cast<int64_t>(expr.bits);
  return expr.kind == ExprKind::constant;
}

template <class Op>
Op operator_of(const BuilderState& s, int32_t op, const char* what) {
  if (op < 0 || op >= static_cast<int32_t>(Op::count_))
    s.fail("there is no " + std::string(what) + " operator " + std::to_string(op));
  return static_cast<Op>(op);
}

}  // namespace

ExprId ASTBuilder::constant_int(int32_t type, int64_t value) {
  Impl& s = state();
  const Type* of = s.scalar_of(type, "a constant's type");
  if (of->is_float()) s.fail("constant_int cannot make a " + to_string(of) + "; use constant_float");
  if (!fits(of, value)) s.fail("constant " + std::to_string(value) + " does not fit " + to_string(of));
  Expr expr;
  expr.kind = ExprKind::constant;
  expr.type = of;
  expr.bits = static_cast<uint64_t>(value);
  return s.add_leaf(std::move(expr), {});
}

ExprId ASTBuilder::constant_float(int32_t type, double value) {
  Impl& s = state();
  const Type* of = s.scalar_of(type, "a constant's type");
  if (!of->is_float()) s.fail("constant_float cannot make a " + to_string(of) + "; use constant_int");
  Expr expr;
  expr.kind = ExprKind::constant;
  expr.type = of;
  expr.bits = std::bit_cast<uint64_t>(value);
  return s.add_leaf(std::move(expr), {});
}

ExprId ASTBuilder::param(int32_t param) {
  Impl& s = state();
  const Param& found = s.param(param);
  if (found.is_array()) s.fail("parameter " + found.name + " is an array; use an element of it, or its length");
  Expr expr;
  expr.kind = ExprKind::param_value;
  expr.type = found.type;
  expr.is_place = found.type->is_aggregate();
  expr.index = param;
  return s.add_leaf(std::move(expr), {});
}

ExprId ASTBuilder::dim(int32_t param, int32_t axis) {
  Impl& s = state();
  const Param& array = s.array_param(param, "a length");
  if (axis < 0 || axis >= array.rank)
    s.fail("array " + array.name + " of rank " + std::to_string(array.rank) + " has no axis " + std::to_string(axis));
  Expr expr;
  expr.kind = ExprKind::dim;
  expr.type = scalar_type(Primitive::i64);
  expr.index = param;
  expr.axis = axis;
  return s.add_leaf(std::move(expr), {});
}

ExprId ASTBuilder::loop_index(LabelId loop, int32_t axis) {
  Impl& s = state();
  const Frame* frame = s.enclosing(loop);
  if (frame == nullptr) s.fail("no loop with label " + std::to_string(loop) + " is open here");
  if (frame->kind != Frame::Kind::for_)
    s.fail("label " + std::to_string(loop) + " is not a for loop; only those have an index");
  int32_t dims = s.ast.labels[loop].dims;
  if (axis < 0 || axis >= dims)
    s.fail("a loop of " + std::to_string(dims) + " axes has no axis " + std::to_string(axis));
  Expr expr;
  expr.kind = ExprKind::loop_index;
  expr.type = scalar_type(Primitive::i64);
  expr.index = loop;
  expr.axis = axis;
  return s.add_leaf(std::move(expr), {.block = frame->id});
}

ExprId ASTBuilder::element(int32_t param, const std::vector<ExprId>& indices, bool checked) {
  Impl& s = state();
  const Param& array = s.array_param(param, "an element");
  if (indices.size() != static_cast<size_t>(array.rank))
    s.fail("array " + array.name + " takes " + std::to_string(array.rank) + " indices, not " +
           std::to_string(indices.size()));
  Uses uses(s);
  for (ExprId index : indices) {
    const Expr& used = uses.scalar_of(index, scalar_type(Primitive::i64), "an index");
    int64_t value = 0;
    if (!checked && constant_value(used, value) && value < 0)
      s.fail("unchecked index " + std::to_string(value) + " of array " + array.name + " is out of range");
  }
  Expr expr;
  expr.kind = ExprKind::element;
  expr.type = array.type;
  expr.is_place = true;
  expr.checked = checked;
  expr.index = param;
  return s.add_inner(std::move(expr), uses);
}

ExprId ASTBuilder::field(ExprId place, int32_t field) {
  Impl& s = state();
  Uses uses(s);
  const Type* of = uses.place(place, "the struct of a field").type;
  if (of->kind != Type::Kind::structure) s.fail(to_string(of) + " has no fields; use a place of a struct");
  if (field < 0 || static_cast<size_t>(field) >= of->fields.size())
    s.fail(to_string(of) + " has no field " + std::to_string(field));
  Expr expr;
  expr.kind = ExprKind::field;
  expr.type = of->fields[field].type;
  expr.is_place = true;
  expr.index = field;
  return s.add_inner(std::move(expr), uses);
}

ExprId ASTBuilder::item(ExprId place, ExprId index, bool checked) {
  Impl& s = state();
  Uses uses(s);
  const Type* of = uses.place(place, "the array of an item").type;
  if (of->kind != Type::Kind::array) s.fail(to_string(of) + " has no items; use a place of an array");
  const Expr& used = uses.scalar_of(index, scalar_type(Primitive::i64), "an index");
  int64_t value = 0;
  if (!checked && constant_value(used, value) && (value < 0 || value >= of->count))
    s.fail("unchecked index " + std::to_string(value) + " is out of range of " + to_string(of));
  Expr expr;
  expr.kind = ExprKind::item;
  expr.type = of->element;
  expr.is_place = true;
  expr.checked = checked;
  return s.add_inner(std::move(expr), uses);
}

ExprId ASTBuilder::checked_index(ExprId index, ExprId length, std::string name) {
  Impl& s = state();
  Uses uses(s);
  uses.scalar_of(index, scalar_type(Primitive::i64), "an index");
  uses.scalar_of(length, scalar_type(Primitive::i64), "a length");
  Expr expr;
  expr.kind = ExprKind::checked_index;
  expr.type = scalar_type(Primitive::i64);
  expr.name = std::move(name);
  return s.add_inner(std::move(expr), uses);
}

ExprId ASTBuilder::unary(int32_t op, ExprId x) {
  Impl& s = state();
  UnaryOp kind = operator_of<UnaryOp>(s, op, "unary");
  Uses uses(s);
  OperatorType type = unary_type(kind, uses.scalar(x, "an operand").type);
  if (type.result == nullptr) s.fail(type.why);
  Expr expr;
  expr.kind = ExprKind::unary;
  expr.type = type.result;
  expr.op = op;
  return s.add_inner(std::move(expr), uses);
}

ExprId ASTBuilder::binary(int32_t op, ExprId x, ExprId y) {
  Impl& s = state();
  BinaryOp kind = operator_of<BinaryOp>(s, op, "binary");
  Uses uses(s);
  const Type* left = uses.scalar(x, "the left operand").type;
  const Type* right = uses.scalar(y, "the right operand").type;
  OperatorType type = binary_type(kind, left, right);
  if (type.result == nullptr) s.fail(type.why);
  Expr expr;
  expr.kind = ExprKind::binary;
  expr.type = type.result;
  expr.op = op;
  return s.add_inner(std::move(expr), uses);
}

ExprId ASTBuilder::cast(int32_t op, ExprId x, int32_t type) {
  Impl& s = state();
  if (op < 0 || op > static_cast<int32_t>(CastOp::round)) s.fail("there is no cast operator " + std::to_string(op));
  const Type* to = s.scalar_of(type, "the target of a cast");
  Uses uses(s);
  OperatorType result = cast_type(static_cast<CastOp>(op), uses.scalar(x, "the operand of a cast").type, to);
  if (result.result == nullptr) s.fail(result.why);
  Expr expr;
  expr.kind = ExprKind::cast;
  expr.type = to;
  expr.op = op;
  return s.add_inner(std::move(expr), uses);
}

ExprId ASTBuilder::select(ExprId condition, ExprId x, ExprId y) {
  Impl& s = state();
  Uses uses(s);
  uses.scalar_of(condition, scalar_type(Primitive::u1), "the condition of a select");
  const Type* type = uses.scalar(x, "a select's value").type;
  uses.scalar_of(y, type, "a select's other value");
  Expr expr;
  expr.kind = ExprKind::select;
  expr.type = type;
  return s.add_inner(std::move(expr), uses);
}

ExprId ASTBuilder::random(int32_t type) {
  Impl& s = state();
  const Type* of = s.scalar_of(type, "the type of a random number");
  if (of->is_bool()) s.fail("a random number must be an integer or a float, not u1; compare one instead");
  Uses none(s);
  Expr expr;
  expr.kind = ExprKind::random;
  expr.type = of;
  return s.add_inner(std::move(expr), none);
}

}  // namespace qd
