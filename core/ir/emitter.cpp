#include <algorithm>
#include <bit>

#include "core/ir/constant.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"
#include "core/ir/result_type.h"

namespace qd {

namespace {

const Type* pointee(const Stmt* pointer) {
  if (!pointer->type->is_pointer()) {
    throw Error(Code::internal, "a pointer was expected, not a value of type " + to_string(pointer->type),
                pointer->pos);
  }
  return pointer->type->element;
}

}  // namespace

Emitter Emitter::before(TypeTable& types, Stmt* stmt) {
  Emitter emitter(types, stmt->parent, stmt->parent->index_of(stmt));
  emitter.pos = stmt->pos;
  emitter.group = stmt->group;
  return emitter;
}

Emitter Emitter::after(TypeTable& types, Stmt* stmt) {
  Emitter emitter = before(types, stmt);
  ++emitter.index_;
  return emitter;
}

void Emitter::place(std::unique_ptr<Stmt> stmt, const Type* type, std::vector<Stmt*> operands, size_t blocks) {
  stmt->type = type;
  stmt->pos = pos;
  stmt->group = group;
  stmt->operands = std::move(operands);
  for (size_t i = 0; i < blocks; ++i) {
    stmt->blocks.push_back(std::make_unique<Block>());
    stmt->blocks.back()->parent_stmt = stmt.get();
  }
  index_ = std::min(index_, block_->statements.size());
  block_->insert(index_++, std::move(stmt));
}

Stmt* Emitter::constant(const Type* type, uint64_t bits) {
  auto* stmt = emit<ConstantStmt>(type);
  stmt->bits = type->is_float() ? float_bits(type, std::bit_cast<double>(bits)) : integer_bits(type, bits);
  return stmt;
}

Stmt* Emitter::constant_int(const Type* type, int64_t value) {
  if (type->is_float()) return constant_float(type, static_cast<double>(value));
  return constant(type, integer_bits(type, static_cast<uint64_t>(value)));
}

Stmt* Emitter::constant_float(const Type* type, double value) { return constant(type, float_bits(type, value)); }

Stmt* Emitter::constant_bool(bool value) { return constant(scalar_type(Primitive::u1), value ? 1 : 0); }

Stmt* Emitter::arg_load(int32_t param, const Type* type) {
  auto* stmt = emit<ArgLoadStmt>(type);
  stmt->param = param;
  return stmt;
}

Stmt* Emitter::array_dim(int32_t param, int32_t axis) {
  auto* stmt = emit<ArrayDimStmt>(scalar_type(Primitive::i64));
  stmt->param = param;
  stmt->axis = axis;
  return stmt;
}

Stmt* Emitter::loop_index(Stmt* loop, int32_t axis) {
  auto* stmt = emit<LoopIndexStmt>(scalar_type(Primitive::i64), {loop});
  stmt->axis = axis;
  return stmt;
}

Stmt* Emitter::unary(UnaryOp op, Stmt* x) {
  auto* stmt = emit<UnaryStmt>(result_type(op, x->type), {x});
  stmt->op = op;
  return stmt;
}

Stmt* Emitter::binary(BinaryOp op, Stmt* x, Stmt* y) {
  auto* stmt = emit<BinaryStmt>(result_type(op, x->type), {x, y});
  stmt->op = op;
  return stmt;
}

Stmt* Emitter::cast(Stmt* x, const Type* to, CastOp op) {
  auto* stmt = emit<CastStmt>(to, {x});
  stmt->op = op;
  return stmt;
}

Stmt* Emitter::select(Stmt* condition, Stmt* x, Stmt* y) { return emit<SelectStmt>(x->type, {condition, x, y}); }

Stmt* Emitter::alloca_of(const Type* type, std::string name) {
  auto* stmt = emit<AllocaStmt>(types_.pointer_to(type));
  stmt->name = std::move(name);
  return stmt;
}

Stmt* Emitter::load(Stmt* pointer) { return emit<LoadStmt>(pointee(pointer), {pointer}); }

void Emitter::store(Stmt* pointer, Stmt* value) { emit<StoreStmt>(none_type(), {pointer, value}); }

void Emitter::copy(Stmt* destination, Stmt* source) { emit<CopyStmt>(none_type(), {destination, source}); }

Stmt* Emitter::atomic(AtomicOp op, Stmt* pointer, Stmt* value) {
  auto* stmt = emit<AtomicStmt>(pointee(pointer), {pointer, value});
  stmt->op = op;
  return stmt;
}

IfStmt* Emitter::if_else(Stmt* condition) { return emit<IfStmt>(none_type(), {condition}, 2); }

}  // namespace qd
