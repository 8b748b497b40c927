#include "core/codegen/cuda/private_array.h"

#include <bit>
#include <cstddef>

#include "core/analysis/access.h"
#include "core/codegen/atomics.h"
#include "core/codegen/cuda/cuda_task.h"
#include "core/ir/edit.h"

namespace qd {

namespace {

// The body exists twice, and so do its locals.
constexpr int64_t kMaxLocals = 4096;

struct Gathering {
  AtomicOp flush;
  uint64_t identity;
};
std::optional<Gathering> gathering(AtomicOp op, const Type* type) {
  const uint64_t ones = type->size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * type->size) - 1;
  const uint64_t top = ones ^ ones >> 1;
  const bool adds = op == AtomicOp::add || op == AtomicOp::sub;
  // Adding -0 changes no float.
  if (type->is_float() && adds) return Gathering{AtomicOp::add, std::bit_cast<uint64_t>(-0.0)};
  if (!type->is_integer()) return std::nullopt;
  switch (op) {
    case AtomicOp::add:
    case AtomicOp::sub:
      return Gathering{AtomicOp::add, 0};
    case AtomicOp::min:
      return Gathering{op, type->is_signed() ? ones >> 1 : ones};
    case AtomicOp::max:
      return Gathering{op, type->is_signed() ? top : 0};
    case AtomicOp::bit_and:
    case AtomicOp::and_not:
      return Gathering{AtomicOp::bit_and, ones};
    case AtomicOp::bit_or:
    case AtomicOp::bit_xor:
      return Gathering{op, 0};
    default:
      return std::nullopt;
  }
}

bool has_private_place(const OffloadedStmt& task) {
  return task.task == TaskType::range_for && task.blocks[offloaded_block::prologue]->statements.empty() &&
         task.blocks[offloaded_block::epilogue]->statements.empty();
}

}  // namespace

std::optional<PrivateArray> find_private_array(const TaskContext& context) {
  const OffloadedStmt& task = context.task;
  if (!has_private_place(task) || context.options.may_alias) return std::nullopt;
  std::optional<PrivateArray> found;
  bool possible = true;
  int64_t locals = 0;
  const auto consider = [&](const AtomicStmt& atomic, int uses) {
    const auto* element = as<ElementPtrStmt>(static_cast<const Stmt*>(atomic.operands[0]));
    if (atomic.plain || element == nullptr || uses > 0) return false;
    const Type* type = element->type->element;
    if (!type->is_scalar() || (type->size != 4 && type->size != 8)) return false;
    const auto gathered = gathering(atomic.op, type);
    if (!gathered) return false;
    if (found) return found->param == element->param && found->op == atomic.op;
    found = {element->param, type, atomic.op, gathered->flush, gathered->identity};
    return true;
  };
  std::set<int32_t> touched;
  for (const auto& code : task.blocks) {
    const auto uses = count_uses(code.get());
    walk(static_cast<const Block*>(code.get()), [&](const Stmt* stmt) {
      if (stmt->kind == StmtKind::alloca_) locals += stmt->type->element->size;
      if (const auto* atomic = as<AtomicStmt>(stmt)) {
        const auto used = uses.find(stmt);
        // A plain one is a load and a store.
        if (!atomic->plain) {
          possible &= consider(*atomic, used == uses.end() ? 0 : used->second);
          return;
        }
      }
      if (stmt->kind == StmtKind::atomic_cas) possible = false;
      const MemoryAccess access = memory_access(stmt);
      for (const Stmt* pointer : {access.read, access.written}) {
        if (const auto* element = as<ElementPtrStmt>(pointer_root(pointer))) touched.insert(element->param);
      }
    });
  }
  if (!possible || !found || touched.contains(found->param) || locals > kMaxLocals) return std::nullopt;
  return found;
}

Value CudaTaskCodegen::private_cell_count() const {
  return field(scalar_type(Primitive::u32), offsetof(CudaLaunch, private_cells));
}

Value CudaTaskCodegen::array_data(int32_t param) {
  const bool from_copy = gathers_ && private_array_ && private_array_->param == param;
  return from_copy ? private_cells_ : TaskCodegen::array_data(param);
}

// f gets a cell's number, i32, for each that is this thread's.
template <class F>
void CudaTaskCodegen::for_each_private_cell(Value count, F f) {
  LLVMTypeRef i32 = ir_.int_type(32);
  LLVMBasicBlockRef before = ir_.current_block();
  LLVMBasicBlockRef header = ir_.new_block("cells");
  LLVMBasicBlockRef body = ir_.new_block("cell");
  LLVMBasicBlockRef done = ir_.new_block("cells_done");
  ir_.jump(header);
  ir_.enter(header);
  Value cell = ir_.phi(i32);
  IrBuilder::add_incoming(cell, thread_, before);
  ir_.branch(ir_.compare(LLVMIntULT, cell, count), body, done);
  ir_.enter(body);
  f(widen(cell));
  IrBuilder::add_incoming(cell, add(cell, ir_.constant(i32, static_cast<uint64_t>(block_dim_))), ir_.current_block());
  ir_.jump(header);
  ir_.enter(done);
}

