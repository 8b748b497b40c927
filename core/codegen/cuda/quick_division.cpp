#include "core/codegen/cuda/quick_division.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace qd {

namespace {

// Fewer gain nothing.
constexpr size_t kLeast = 2;
// Each keeps its result in a register until the test.
constexpr size_t kMost = 16;

bool is_float(Value value) { return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMFloatTypeKind; }

std::string_view callee_name(Value call) {
  Value callee = LLVMGetCalledValue(call);
  if (callee == nullptr || LLVMIsAFunction(callee) == nullptr) return {};
  size_t length = 0;
  const char* name = LLVMGetValueName2(callee, &length);
  return {name, length};
}

bool is_square_root(Value at) { return LLVMIsACallInst(at) != nullptr && callee_name(at) == "llvm.sqrt.f32"; }

bool is_constant(Value x) { return LLVMIsAConstantFP(x) != nullptr; }
double constant_value(Value constant) {
  LLVMBool loses = 0;
  return LLVMConstRealGetDouble(constant, &loses);
}
// The quick way of a quotient takes operands of these sizes; then it is a normal number, and no step underflows.
bool is_middling(double x) { return std::abs(x) >= 0x1p-63 && std::abs(x) < 0x1p63; }

bool is_reciprocal(Value division) {
  Value x = LLVMGetOperand(division, 0);
  return is_constant(x) && constant_value(x) == 1;
}

// An operation that need not be exact is approximated anyway.
bool has_quick_way(Value at) {
  if (!is_float(at)) return false;
  const bool root = is_square_root(at);
  if (!root && LLVMGetInstructionOpcode(at) != LLVMFDiv) return false;
  if ((LLVMGetFastMathFlags(at) & LLVMFastMathApproxFunc) != 0) return false;
  if (root) return true;
  for (const unsigned operand : {0U, 1U}) {
    Value x = LLVMGetOperand(at, operand);
    if (is_constant(x) && !is_middling(constant_value(x))) return false;
  }
  return true;
}

// It computes its value from its operands alone.
bool is_pure(Value at) {
  switch (LLVMGetInstructionOpcode(at)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMAlloca:
    case LLVMPHI:
      return false;
    case LLVMCall: {
      static constexpr std::string_view kPure[] = {
          "llvm.sqrt.",  "llvm.fma.",  "llvm.fabs.",   "llvm.copysign.", "llvm.fptosi.sat.",
          "llvm.floor.", "llvm.ceil.", "llvm.minnum.", "llvm.maxnum.",   "llvm.fptoui.sat.",
          "llvm.smin.",  "llvm.smax.", "llvm.umin.",   "llvm.umax.",     "llvm.trunc."};
      const std::string_view name = callee_name(at);
      return std::any_of(std::begin(kPure), std::end(kPure), [&](auto pure) { return name.starts_with(pure); });
    }
    default:
      return LLVMIsATerminatorInst(at) == nullptr;
  }
}

// What may stand between the first operation and the last, though it is not done twice.
bool is_harmless(Value at) {
  if (LLVMIsALoadInst(at) != nullptr) {
    return LLVMGetVolatile(at) == 0 && LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic;
  }
  return LLVMIsACallInst(at) != nullptr && callee_name(at) == "llvm.assume";
}

// The quick way of one operation, and whether its operands rule it out.
class QuickSteps {
 public:
  explicit QuickSteps(const IrBuilder& ir)
      : ir_(ir), f32_(LLVMFloatTypeInContext(ir.context())), i32_(ir.int_type(32)) {}

  // Writes them before `at`. The values are the result and an i1.
  std::pair<Value, Value> write(Value at) {
    LLVMPositionBuilderBefore(ir_.get(), at);
    Value x = LLVMGetOperand(at, 0);
    if (is_square_root(at)) return square_root(x);
    Value y = LLVMGetOperand(at, 1);
    return is_reciprocal(at) ? reciprocal_of(y) : quotient(x, y);
  }

 private:
  Value number(double value) const { return LLVMConstReal(f32_, value); }
  Value word(uint32_t value) const { return ir_.constant(i32_, value); }
  Value bits(Value x) const { return LLVMBuildBitCast(ir_.get(), x, i32_, ""); }
  Value times(Value x, Value y) const { return LLVMBuildFMul(ir_.get(), x, y, ""); }
  Value minus(Value x) const { return LLVMBuildFNeg(ir_.get(), x, ""); }
  Value fused(Value x, Value y, Value z) const { return ir_.intrinsic("llvm.fma", {f32_}, {x, y, z}); }
  Value add_word(Value x, uint32_t y) const { return LLVMBuildAdd(ir_.get(), x, word(y), ""); }

