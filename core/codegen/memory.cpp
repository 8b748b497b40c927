#include <optional>

#include "core/codegen/atomics.h"
#include "core/codegen/task_codegen.h"
#include "core/ir/error.h"

namespace qd {

namespace {

struct Leaf {
  const Type* type;
  int64_t offset;
};

// Up to this many scalars are copied one by one, which lets LLVM keep them in registers.
constexpr size_t kMaxLeaves = 16;

// False when there are more than kMaxLeaves.
bool collect_leaves(const Type* type, int64_t offset, std::vector<Leaf>& leaves) {
  switch (type->kind) {
    case Type::Kind::array:
      if (type->count > static_cast<int64_t>(kMaxLeaves)) return false;
      for (int64_t i = 0; i < type->count; ++i) {
        if (!collect_leaves(type->element, offset + i * type->element->size, leaves)) return false;
      }
      return true;
    case Type::Kind::structure:
      for (const StructField& field : type->fields) {
        if (!collect_leaves(field.type, offset + field.offset, leaves)) return false;
      }
      return true;
    default:
      leaves.push_back({type, offset});
      return leaves.size() <= kMaxLeaves;
  }
}

std::optional<std::vector<Leaf>> few_leaves(const Type* type) {
  std::vector<Leaf> leaves;
  if (!collect_leaves(type, 0, leaves)) return std::nullopt;
  return leaves;
}

const Type* pointee(const Stmt* pointer) { return pointer->type->element; }

// An index as base + offset, for offsets so small that base cannot overflow where base + offset is inside an array.
struct Offset {
  const Stmt* base;
  int64_t offset;
};
Offset split_offset(const Stmt* index) {
  constexpr int64_t kMaxOffset = int64_t{1} << 32;
  const auto* sum = as<BinaryStmt>(index);
  if (sum == nullptr || (sum->op != BinaryOp::add && sum->op != BinaryOp::sub)) return {index, 0};
  const auto* constant = as<ConstantStmt>(sum->operands[1]);
  if (constant == nullptr) return {index, 0};
  const auto offset = static_cast<int64_t>(constant->bits);
  if (offset <= -kMaxOffset || offset >= kMaxOffset) return {index, 0};
  return {sum->operands[0], sum->op == BinaryOp::add ? offset : -offset};
}

}  // namespace

Value TaskCodegen::load(const Type* type, Value at, const Stmt* pointer) {
  Value instruction = ir_.load_memory(type, at);
  note_access(instruction, pointer);
  return ir_.from_memory(type, instruction);
}

void TaskCodegen::store(const Type* type, Value value, Value at, const Stmt* pointer) {
  note_access(ir_.store(type, value, at), pointer);
}

void TaskCodegen::zero(const Type* type, const Stmt* pointer) {
  Value at = value(pointer);
  const auto leaves = few_leaves(type);
  if (!leaves) {
    LLVMBuildMemSet(ir_.get(), at, LLVMConstNull(ir_.int_type(8)), ir_.constant_i64(type->size),
                    static_cast<unsigned>(type->align));
    return;
  }
  for (const Leaf& leaf : *leaves) {
    store(leaf.type, LLVMConstNull(ir_.value_type(leaf.type)), ir_.byte_offset(at, leaf.offset), pointer);
  }
}

void TaskCodegen::emit(const AllocaStmt& stmt) {
  const Type* type = pointee(&stmt);
  locals_size_ += type->size;
  // Locals live on the stack of the thread that runs the task, whose size is not ours to choose.
  if (locals_size_ > max_locals()) {
    throw Error(Code::compile,
                "the local variables of one loop or serial part take more than " + std::to_string(max_locals()) +
                    " bytes; pass a large array as an argument",
                stmt.pos);
  }
  set(stmt, entry_alloca(ir_.memory_type(type), type->align));
  zero(type, &stmt);
}

void TaskCodegen::emit(const ElementPtrStmt& stmt) {
  // Indices lie inside the array, so the sums and products do not overflow.
  Value flat = value(stmt.operands[0]);
  for (size_t axis = 1; axis < stmt.operands.size(); ++axis) {
    Value length = arguments_->dim(stmt.param, static_cast<int32_t>(axis));
    flat = LLVMBuildNSWMul(ir_.get(), flat, length, "");
    // The offset of a neighbour [i][j+1] is added last, to what [i][j] shares. Were it part of the index, LLVM's GVN
    // would see in [i][j] the next iteration's [i][j+1] and carry it over in a register, which costs a shuffle a
    // vector.
    const Offset index = split_offset(stmt.operands[axis]);
    flat = ir_.add_nsw(flat, value(index.base));
    if (index.offset != 0) flat = ir_.add_nsw(flat, ir_.constant_i64(index.offset));
  }
  Value base = array_data(stmt.param);
  set(stmt, LLVMBuildInBoundsGEP2(ir_.get(), ir_.memory_type(pointee(&stmt)), base, &flat, 1, ""));
}

void TaskCodegen::emit(const OffsetPtrStmt& stmt) {
  Value pointer = ir_.byte_offset(value(stmt.operands[0]), stmt.offset);
  if (stmt.operands.size() > 1) {
    Value index = value(stmt.operands[1]);
    LLVMTypeRef element = LLVMArrayType2(ir_.int_type(8), static_cast<uint64_t>(stmt.stride));
    pointer = LLVMBuildInBoundsGEP2(ir_.get(), element, pointer, &index, 1, "");
  }
  set(stmt, pointer);
}

void TaskCodegen::emit(const TempPtrStmt& stmt) { set(stmt, ir_.byte_offset(arguments_->temps(), stmt.offset)); }

void TaskCodegen::emit(const LoadStmt& stmt) {
  const Stmt* pointer = stmt.operands[0];
  set(stmt, load(stmt.type, value(pointer), pointer));
}

void TaskCodegen::emit(const StoreStmt& stmt) {
  const Stmt* pointer = stmt.operands[0];
  store(pointee(pointer), value(stmt.operands[1]), value(pointer), pointer);
}

void TaskCodegen::emit(const CopyStmt& stmt) {
  const Type* type = pointee(stmt.operands[0]);
  Value destination = value(stmt.operands[0]);
  Value source = value(stmt.operands[1]);
  const auto leaves = few_leaves(type);
  if (!leaves) {
    const auto align = static_cast<unsigned>(type->align);
    LLVMBuildMemCpy(ir_.get(), destination, align, source, align, ir_.constant_i64(type->size));
    return;
  }
  std::vector<Value> scalars;
  for (const Leaf& leaf : *leaves) {
    scalars.push_back(load(leaf.type, ir_.byte_offset(source, leaf.offset), stmt.operands[1]));
  }
  for (size_t i = 0; i < leaves->size(); ++i) {
    store((*leaves)[i].type, scalars[i], ir_.byte_offset(destination, (*leaves)[i].offset), stmt.operands[0]);
  }
}

void TaskCodegen::emit(const ZeroStmt& stmt) { zero(pointee(stmt.operands[0]), stmt.operands[0]); }

void TaskCodegen::emit(const AtomicStmt& stmt) {
  const Stmt* pointer = stmt.operands[0];
  const Type* type = pointee(pointer);
  Value operand = value(stmt.operands[1]);
  if (!stmt.plain) {
    set(stmt, emit_atomic(ir_, stmt.op, type, value(pointer), operand));
    return;
  }
  Value old = load(type, value(pointer), pointer);
  store(type, emit_atomic_result(ir_, stmt.op, type, old, operand), value(pointer), pointer);
  set(stmt, old);
}

void TaskCodegen::emit(const AtomicCasStmt& stmt) {
  const Stmt* pointer = stmt.operands[0];
  set(stmt, emit_atomic_cas(ir_, pointee(pointer), value(pointer), value(stmt.operands[1]), value(stmt.operands[2])));
}

}  // namespace qd
