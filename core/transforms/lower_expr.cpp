#include "core/transforms/lower_expr.h"

#include "core/ir/constant.h"

namespace qd {

namespace {

// How many operations the right side of && or || may have to be evaluated always, instead of under a branch.
constexpr int kSpeculated = 16;

bool is_logic(const Expr& expr) {
  return expr.kind == ExprKind::binary &&
         (expr.op == static_cast<int32_t>(BinaryOp::logic_and) || expr.op == static_cast<int32_t>(BinaryOp::logic_or));
}

bool is_costly(UnaryOp op) { return op >= UnaryOp::sqrt && op <= UnaryOp::cbrt; }

bool is_costly(BinaryOp op) {
  switch (op) {
    case BinaryOp::pow:
    case BinaryOp::atan2:
    case BinaryOp::hypot:
    case BinaryOp::mod:
      return true;
    default:
      return false;
  }
}

bool is_division(BinaryOp op) {
  return op == BinaryOp::div || op == BinaryOp::rem || op == BinaryOp::floor_div || op == BinaryOp::floor_mod;
}

}  // namespace

ExprLowering::ExprLowering(const AST& ast, KernelIR& kernel, Emitter& emitter)
    : locals(ast.locals.size()),
      bound(ast.bound_types.size()),
      loops(ast.labels.size()),
      ast_(ast),
      kernel_(kernel),
      emitter_(emitter) {}

Stmt* ExprLowering::value(ExprId id) {
  const Expr& expr = at(id);
  if (expr.kind <= ExprKind::bound && !expr.is_place) return leaf(expr);
  PosId outer = emitter_.pos;
  // A leaf may be used far from where it was made; the user's position says more.
  if (expr.kind > ExprKind::bound && expr.pos >= 0) emitter_.pos = expr.pos;
  Stmt* result = expr.is_place ? emitter_.load(address(id)) : inner(expr);
  emitter_.pos = outer;
  return result;
}

Stmt* ExprLowering::leaf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::constant:
      return emitter_.constant(expr.type, expr.bits);
    case ExprKind::param_value:
      return emitter_.arg_load(expr.index, expr.type);
    case ExprKind::dim:
      return emitter_.array_dim(expr.index, expr.axis);
    case ExprKind::loop_index:
      return emitter_.loop_index(loops[static_cast<size_t>(expr.index)], expr.axis);
    default:
      return bound[static_cast<size_t>(expr.index)];
  }
}

Stmt* ExprLowering::inner(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::unary:
      return emitter_.unary(static_cast<UnaryOp>(expr.op), value(expr.args[0]));
    case ExprKind::binary:
      return is_logic(expr) ? short_circuit(expr) : binary(expr);
    case ExprKind::cast: {
      Stmt* operand = value(expr.args[0]);
      CastOp op = static_cast<CastOp>(expr.op);
      if (op == CastOp::round) return rounded(operand);
      return emitter_.cast(operand, expr.type, op);
    }
    case ExprKind::select: {
      Stmt* condition = value(expr.args[0]);
      Stmt* x = value(expr.args[1]);
      Stmt* y = value(expr.args[2]);
      return emitter_.select(condition, x, y);
    }
    case ExprKind::random: {
      auto* random = emitter_.emit<RandomStmt>(expr.type);
      random->sequence = randoms_++;
      return random;
    }
    default:
      return checked_index(expr);
  }
}

// ---- places --------------------------------------------------------------------------------------------------------

bool ExprLowering::always_in_range(const Expr& item) const {
  const Expr& index = at(item.args[1]);
  return index.kind == ExprKind::constant && index.bits < static_cast<uint64_t>(at(item.args[0]).type->count);
}

ExprLowering::Address ExprLowering::chain(ExprId id) {
  const Expr& expr = at(id);
  switch (expr.kind) {
    case ExprKind::local:
      return {locals[static_cast<size_t>(expr.index)]};
    case ExprKind::param_value: {
      auto* place = emitter_.emit<ArgPlaceStmt>(kernel_.types.pointer_to(expr.type));
      place->param = expr.index;
      return {place};
    }
    case ExprKind::element: {
      std::vector<Stmt*> indices;
      for (ExprId index : expr.args) indices.push_back(value(index));
      PosId outer = emitter_.pos;
      if (expr.pos >= 0) emitter_.pos = expr.pos;
      auto* element = emitter_.emit<ElementPtrStmt>(kernel_.types.pointer_to(expr.type), std::move(indices));
      emitter_.pos = outer;
      element->param = expr.index;
      element->check = expr.checked;
      return {element};
    }
    case ExprKind::field: {
      Address base = chain(expr.args[0]);
      base.offset += at(expr.args[0]).type->fields[static_cast<size_t>(expr.index)].offset;
      return base;
    }
    default: {
      Address base = chain(expr.args[0]);
      if (!always_in_range(expr)) return {item(base, expr)};
      base.offset += static_cast<int64_t>(at(expr.args[1]).bits) * expr.type->size;
      return base;
    }
  }
}