  // From 2^-101 on.
  std::pair<Value, Value> square_root(Value x) const {
    Value rare = ir_.compare(LLVMIntUGT, add_word(bits(x), -0x0d000000U), word(0x727fffff));
    Value estimate = ir_.intrinsic("llvm.nvvm.rsqrt.approx.ftz.f", {}, {x});
    Value root = times(x, estimate), half = times(estimate, number(0.5));
    Value rest = fused(minus(root), root, x);
    return {fused(rest, half, root), rare};
  }

  // From 2^-126 to 2^126.
  std::pair<Value, Value> reciprocal_of(Value y) const {
    Value exponent = LLVMBuildAnd(ir_.get(), add_word(bits(y), 0x01800000), word(0x7f800000), "");
    Value rare = ir_.compare(LLVMIntULT, exponent, word(0x02000000));
    Value estimate = ir_.intrinsic("llvm.nvvm.rcp.approx.ftz.f", {}, {y});
    Value excess = fused(y, estimate, number(-1));
    return {fused(estimate, minus(excess), estimate), rare};
  }

  // x may also be +0; of -0 the steps lose the sign.
  std::pair<Value, Value> quotient(Value x, Value y) const {
    Value odd = LLVMBuildAnd(ir_.get(), not_middling(x), ir_.compare(LLVMIntNE, bits(x), word(0)), "");
    Value rare = LLVMBuildOr(ir_.get(), odd, not_middling(y), "");
    Value estimate = ir_.intrinsic("llvm.nvvm.rcp.approx.ftz.f", {}, {y});
    Value excess = fused(minus(y), estimate, number(1));
    Value inverse = fused(estimate, excess, estimate);
    Value result = times(x, inverse);
    for (int step = 0; step < 2; ++step) {
      Value rest = fused(minus(y), result, x);
      result = fused(rest, inverse, result);
    }
    return {result, rare};
  }

  Value not_middling(Value x) const {
    Value without_sign = LLVMBuildShl(ir_.get(), bits(x), word(1), "");
    return ir_.compare(LLVMIntUGE, add_word(without_sign, -(64U << 24)), word(126U << 24));
  }

  const IrBuilder& ir_;
  LLVMTypeRef f32_, i32_;
};

// A block's operations, from the first to one behind which something cannot be done twice.
class BlockDivisions {
 public:
  BlockDivisions(const IrBuilder& ir, LLVMBasicBlockRef block) : ir_(ir), block_(block) {}

  // False where there are too few.
  bool find() {
    for (Value at = LLVMGetFirstInstruction(block_); at != nullptr; at = LLVMGetNextInstruction(at)) {
      const bool operation = has_quick_way(at), follows = depends(at, depending_);
      if (operations_.empty() && !operation) continue;
      // An address that an estimate leads to may lie anywhere.
      if (operations_.size() == kMost || !(is_pure(at) || (is_harmless(at) && !follows))) {
        if (operations_.size() >= kLeast) break;
        operations_.clear();
        depending_.clear();
        continue;
      }
      if (operation) operations_.push_back(at);
      if (operation || follows) depending_.insert(at);
    }
    return operations_.size() >= kLeast;
  }

