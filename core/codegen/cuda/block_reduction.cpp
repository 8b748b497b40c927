// A block's part of a reduction: lanes, then a warp's threads by shuffles, then the warps through shared memory; thread
// 0 has the sum and does the one atomic. Every thread of the block comes here, whether it failed or had nothing to do.
#include <algorithm>

#include "core/codegen/arithmetic.h"
#include "core/codegen/cuda/cuda_task.h"

namespace qd {

// Each lane has accumulators of its own; the way of single iterations uses those of lane 0.
void CudaTaskCodegen::emit_prologue() {
  lane_values_.assign(static_cast<size_t>(lanes_plan_.width), {});
  for (size_t lane = lane_values_.size(); lane-- > 0;) {
    values_.clear();
    emit(block(offloaded_block::prologue));
    lane_values_[lane] = values_;
  }
}

void CudaTaskCodegen::emit_epilogue() {
  for (const auto& stmt : block(offloaded_block::epilogue).statements) {
    const auto reduction = std::find_if(reductions_.begin(), reductions_.end(),
                                        [&](const auto& r) { return r.second.total == stmt.get(); });
    if (reduction == reductions_.end()) {
      emit_one(stmt.get());
    } else {
      values_[stmt.get()] = block_total(reduction->first, reduction->second);
    }
  }
}

Value CudaTaskCodegen::shuffle_down(const Type* type, Value value, int offset) {
  LLVMBuilderRef b = ir_.get();
  LLVMTypeRef i32 = ir_.int_type(32);
  auto shuffle = [&](Value word) {
    return ir_.intrinsic("llvm.nvvm.shfl.sync.down.i32", {},
                         {ir_.constant(i32, 0xffffffff), word, ir_.constant(i32, static_cast<uint64_t>(offset)),
                          ir_.constant(i32, kWarp - 1)});
  };
  Value bits = LLVMBuildBitCast(b, value, ir_.bits_type(type), "");
  if (type->size == 8) {
    Value low = shuffle(LLVMBuildTrunc(b, bits, i32, ""));
    Value high = shuffle(LLVMBuildTrunc(b, LLVMBuildLShr(b, bits, ir_.constant_i64(32), ""), i32, ""));
    bits = LLVMBuildOr(b, LLVMBuildShl(b, widen(high), ir_.constant_i64(32), ""), widen(low), "");
  } else if (type->size == 4) {
    bits = shuffle(bits);
  } else {
    bits = LLVMBuildTrunc(b, shuffle(LLVMBuildZExt(b, bits, i32, "")), ir_.bits_type(type), "");
  }
  return LLVMBuildBitCast(b, bits, ir_.value_type(type), "");
}

// Right in the warp's first thread.
Value CudaTaskCodegen::combine_in_warp(const TaskReduction& reduction, const Type* type, Value value) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    Value other = shuffle_down(type, value, offset);
    value = emit_binary(ir_, reduction.combine, type, value, other, type, {});
  }
  return value;
}

Value CudaTaskCodegen::block_total(const Stmt* accumulator, const TaskReduction& reduction) {
  LLVMBuilderRef b = ir_.get();
  LLVMTypeRef i32 = ir_.int_type(32);
  const Type* type = accumulator->type->element;
  Value identity = ir_.scalar_constant(type, reduction.identity);
  Value total = nullptr;
  for (const Values& values : lane_values_) {
    Value part = ir_.load(type, values.at(accumulator));
    total = total == nullptr ? part : emit_binary(ir_, reduction.combine, type, total, part, type, {});
  }
  total = combine_in_warp(reduction, type, total);
  if (block_dim_ > kWarp) {
    LLVMTypeRef parts_type = LLVMArrayType2(ir_.memory_type(type), kWarp);
    Value parts = LLVMAddGlobalInAddressSpace(ir_.module(), parts_type, "parts", kShared);
    LLVMSetLinkage(parts, LLVMInternalLinkage);
    LLVMSetInitializer(parts, LLVMGetUndef(parts_type));
    LLVMSetAlignment(parts, 8);
    shared_bytes_ += kWarp * type->size;
    auto part_of = [&](Value index) {
      Value at[] = {ir_.constant_i64(0), widen(index)};
      return LLVMBuildInBoundsGEP2(b, parts_type, parts, at, 2, "");
    };
    Value lane = LLVMBuildAnd(b, thread_, ir_.constant(i32, kWarp - 1), "");
    Value warp = LLVMBuildLShr(b, thread_, ir_.constant(i32, kStridedShift), "");
    LLVMBasicBlockRef write = ir_.new_block("part");
    LLVMBasicBlockRef wait = ir_.new_block("parts");
    ir_.branch(ir_.compare(LLVMIntEQ, lane, LLVMConstNull(i32)), write, wait);
    ir_.enter(write);
    ir_.store(type, total, part_of(warp));
    ir_.jump(wait);
    ir_.enter(wait);
    emit_barrier();
    // Every warp reads them all, so that no branch stands around the shuffles.
    Value warps = ir_.constant(i32, static_cast<uint64_t>(block_dim_ / kWarp));
    Value has_part = ir_.compare(LLVMIntULT, lane, warps);
    Value read = ir_.load(type, part_of(ir_.select(has_part, lane, LLVMConstNull(i32))));
    total = combine_in_warp(reduction, type, ir_.select(has_part, read, identity));
  }
  return ir_.select(ir_.compare(LLVMIntEQ, thread_, LLVMConstNull(i32)), total, identity);
}

void CudaTaskCodegen::emit_barrier() {
  // Its name changed with LLVM 21.
  static constexpr std::string_view kName = "llvm.nvvm.barrier.cta.sync.aligned.all";
  if (LLVMLookupIntrinsicID(kName.data(), kName.size()) != 0) {
    ir_.intrinsic(kName.data(), {}, {ir_.constant(ir_.int_type(32), 0)});
  } else {
    ir_.intrinsic("llvm.nvvm.barrier0", {}, {});
  }
}

}  // namespace qd
