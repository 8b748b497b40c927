// The passes over a kernel's IR; compile_to_offloads lists them in order. One file a pass.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/frontend/ast.h"
#include "core/ir/kernel_ir.h"
#include "core/transforms/conflict.h"

namespace qd {

struct CompileOptions {
  bool checks = true;  // index, slice and assertion checks (division is always safe, see insert_checks)
  bool fast_math = false;
  bool may_alias = false;  // two array arguments may overlap: claim nothing about distinct parameters
  // Called after each stage with its name and the IR's text; null: no dumps.
  std::function<void(const char* stage, const std::string& text)> dump;
};

// Expression trees to SSA statements. Stage "lower".
KernelIR lower_ast(AST ast, const CompileOptions& options);

// Gives every statement the type that follows from its operands and checks that the stated one agrees.
void type_check(KernelIR& kernel);
// Constant folding, dead statements, loads of locals stored once. Only what later passes need; LLVM does the rest.
void simplify(KernelIR& kernel);
// Finds what two StreamParallel scopes must not do at the same time. Fills `diagnostics` and `apart`; changes no
// statement.
std::vector<Conflict> check_conflicts(KernelIR& kernel, const CompileOptions& options);
// Makes index, slice, shift and division tests explicit as CheckStmt, leaving out what is provably true.
void insert_checks(KernelIR& kernel, const CompileOptions& options);
// Splits the root into OffloadedStmt; values that cross tasks go through temp_ptr. Sets temps_size.
void offload(KernelIR& kernel);
// Throws Error(Code::internal) where a task holds statements of two groups, a value or temporary crosses groups, a
// statement outside tasks remains, or a bounds block reads more than it may.
void verify_offload(const KernelIR& kernel);
// Atomics that no other thread can meet become plain. Asks about the whole region of consecutive groups.
void demote_atomics(KernelIR& kernel, const CompileOptions& options);
// Atomics to one invariant cell become a thread-local accumulator and one atomic a chunk.
void make_thread_local(KernelIR& kernel, const CompileOptions& options);
// Removes checks that ranges and conditions prove; moves those affine in loop indices with invariant parts to the
// guard block, keeping the checked body beside the fast one.
void hoist_checks(KernelIR& kernel, const CompileOptions& options);
// Fills OffloadedAttrs::cost.
void estimate_cost(KernelIR& kernel);

// Everything above, in order; verifies between stages.
KernelIR compile_to_offloads(AST ast, const CompileOptions& options);

}  // namespace qd