  // The block becomes what follows the last operation.
  void rewrite() {
    choose_needed();
    LLVMBasicBlockRef quick = LLVMInsertBasicBlockInContext(ir_.context(), block_, "quick");
    LLVMBasicBlockRef slow = LLVMInsertBasicBlockInContext(ir_.context(), block_, "slow");
    // While the block has no terminator, only branches to it are uses of it: its successors' phis keep naming it.
    Value terminator = LLVMGetBasicBlockTerminator(block_);
    LLVMInstructionRemoveFromParent(terminator);
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block_), LLVMBasicBlockAsValue(quick));
    ir_.enter(block_);
    LLVMInsertIntoBuilder(ir_.get(), terminator);
    move_to(quick);
    copy_to(slow);
    Value rare = write_steps();
    ir_.enter(quick);
    ir_.branch_likely(LLVMBuildNot(ir_.get(), rare, ""), block_, slow);
    join(quick, slow);
  }

 private:
  static bool depends(Value at, const std::unordered_set<Value>& on) {
    for (int i = 0; i < LLVMGetNumOperands(at); ++i) {
      if (on.contains(LLVMGetOperand(at, static_cast<unsigned>(i)))) return true;
    }
    return false;
  }

  bool is_operation(Value at) const {
    return std::find(operations_.begin(), operations_.end(), at) != operations_.end();
  }

  // Of the instructions up to the last operation: what the operations need, and what cannot move behind them.
  void choose_needed() {
    std::vector<Value> before;
    for (Value at = LLVMGetFirstInstruction(block_); at != operations_.back(); at = LLVMGetNextInstruction(at)) {
      before.push_back(at);
    }
    before.push_back(operations_.back());
    std::unordered_set<Value> needed;
    for (auto at = before.rbegin(); at != before.rend(); ++at) {
      if (is_pure(*at) && !is_operation(*at) && !needed.contains(*at)) continue;
      needed.insert(*at);
      for (int i = 0; i < LLVMGetNumOperands(*at); ++i) needed.insert(LLVMGetOperand(*at, static_cast<unsigned>(i)));
    }
    for (Value at : before) {
      if (needed.contains(at)) head_.push_back(at);
    }
  }

  void move_to(LLVMBasicBlockRef quick) {
    ir_.enter(quick);
    for (Value at : head_) {
      LLVMInstructionRemoveFromParent(at);
      LLVMInsertIntoBuilder(ir_.get(), at);
    }
  }

  // What depends on an operation, and the operations as they were.
  void copy_to(LLVMBasicBlockRef slow) {
    ir_.enter(slow);
    for (Value at : head_) {
      if (!depending_.contains(at)) continue;
      Value copy = LLVMInstructionClone(at);
      LLVMInsertIntoBuilder(ir_.get(), copy);
      for (int i = 0; i < LLVMGetNumOperands(copy); ++i) {
        const auto operand = static_cast<unsigned>(i);
        if (const auto other = copies_.find(LLVMGetOperand(copy, operand)); other != copies_.end()) {
          LLVMSetOperand(copy, operand, other->second);
        }
      }
      copies_[at] = copy;
      copied_.push_back(at);
    }
    ir_.jump(block_);
  }

  Value write_steps() {
    QuickSteps steps(ir_);
    Value any = nullptr;
    for (Value at : operations_) {
      const auto [result, rare] = steps.write(at);
      any = any == nullptr ? rare : LLVMBuildOr(ir_.get(), any, rare, "");
      quick_[at] = result;
    }
    return any;
  }

  // A phi where a value that there are now two of is used behind; then the operations themselves go.
  void join(LLVMBasicBlockRef quick, LLVMBasicBlockRef slow) {
    Value first = LLVMGetFirstInstruction(block_);
    for (Value at : copied_) {
      const auto result = quick_.find(at);
      Value fast = result == quick_.end() ? at : result->second;
      Value phi = nullptr;
      std::vector<std::pair<Value, unsigned>> uses;
      for (LLVMUseRef use = LLVMGetFirstUse(at); use != nullptr; use = LLVMGetNextUse(use)) {
        Value user = LLVMGetUser(use);
        for (int i = 0; i < LLVMGetNumOperands(user); ++i) {
          const auto operand = static_cast<unsigned>(i);
          if (LLVMGetOperand(user, operand) == at) uses.emplace_back(user, operand);
        }
      }
      for (const auto& [user, operand] : uses) {
        // A loop's phis stand in the quick block, but read what comes around from behind.
        const bool inside = LLVMGetInstructionParent(user) == quick && LLVMIsAPHINode(user) == nullptr;
        if (!inside && phi == nullptr) {
          LLVMPositionBuilderBefore(ir_.get(), first);
          phi = ir_.phi(LLVMTypeOf(at));
          IrBuilder::add_incoming(phi, fast, quick);
          IrBuilder::add_incoming(phi, copies_.at(at), slow);
        }
        LLVMSetOperand(user, operand, inside ? fast : phi);
      }
    }
    for (auto at = operations_.rbegin(); at != operations_.rend(); ++at) LLVMInstructionEraseFromParent(*at);
  }

  const IrBuilder& ir_;
  LLVMBasicBlockRef block_;
  std::vector<Value> operations_, head_, copied_;
  std::unordered_set<Value> depending_;  // on an operation's result, and the operations
  std::unordered_map<Value, Value> copies_, quick_;
};

}  // namespace

void divide_quickly(const IrBuilder& ir) {
  for (Value function = LLVMGetFirstFunction(ir.module()); function; function = LLVMGetNextFunction(function)) {
    std::vector<LLVMBasicBlockRef> blocks;
    for (auto* block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      blocks.push_back(block);
    }
    for (LLVMBasicBlockRef block : blocks) {
      for (;;) {
        BlockDivisions divisions(ir, block);
        if (!divisions.find()) break;
        divisions.rewrite();
      }
    }
  }
}

}  // namespace qd
