#include "core/codegen/loop_hints.h"

#include <llvm-c/DebugInfo.h>

#include <string_view>

namespace qd {

void keep_rolled(const IrBuilder& ir, Value back_edge) {
  LLVMContextRef context = ir.context();
  static constexpr std::string_view kHint = "llvm.loop.unroll.disable";
  LLVMMetadataRef hint = LLVMMDStringInContext2(context, kHint.data(), kHint.size());
  // A loop's node names itself first, so that no other loop has the same one.
  LLVMMetadataRef self = LLVMTemporaryMDNode(context, nullptr, 0);
  LLVMMetadataRef operands[] = {self, LLVMMDNodeInContext2(context, &hint, 1)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, 2);
  LLVMMetadataReplaceAllUsesWith(self, node);
  static constexpr std::string_view kKind = "llvm.loop";
  LLVMSetMetadata(back_edge, LLVMGetMDKindIDInContext(context, kKind.data(), kKind.size()),
                  LLVMMetadataAsValue(context, node));
}

}  // namespace qd
