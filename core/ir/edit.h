// Making, walking, cloning and replacing statements.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "core/ir/kernel_ir.h"

namespace qd {

// Where new statements go. Every emit sets position, group and parent.
class Emitter {
 public:
  Emitter(TypeTable& types, Block* block) : types_(types), block_(block), index_(block->statements.size()) {}
  Emitter(TypeTable& types, Block* block, size_t index) : types_(types), block_(block), index_(index) {}
  static Emitter before(TypeTable& types, Stmt* stmt);
  static Emitter after(TypeTable& types, Stmt* stmt);

  PosId pos = -1;
  GroupId group = 0;

  Block* block() const { return block_; }
  void set_block(Block* block) {
    block_ = block;
    index_ = block->statements.size();
  }

  template <class T>
  T* emit(const Type* type, std::vector<Stmt*> operands = {}, size_t blocks = 0) {
    auto owned = std::make_unique<T>();
    T* stmt = owned.get();
    place(std::move(owned), type, std::move(operands), blocks);
    return stmt;
  }

  // Shorthands; each gives its result the type that follows from its operands.
  Stmt* constant(const Type* type, uint64_t bits);
  Stmt* constant_int(const Type* type, int64_t value);
  Stmt* constant_float(const Type* type, double value);
  Stmt* constant_bool(bool value);
  Stmt* arg_load(int32_t param, const Type* type);
  Stmt* array_dim(int32_t param, int32_t axis);
  Stmt* loop_index(Stmt* loop, int32_t axis);
  Stmt* unary(UnaryOp op, Stmt* x);
  Stmt* binary(BinaryOp op, Stmt* x, Stmt* y);
  Stmt* cast(Stmt* x, const Type* to, CastOp op = CastOp::value);
  Stmt* select(Stmt* condition, Stmt* x, Stmt* y);
  Stmt* alloca_of(const Type* type, std::string name = {});
  Stmt* load(Stmt* pointer);
  void store(Stmt* pointer, Stmt* value);
  void copy(Stmt* destination, Stmt* source);
  Stmt* atomic(AtomicOp op, Stmt* pointer, Stmt* value);
  IfStmt* if_else(Stmt* condition);

 private:
  void place(std::unique_ptr<Stmt> stmt, const Type* type, std::vector<Stmt*> operands, size_t blocks);
  TypeTable& types_;
  Block* block_;
  size_t index_;
};

// Pre-order over a block's statements and all nested ones. The callback may not remove statements.
void walk(Block* block, const std::function<void(Stmt*)>& f);
void walk(const Block* block, const std::function<void(const Stmt*)>& f);

// Every operand that is `from`, in `root` and below, becomes `to`.
void replace_uses(Block* root, Stmt* from, Stmt* to);
// Number of operands in `root` and below that are each statement.
std::unordered_map<const Stmt*, int> count_uses(const Block* root);

using StmtMap = std::unordered_map<const Stmt*, Stmt*>;
// A deep copy; operands that the map holds, or that the copy holds, are mapped, others kept. The map is filled.
std::unique_ptr<Stmt> clone(const Stmt* stmt, StmtMap& map);
std::unique_ptr<Block> clone(const Block* block, StmtMap& map);

// Structural equality and hash over kinds, types, groups, attributes, operands (by order of appearance) and blocks;
// positions do not count.
bool equal(const Block* a, const Block* b);
uint64_t hash(const Block* block);

// True for a statement whose result depends on its operands alone and that has no effect (it may be removed, repeated
// or moved): no memory, no check, no control flow.
bool is_pure(const Stmt* stmt);
// True when control never goes past the statement: break, continue, stop, or an if whose both sides leave.
bool always_leaves(const Stmt* stmt);
bool always_leaves(const Block* block);

}  // namespace qd
