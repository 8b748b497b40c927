// The list of passes, in order.
#include "core/ir/print.h"
#include "core/ir/verify.h"
#include "core/transforms/passes.h"

namespace qd {

KernelIR compile_to_offloads(AST ast, const CompileOptions& options) {
  KernelIR kernel = lower_ast(std::move(ast), options);
  const auto finished = [&](const char* stage) {
    verify(kernel, stage);
    if (options.dump) options.dump(stage, print(kernel));
  };
  finished("lower");
  type_check(kernel);
  finished("type_check");
  simplify(kernel);
  finished("simplify");
  check_conflicts(kernel, options);
  insert_checks(kernel, options);
  simplify(kernel);
  finished("insert_checks");
  offload(kernel);
  finished("offload");
  verify_offload(kernel);
  demote_atomics(kernel, options);
  finished("demote_atomics");
  make_thread_local(kernel, options);
  finished("make_thread_local");
  hoist_checks(kernel, options);
  finished("hoist_checks");
  estimate_cost(kernel);
  finished("estimate_cost");
  verify_offload(kernel);
  return kernel;
}

}  // namespace qd
