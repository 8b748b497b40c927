#include "core/codegen/loop_hints.h"

#include <llvm-c/DebugInfo.h>

#include <string_view>
#include <vector>

namespace qd {

namespace {

void attach(const IrBuilder& ir, Value back_edge, std::vector<LLVMMetadataRef> hint) {
  LLVMContextRef context = ir.context();
  // A loop's node names itself first, so that no other loop has the same one.
  LLVMMetadataRef self = LLVMTemporaryMDNode(context, nullptr, 0);
  LLVMMetadataRef operands[] = {self, LLVMMDNodeInContext2(context, hint.data(), hint.size())};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, 2);
  LLVMMetadataReplaceAllUsesWith(self, node);
  static constexpr std::string_view kKind = "llvm.loop";
  LLVMSetMetadata(back_edge, LLVMGetMDKindIDInContext(context, kKind.data(), kKind.size()),
                  LLVMMetadataAsValue(context, node));
}

LLVMMetadataRef text(const IrBuilder& ir, std::string_view name) {
  return LLVMMDStringInContext2(ir.context(), name.data(), name.size());
}

}  // namespace

void keep_rolled(const IrBuilder& ir, Value back_edge) {
  attach(ir, back_edge, {text(ir, "llvm.loop.unroll.disable")});
}

void unroll(const IrBuilder& ir, Value back_edge, unsigned count) {
  attach(ir, back_edge, {text(ir, "llvm.loop.unroll.count"), LLVMValueAsMetadata(ir.constant(ir.int_type(32), count))});
}

}  // namespace qd
