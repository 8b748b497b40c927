#include <cstddef>

#include "core/codegen/arithmetic.h"
#include "core/codegen/task_codegen.h"
#include "core/ir/error.h"
#include "core/runtime/launch_block.h"

namespace qd {

namespace {

constexpr uint64_t code(LaunchState state) { return static_cast<uint64_t>(state); }

}  // namespace

Value TaskCodegen::reported(const Type* type, Value value) const {
  LLVMBuilderRef b = ir_.get();
  if (!type->is_float()) {
    if (type->bits() == 64) return value;
    return type->is_signed() ? LLVMBuildSExt(b, value, ir_.i64(), "") : LLVMBuildZExt(b, value, ir_.i64(), "");
  }
  const Type* f64 = scalar_type(Primitive::f64);
  return LLVMBuildBitCast(b, emit_cast(ir_, CastOp::value, type, f64, value), ir_.i64(), "");
}

// void qd_fail(launch block, check, values…): kept out of line, so that a check costs one branch where it stands.
Value TaskCodegen::fail_function() {
  static constexpr const char kName[] = "qd_fail";
  if (Value existing = LLVMGetNamedFunction(ir_.module(), kName)) return existing;
  LLVMBasicBlockRef here = ir_.current_block();
  LLVMTypeRef i32 = ir_.int_type(32);
  std::vector<LLVMTypeRef> parameters{ir_.pointer(), i32};
  parameters.resize(2 + kMaxCheckValues, ir_.i64());
  Value function = ir_.add_function(kName, ir_.void_type(), std::move(parameters));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  for (const char* fact : {"noinline", "cold", "nounwind"}) {
    ir_.attribute(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), fact);
  }
  Value block = LLVMGetParam(function, 0);
  auto field = [&](size_t offset) { return ir_.byte_offset(block, static_cast<int64_t>(offset)); };

  ir_.enter(LLVMAppendBasicBlockInContext(ir_.context(), function, "entry"));
  LLVMBasicBlockRef first = ir_.new_block("first");
  LLVMBasicBlockRef done = ir_.new_block("done");
  Value claimed = LLVMBuildAtomicCmpXchg(ir_.get(), field(offsetof(LaunchHeader, state)),
                                         ir_.constant(i32, code(LaunchState::running)),
                                         ir_.constant(i32, code(LaunchState::claimed)),
                                         LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingMonotonic, false);
  ir_.branch(LLVMBuildExtractValue(ir_.get(), claimed, 1, ""), first, done);

  ir_.enter(first);
  LLVMBuildStore(ir_.get(), LLVMGetParam(function, 1), field(offsetof(LaunchHeader, check)));
  for (unsigned i = 0; i < kMaxCheckValues; ++i) {
    LLVMBuildStore(ir_.get(), LLVMGetParam(function, 2 + i), field(offsetof(LaunchHeader, values) + 8 * i));
  }
  Value publish =
      LLVMBuildStore(ir_.get(), ir_.constant(i32, code(LaunchState::failed)), field(offsetof(LaunchHeader, state)));
  LLVMSetOrdering(publish, LLVMAtomicOrderingRelease);
  LLVMSetAlignment(publish, 4);
  ir_.jump(done);

  ir_.enter(done);
  LLVMBuildRetVoid(ir_.get());
  ir_.enter(here);
  return function;
}

Value TaskCodegen::check_condition(const CheckStmt& stmt) {
  auto operand = [&](size_t i) { return value(stmt.operands[i]); };
  auto wide = [&](size_t i) { return reported(stmt.operands[i]->type, operand(i)); };
  switch (stmt.check) {
    case CheckKind::index:
      // A length is not negative; read as unsigned, a negative index is larger than any.
      return ir_.compare(LLVMIntULT, wide(0), wide(1));
    case CheckKind::slice:
      return LLVMBuildAnd(ir_.get(), ir_.compare(LLVMIntULE, wide(0), wide(1)),
                          ir_.compare(LLVMIntULE, wide(1), wide(2)), "");
    case CheckKind::nonzero:
      return ir_.compare(LLVMIntNE, operand(0), LLVMConstNull(LLVMTypeOf(operand(0))));
    case CheckKind::shift:
      return stmt.operands[0]->type->is_signed() ? LLVMBuildNot(ir_.get(), ir_.negative(operand(0)), "")
                                                 : ir_.constant(ir_.int_type(1), 1);
    case CheckKind::length:
      return ir_.compare(LLVMIntSGE, wide(0), wide(1));
    case CheckKind::assertion:
      return operand(0);
  }
  throw Error(Code::internal, "codegen: an unknown check", stmt.pos);
}

void TaskCodegen::emit(const CheckStmt& stmt) {
  Value condition = check_condition(stmt);
  if (LLVMIsAConstantInt(condition) != nullptr && LLVMConstIntGetZExtValue(condition) != 0) return;
  LLVMBasicBlockRef pass = ir_.new_block("pass");
  LLVMBasicBlockRef fail = ir_.new_block("fail");
  ir_.branch_likely(condition, pass, fail);
  ir_.enter(fail);
  std::vector<Value> values;
  for (const Stmt* operand : reported_values(stmt)) values.push_back(reported(operand->type, value(operand)));
  emit_failure(context_.sites.ids.at(&stmt), values);
  ir_.enter(pass);
}

void TaskCodegen::emit_failure(int32_t site, const std::vector<Value>& values) {
  std::vector<Value> arguments{launch_block_, ir_.constant(ir_.int_type(32), static_cast<uint64_t>(site))};
  arguments.insert(arguments.end(), values.begin(), values.end());
  arguments.resize(2 + kMaxCheckValues, ir_.constant_i64(0));
  ir_.call(fail_function(), std::move(arguments));
  LLVMBuildRetVoid(ir_.get());
}

void TaskCodegen::emit(const StopStmt&) { emit_stop(); }

void TaskCodegen::emit_stop() {
  LLVMTypeRef i32 = ir_.int_type(32);
  LLVMBuildAtomicCmpXchg(ir_.get(), header_field(offsetof(LaunchHeader, state)),
                         ir_.constant(i32, code(LaunchState::running)), ir_.constant(i32, code(LaunchState::stopped)),
                         LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingMonotonic, false);
  LLVMBuildRetVoid(ir_.get());
}

void TaskCodegen::emit(const PrintStmt& stmt) {
  std::vector<Value> values;
  for (const Stmt* operand : stmt.operands) values.push_back(reported(operand->type, value(operand)));
  emit_print(context_.sites.ids.at(&stmt), values);
}

}  // namespace qd
