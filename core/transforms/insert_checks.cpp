// Index, division and shift tests become statements of their own, so that later passes can remove or move them.
#include "core/analysis/access.h"
#include "core/ir/constant.h"
#include "core/ir/edit.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

bool is_integer_division(const Stmt* stmt) {
  const auto* binary = as<BinaryStmt>(stmt);
  if (binary == nullptr || !stmt->type->is_integer()) return false;
  return binary->op == BinaryOp::div || binary->op == BinaryOp::rem || binary->op == BinaryOp::floor_div ||
         binary->op == BinaryOp::floor_mod;
}

bool is_shift(const Stmt* stmt) {
  const auto* binary = as<BinaryStmt>(stmt);
  return binary != nullptr && (binary->op == BinaryOp::shl || binary->op == BinaryOp::shr);
}

// An integer that is not negative whatever the kernel is given.
bool never_negative(const Stmt* value) {
  if (!value->type->is_signed()) return true;
  const auto operand = [&](size_t i) { return value->operands[i]; };
  if (const auto* constant = as<ConstantStmt>(value)) return signed_value(constant) >= 0;
  if (value->kind == StmtKind::array_dim) return true;
  if (const auto* index = as<LoopIndexStmt>(value)) {
    return never_negative(index->operands[0]->operands[2 * static_cast<size_t>(index->axis)]);
  }
  if (const auto* cast = as<CastStmt>(value)) {
    const Type* from = operand(0)->type;
    if (cast->op != CastOp::value || !(from->is_integer() || from->is_bool())) return false;
    if (from->is_signed()) return from->size <= value->type->size && never_negative(operand(0));
    return from->is_bool() || from->size < value->type->size;
  }
  if (const auto* binary = as<BinaryStmt>(value)) {
    switch (binary->op) {
      case BinaryOp::bit_and:
      case BinaryOp::max:
        return never_negative(operand(0)) || never_negative(operand(1));
      case BinaryOp::min:
      case BinaryOp::div:
        return never_negative(operand(0)) && never_negative(operand(1));
      case BinaryOp::rem:
      case BinaryOp::shr:
        return never_negative(operand(0));
      default:
        return false;
    }
  }
  return false;
}

class CheckInserter {
 public:
  CheckInserter(KernelIR& kernel, const CompileOptions& options) : kernel_(kernel), options_(options) {}

  void block(Block* block) {
    std::vector<std::unique_ptr<Stmt>> old = std::move(block->statements);
    block->statements.clear();
    for (auto& owned : old) {
      Stmt* stmt = owned.get();
      for (Stmt*& operand : stmt->operands) {
        if (auto found = replaced_.find(operand); found != replaced_.end()) operand = found->second;
      }
      if (!options_.checks && stmt->kind == StmtKind::check) continue;
      Emitter emitter(kernel_.types, block);
      emitter.pos = stmt->pos;
      emitter.group = stmt->group;
      before(stmt, emitter);
      block->append(std::move(owned));
      emitter.set_block(block);
      after(stmt, emitter);
      for (auto& inner : stmt->blocks) this->block(inner.get());
    }
  }

 private:
  void check(Emitter& emitter, CheckKind kind, std::vector<Stmt*> operands, std::string name = {}, int32_t axis = 0) {
    if (!options_.checks) return;
    auto* made = emitter.emit<CheckStmt>(none_type(), std::move(operands));
    made->check = kind;
    made->name = std::move(name);
    made->axis = axis;
  }

  std::string name_of(const Stmt* pointer) const {
    const Stmt* root = pointer_root(pointer);
    if (const auto* local = as<AllocaStmt>(root)) return local->name;
    int32_t param = -1;
    if (const auto* element = as<ElementPtrStmt>(root)) param = element->param;
    if (const auto* place = as<ArgPlaceStmt>(root)) param = place->param;
    return param < 0 ? std::string() : kernel_.params[static_cast<size_t>(param)].name;
  }

  void element(ElementPtrStmt* element, Emitter& emitter) {
    if (element->check && options_.checks) {
      for (size_t axis = 0; axis < element->operands.size(); axis++) {
        Stmt* length = emitter.array_dim(element->param, static_cast<int32_t>(axis));
        check(emitter, CheckKind::index, {element->operands[axis], length}, name_of(element),
              static_cast<int32_t>(axis));
      }
    }
    element->check = false;
  }

  void offset(OffsetPtrStmt* offset, Emitter& emitter) {
    if (offset->check && options_.checks && offset->operands.size() == 2 && offset->count >= 0) {
      Stmt* index = offset->operands[1];
      const auto* constant = as<ConstantStmt>(index);
      const bool inside = constant != nullptr && constant->bits < static_cast<uint64_t>(offset->count);
      if (!inside) {
        Stmt* length = emitter.constant_int(index->type, offset->count);
        check(emitter, CheckKind::index, {index, length}, name_of(offset));
      }
    }
    offset->check = false;
  }

  void before(Stmt* stmt, Emitter& emitter) {
    if (auto* pointer = as<ElementPtrStmt>(stmt)) element(pointer, emitter);
    if (auto* pointer = as<OffsetPtrStmt>(stmt)) offset(pointer, emitter);
    if (is_shift(stmt) && !never_negative(stmt->operands[1])) check(emitter, CheckKind::shift, {stmt->operands[1]});
    if (!is_integer_division(stmt)) return;
    Stmt* divisor = stmt->operands[1];
    if (const auto* constant = as<ConstantStmt>(divisor); constant != nullptr && constant->bits != 0) return;
    if (options_.checks) {
      check(emitter, CheckKind::nonzero, {divisor});
      return;
    }
    // Unchecked division by zero gives 0; the hardware must never see it.
    Stmt* zero = emitter.constant_int(divisor->type, 0);
    is_zero_ = emitter.binary(BinaryOp::eq, divisor, zero);
    stmt->operands[1] = emitter.select(is_zero_, emitter.constant_int(divisor->type, 1), divisor);
  }

  void after(Stmt* stmt, Emitter& emitter) {
    if (is_zero_ == nullptr) return;
    Stmt* zero = emitter.constant_int(stmt->type, 0);
    replaced_[stmt] = emitter.select(is_zero_, zero, stmt);
    is_zero_ = nullptr;
  }

  KernelIR& kernel_;
  const CompileOptions& options_;
  StmtMap replaced_;
  Stmt* is_zero_ = nullptr;  // of the division between before() and after()
};

}  // namespace

void insert_checks(KernelIR& kernel, const CompileOptions& options) {
  CheckInserter(kernel, options).block(kernel.root.get());
}

}  // namespace qd
