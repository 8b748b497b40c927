#include "core/codegen/arithmetic.h"
#include "core/ir/error.h"

namespace qd {

namespace {

Value to_bool(const IrBuilder& ir, const Type* from, Value x) {
  Value zero = LLVMConstNull(LLVMTypeOf(x));
  return from->is_float() ? ir.compare(LLVMRealUNE, x, zero) : ir.compare(LLVMIntNE, x, zero);
}

Value convert(const IrBuilder& ir, const Type* from, const Type* to, Value x) {
  LLVMBuilderRef b = ir.get();
  LLVMTypeRef target = ir.value_type(to);
  if (from == to) return x;
  if (to->is_bool()) return to_bool(ir, from, x);
  if (from->is_float() && to->is_float()) {
    return to->size > from->size ? LLVMBuildFPExt(b, x, target, "") : LLVMBuildFPTrunc(b, x, target, "");
  }
  if (from->is_float()) {
    const char* name = to->is_signed() ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    return ir.intrinsic(name, {target, LLVMTypeOf(x)}, {x});
  }
  if (to->is_float()) {
    return from->is_signed() ? LLVMBuildSIToFP(b, x, target, "") : LLVMBuildUIToFP(b, x, target, "");
  }
  if (to->bits() == from->bits()) return x;
  if (to->bits() < from->bits()) return LLVMBuildTrunc(b, x, target, "");
  return from->is_signed() ? LLVMBuildSExt(b, x, target, "") : LLVMBuildZExt(b, x, target, "");
}

}  // namespace

Value emit_cast(const IrBuilder& ir, CastOp op, const Type* from, const Type* to, Value x) {
  if (!from->is_scalar() || !to->is_scalar()) {
    throw Error(Code::internal, "codegen: a cast from " + to_string(from) + " to " + to_string(to));
  }
  switch (op) {
    case CastOp::value:
    // Fusing is stopped where the rounded value is made: TaskCodegen gives its multiplication no freedom.
    case CastOp::round:
      return convert(ir, from, to, x);
    case CastOp::bits:
      if (from->bits() != to->bits()) {
        throw Error(Code::internal, "codegen: a bit cast from " + to_string(from) + " to " + to_string(to));
      }
      return LLVMBuildBitCast(ir.get(), x, ir.value_type(to), "");
  }
  throw Error(Code::internal, "codegen: an unknown cast");
}

}  // namespace qd
