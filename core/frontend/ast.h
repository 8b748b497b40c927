// The frontend IR: expression trees and statements as the front end built them, before lowering.
//
// An expression is evaluated where the statement that uses it stands, once. A tree's inner nodes are used by one parent
// alone; leaves (constants, parameters, lengths, loop indices, locals, bound values) may be used any number of times.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/kernel_ir.h"

namespace qd {

using ExprId = int32_t;   // index into AST::exprs; -1 is none
using LabelId = int32_t;  // index into AST::labels: a loop, a for or a labelled scope

enum class ExprKind : uint8_t {
  constant,     // bits
  param_value,  // index = parameter, by value: a scalar's value, or the (read-only) place of an aggregate
  dim,          // index = parameter, axis
  loop_index,   // index = label, axis
  local,        // index = local: place
  bound,        // index = bound value (bind, atomic results)
  element,      // index = array parameter; args = indices: place. checked
  field,        // args = {place}; index = field number: place
  item,         // args = {place of an array, index}: place. checked
  unary,
  binary,
  cast,
  select,  // op, args
  random,
  checked_index,  // args = {index, length}: the index, after an index check; name = array
};

struct Expr {
  ExprKind kind{};
  bool is_place = false;  // denotes memory of `type`; used as a value it is loaded
  bool checked = true;
  bool used = false;  // inner nodes: already has its one user
  const Type* type = nullptr;
  PosId pos = -1;
  int32_t op = 0;  // UnaryOp, BinaryOp or CastOp
  int32_t index = 0;
  int32_t axis = 0;
  uint64_t bits = 0;
  std::string name;
  std::vector<ExprId> args;
};

struct FrontendStmt;
using FrontendBlock = std::vector<std::unique_ptr<FrontendStmt>>;

enum class FrontendKind : uint8_t {
  local,       // index = local; expr = initial value or -1 (zero)
  bind,        // index = bound value; expr
  assign,      // place, expr
  atomic,      // op, place, expr; index = bound value that holds the old one
  atomic_cas,  // place, expr = expected, expr2 = desired; index = bound value
  if_,         // expr; body, other
  for_,        // args = begin0, end0, …; label; dims, parallel, options; body
  loop,        // label; body, other = post
  scope,       // label; body
  break_,
  continue_,  // label
  return_,    // ends the kernel
  check,      // check, args; name, message
  print,      // args; message = format; to_stderr
};

struct FrontendStmt {
  FrontendKind kind{};
  PosId pos = -1;
  GroupId group = 0;
  ExprId place = -1, expr = -1, expr2 = -1;
  int32_t index = 0;
  int32_t op = 0;
  LabelId label = -1;
  int32_t dims = 1;
  bool parallel = false;
  bool to_stderr = false;
  CheckKind check{};
  LoopOptions options;
  std::string name, message;
  std::vector<ExprId> args;
  FrontendBlock body, other;
};

struct Local {
  std::string name;
  const Type* type = nullptr;
};

struct Label {
  enum class Kind : uint8_t { for_, loop, scope };
  Kind kind{};
  int32_t dims = 1;
};

// One kernel as built. Handed from ASTBuilder to lower_ast.
struct AST {
  KernelIR kernel;  // name, params, positions, types; root stays empty
  std::deque<Expr> exprs;
  std::vector<Local> locals;
  std::vector<const Type*> bound_types;
  std::vector<Label> labels;
  FrontendBlock body;
};

// Textual form, for dumps and golden files.
std::string print(const AST& ast);

}  // namespace qd