Value CudaTaskCodegen::private_cell(Value number) {
  return LLVMBuildInBoundsGEP2(ir_.get(), ir_.memory_type(private_array_->type), private_cells_, &number, 1, "");
}

void CudaTaskCodegen::emit_clear_private() {
  if (!private_array_) return;
  LLVMTypeRef bytes = LLVMArrayType2(ir_.int_type(8), 0);
  private_cells_ = LLVMAddGlobalInAddressSpace(ir_.module(), bytes, (place_.entry + "_cells").c_str(), kShared);
  LLVMSetAlignment(private_cells_, 16);
  LLVMBasicBlockRef clear = ir_.new_block("clear");
  LLVMBasicBlockRef cleared = ir_.new_block("cleared");
  Value count = private_cell_count();
  ir_.branch(ir_.compare(LLVMIntNE, count, LLVMConstNull(ir_.int_type(32))), clear, cleared);
  ir_.enter(clear);
  const Type* type = private_array_->type;
  for_each_private_cell(count, [&](Value cell) {
    ir_.store(type, ir_.scalar_constant(type, private_array_->identity), private_cell(cell));
  });
  emit_barrier();
  ir_.jump(cleared);
  ir_.enter(cleared);
}

// Every thread of the block comes here, whether it failed or had nothing to do.
void CudaTaskCodegen::emit_flush_private() {
  if (!private_array_) return;
  LLVMBuilderRef b = ir_.get();
  LLVMBasicBlockRef flush = ir_.new_block("flush");
  LLVMBasicBlockRef flushed = ir_.new_block("flushed");
  Value count = private_cell_count();
  ir_.branch(ir_.compare(LLVMIntNE, count, LLVMConstNull(ir_.int_type(32))), flush, flushed);
  ir_.enter(flush);
  emit_barrier();
  const Type* type = private_array_->type;
  Value nothing = LLVMBuildBitCast(b, ir_.scalar_constant(type, private_array_->identity), ir_.bits_type(type), "");
  for_each_private_cell(count, [&](Value cell) {
    Value part = ir_.load(type, private_cell(cell));
    LLVMBasicBlockRef update = ir_.new_block("update");
    LLVMBasicBlockRef next = ir_.new_block("next_cell");
    Value bits = LLVMBuildBitCast(b, part, ir_.bits_type(type), "");
    ir_.branch(ir_.compare(LLVMIntNE, bits, nothing), update, next);
    ir_.enter(update);
    Value data = TaskCodegen::array_data(private_array_->param);
    Value place = LLVMBuildInBoundsGEP2(b, ir_.memory_type(type), data, &cell, 1, "");
    emit_atomic(ir_, private_array_->flush, type, place, part);
    ir_.jump(next);
    ir_.enter(next);
  });
  ir_.jump(flushed);
  ir_.enter(flushed);
}

// The tiles as a loop that adds to the block's copy, and once more as they are where the host chose not to copy.
void CudaTaskCodegen::emit_tiles() {
  const auto tiles = [&] {
    if (last_axis() == 0) {
      emit_tiles_of_line();
    } else {
      emit_tiles_of_rows();
    }
  };
  width_ = lanes_plan_.width;
  if (!private_array_) return tiles();
  LLVMBasicBlockRef gather = ir_.new_block("gather");
  LLVMBasicBlockRef direct = ir_.new_block("direct");
  Value none = LLVMConstNull(ir_.int_type(32));
  ir_.branch(ir_.compare(LLVMIntNE, private_cell_count(), none), gather, direct);
  ir_.enter(gather);
  gathers_ = strided_ = true;
  width_ = lanes_plan_.looping;
  const Values before = values_;
  const std::vector<Values> lanes_before = lane_values_;
  lane_values_.assign(static_cast<size_t>(width_), before);
  Value threads = threads_;
  threads_ = ir_.constant(ir_.int_type(32), static_cast<uint64_t>(block_dim_));
  tiles();
  ir_.jump(leave_);
  gathers_ = strided_ = false;
  width_ = lanes_plan_.width;
  threads_ = threads;
  values_ = before;
  lane_values_ = lanes_before;
  ir_.enter(direct);
  tiles();
}

}  // namespace qd
