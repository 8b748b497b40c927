#include "core/ir/edit.h"
#include "core/ir/error.h"
#include "core/ir/print.h"
#include "core/ir/type_rules.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

[[noreturn]] void fail(const KernelIR& kernel, const Stmt* stmt, const std::string& fault) {
  std::string text = print(kernel, stmt);
  throw Error(Code::internal, "ill-typed IR: " + fault + ": " + text.substr(0, text.find('\n')), stmt->pos);
}

}  // namespace

void type_check(KernelIR& kernel) {
  walk(kernel.root.get(), [&](Stmt* stmt) {
    if (stmt->type == nullptr) stmt->type = none_type();
    if (const Type* derived = derived_type(kernel, stmt)) {
      if (stmt->type == none_type()) stmt->type = derived;
      if (stmt->type != derived) {
        fail(kernel, stmt, "its type does not agree with its operands, which make it " + to_string(derived));
      }
    }
    if (std::string fault = type_fault(kernel, stmt); !fault.empty()) fail(kernel, stmt, fault);
  });
}

}  // namespace qd