Stmt* ExprLowering::item(Address base, const Expr& expr) {
  Stmt* index = value(expr.args[1]);
  PosId outer = emitter_.pos;
  if (expr.pos >= 0) emitter_.pos = expr.pos;
  auto* pointer =
      emitter_.emit<OffsetPtrStmt>(kernel_.types.pointer_to(expr.type), std::vector<Stmt*>{base.base, index});
  emitter_.pos = outer;
  pointer->offset = base.offset;
  pointer->stride = expr.type->size;
  pointer->count = at(expr.args[0]).type->count;
  pointer->check = expr.checked;
  return pointer;
}

Stmt* ExprLowering::materialize(Address address, const Type* type) {
  const Type* pointer = kernel_.types.pointer_to(type);
  if (address.offset == 0 && address.base->type == pointer) return address.base;
  auto* moved = emitter_.emit<OffsetPtrStmt>(pointer, std::vector<Stmt*>{address.base});
  moved->offset = address.offset;
  return moved;
}

Stmt* ExprLowering::address(ExprId id) { return materialize(chain(id), at(id).type); }

Stmt* ExprLowering::checked_index(const Expr& expr) {
  Stmt* index = value(expr.args[0]);
  Stmt* length = value(expr.args[1]);
  const auto* known = as<ConstantStmt>(index);
  const auto* limit = as<ConstantStmt>(length);
  if (known != nullptr && limit != nullptr && signed_value(known) >= 0 && signed_value(known) < signed_value(limit))
    return index;
  auto* check = emitter_.emit<CheckStmt>(none_type(), std::vector<Stmt*>{index, length});
  check->check = CheckKind::index;
  check->name = expr.name;
  return index;
}

// ---- operators -----------------------------------------------------------------------------------------------------

Stmt* ExprLowering::binary(const Expr& expr) {
  Stmt* x = value(expr.args[0]);
  Stmt* y = value(expr.args[1]);
  Stmt* result = emitter_.binary(static_cast<BinaryOp>(expr.op), x, y);
  if (unfused_.contains(x) || unfused_.contains(y)) as<BinaryStmt>(result)->contract = false;
  return result;
}

// An explicit conversion keeps a product from fusing with a later sum: the product is told so, or, where it comes out
// of a local and cannot be, the sum.
Stmt* ExprLowering::rounded(Stmt* operand) {
  Stmt* product = operand;
  while (product->kind == StmtKind::unary) product = product->operands[0];
  if (auto* binary = as<BinaryStmt>(product)) binary->contract = false;
  Stmt* cast = emitter_.cast(operand, operand->type, CastOp::round);
  if (product->kind == StmtKind::load || product->kind == StmtKind::select) unfused_.insert(cast);
  return cast;
}

Stmt* ExprLowering::short_circuit(const Expr& expr) {
  BinaryOp op = static_cast<BinaryOp>(expr.op);
  Stmt* left = value(expr.args[0]);
  int budget = kSpeculated;
  if (is_cheap(expr.args[1], budget)) return emitter_.binary(op, left, value(expr.args[1]));

  bool is_and = op == BinaryOp::logic_and;
  Block* block = emitter_.block();
  Stmt* result = emitter_.alloca_of(scalar_type(Primitive::u1));
  emitter_.store(result, left);
  IfStmt* branch = emitter_.if_else(left);
  emitter_.set_block(branch->blocks[is_and ? 0 : 1].get());
  Stmt* right = value(expr.args[1]);
  emitter_.store(result, right);
  emitter_.set_block(block);
  return emitter_.load(result);
}

bool ExprLowering::is_cheap(ExprId id, int& budget) const {
  const Expr& expr = at(id);
  if (--budget < 0) return false;
  switch (expr.kind) {
    case ExprKind::element:        // what stands before && may be what keeps the index in range
    case ExprKind::checked_index:  // fails the launch
    case ExprKind::random:         // counts its calls
      return false;
    case ExprKind::item:
      if (!always_in_range(expr)) return false;
      break;
    case ExprKind::unary:
      if (is_costly(static_cast<UnaryOp>(expr.op))) return false;
      break;
    case ExprKind::binary: {
      BinaryOp op = static_cast<BinaryOp>(expr.op);
      const Expr& right = at(expr.args[1]);
      if (is_costly(op)) return false;
      bool constant = right.kind == ExprKind::constant;
      if (is_division(op) && expr.type->is_integer() && !(constant && right.bits != 0)) return false;
      if ((op == BinaryOp::shl || op == BinaryOp::shr) && right.type->is_signed() &&
          !(constant && static_cast<int64_t>(right.bits) >= 0))
        return false;
      break;
    }
    default:
      break;
  }
  for (ExprId arg : expr.args) {
    if (!is_cheap(arg, budget)) return false;
  }
  return true;
}

}  // namespace qd
