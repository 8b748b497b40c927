// Builds a kernel's frontend IR call by call; the front end's only way in (through capi).
//
// Every call checks its arguments and throws Error(Code::invalid) on a wrong one, leaving what was built before intact:
// any sequence of calls is safe. Handles are small integers, valid for this builder alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/frontend/ast.h"

namespace qd {

class ASTBuilder {
 public:
  explicit ASTBuilder(std::string kernel_name);

  // Types: primitives are their Primitive value; composites count on from 100. type(id) throws for an unknown id.
  int32_t array_type(int32_t element, int64_t count);
  int32_t struct_type(const std::vector<int32_t>& fields, const std::vector<int64_t>& offsets, int64_t size,
                      int32_t align);
  const Type* type(int32_t id) const;

  // Parameters, before any statement.
  int32_t param_value(std::string name, int32_t type);
  int32_t param_array(std::string name, int32_t element_type, int32_t rank);

  // Positions: what is built next stands there. enter_call: the current position becomes the call site of what follows.
  int32_t file(std::string name);
  void set_position(int32_t file, int32_t line, int32_t column);
  void enter_call(std::string function);
  void leave_call();
  // For the positions that errors name; valid after finish, too.
  const PositionTable& positions() const;

  // Expressions.
  ExprId constant_int(int32_t type, int64_t value);  // integers and u1
  ExprId constant_float(int32_t type, double value);
  ExprId param(int32_t param);
  ExprId dim(int32_t param, int32_t axis);
  ExprId loop_index(LabelId loop, int32_t axis);
  ExprId element(int32_t param, const std::vector<ExprId>& indices, bool checked);
  ExprId field(ExprId place, int32_t field);
  ExprId item(ExprId place, ExprId index, bool checked);
  ExprId checked_index(ExprId index, ExprId length, std::string name);
  ExprId unary(int32_t op, ExprId x);
  ExprId binary(int32_t op, ExprId x, ExprId y);
  ExprId cast(int32_t op, ExprId x, int32_t type);
  ExprId select(ExprId condition, ExprId x, ExprId y);
  ExprId random(int32_t type);

  // Statements.
  ExprId local(std::string name, int32_t type, ExprId init);  // init -1: zero. Returns the place.
  ExprId bind(ExprId value);                                  // evaluates now; scalars only
  void assign(ExprId place, ExprId value);                    // scalars and aggregates of one type
  ExprId atomic(int32_t op, ExprId place, ExprId value);      // returns the old value, bound
  ExprId atomic_cas(ExprId place, ExprId expected, ExprId desired);
  void begin_if(ExprId condition);
  void begin_else();
  void end_if();
  // bounds: begin0, end0, begin1, end1, …, all i64. A loop at the kernel's or a StreamParallel scope's top level is
  // parallel unless options.serialize; any other is serial.
  LabelId begin_for(const std::vector<ExprId>& bounds, LoopOptions options);
  void end_for();
  LabelId begin_loop();  // runs until a break
  void begin_post();     // what follows runs between two iterations, and is where continue goes
  void end_loop();
  LabelId begin_scope();
  void end_scope();
  void break_(LabelId label);
  void continue_(LabelId label);
  void return_();  // ends the kernel; not inside a parallel loop or a StreamParallel scope
  void begin_stream_parallel();
  void end_stream_parallel();
  // What the kernel accesses through two array parameters never meets. The same parameter twice: what different scopes
  // access through it.
  void assume_disjoint(int32_t param, int32_t other);
  void check(CheckKind kind, const std::vector<ExprId>& args, std::string name, std::string message);
  void print(const std::vector<ExprId>& args, std::string format, bool to_stderr);

  // The finished tree; throws if a scope is still open. The builder is spent afterwards.
  AST finish();

 private:
  struct Impl;
  Impl& state() const;  // throws once the builder is spent
  std::shared_ptr<Impl> impl_;
};

}  // namespace qd
