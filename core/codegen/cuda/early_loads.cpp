#include "core/codegen/cuda/early_loads.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace qd {

namespace {

// Each occupies a register meanwhile.
constexpr size_t kMaxLoads = 16;

bool branches_inside(Value at) {
  if (LLVMGetInstructionOpcode(at) == LLVMFDiv) return true;
  if (LLVMIsACallInst(at) == nullptr) return false;
  Value callee = LLVMGetCalledValue(at);
  if (callee == nullptr || LLVMIsAFunction(callee) == nullptr) return false;
  size_t length = 0;
  const char* name = LLVMGetValueName2(callee, &length);
  return std::string_view(name, length).starts_with("llvm.sqrt.");
}

bool computes_address(Value at) {
  switch (LLVMGetInstructionOpcode(at)) {
    case LLVMGetElementPtr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
    case LLVMAnd:
    case LLVMZExt:
    case LLVMSExt:
      return true;
    default:
      return false;
  }
}

// A block's instructions from the first that branches inside.
class EarlyLoads {
 public:
  EarlyLoads(const IrBuilder& ir, unsigned invariant) : ir_(ir), invariant_(invariant) {}

  void run(LLVMBasicBlockRef block) {
    Value anchor = LLVMGetFirstInstruction(block);
    while (anchor != nullptr && !branches_inside(anchor)) anchor = LLVMGetNextInstruction(anchor);
    if (anchor == nullptr) return;
    later_.clear();
    std::vector<Value> loads;
    for (Value at = anchor; at != nullptr; at = LLVMGetNextInstruction(at)) {
      later_.insert(at);
      if (LLVMIsALoadInst(at) != nullptr && LLVMGetMetadata(at, invariant_) != nullptr) loads.push_back(at);
    }
    if (loads.size() > kMaxLoads) loads.resize(kMaxLoads);
    for (Value load : loads) {
      std::vector<Value> moved;
      if (!gather(LLVMGetOperand(load, 0), moved)) continue;
      moved.push_back(load);
      for (Value at : moved) {
        LLVMInstructionRemoveFromParent(at);
        LLVMPositionBuilderBefore(ir_.get(), anchor);
        LLVMInsertIntoBuilder(ir_.get(), at);
        later_.erase(at);
      }
    }
  }

 private:
  // What must move along, operands first. False where something cannot.
  bool gather(Value value, std::vector<Value>& moved) const {
    if (!later_.contains(value) || std::find(moved.begin(), moved.end(), value) != moved.end()) return true;
    if (!computes_address(value)) return false;
    for (int i = 0; i < LLVMGetNumOperands(value); ++i) {
      if (!gather(LLVMGetOperand(value, static_cast<unsigned>(i)), moved)) return false;
    }
    moved.push_back(value);
    return true;
  }

  const IrBuilder& ir_;
  const unsigned invariant_;
  std::unordered_set<Value> later_;
};

}  // namespace

void load_early(const IrBuilder& ir) {
  static constexpr std::string_view kInvariant = "invariant.load";
  EarlyLoads early(ir, LLVMGetMDKindIDInContext(ir.context(), kInvariant.data(), kInvariant.size()));
  for (Value function = LLVMGetFirstFunction(ir.module()); function; function = LLVMGetNextFunction(function)) {
    for (auto* block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) early.run(block);
  }
}

}  // namespace qd
