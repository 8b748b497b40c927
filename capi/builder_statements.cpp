// Building statements and scopes.
#include <string>

#include "capi/builder_call.h"

using namespace qd;
using namespace qd::capi;

qd_code qd_builder_assign(qd_builder* b, qd_expr place, qd_expr value, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) { builder.assign(place, value); });
}

qd_code qd_builder_begin_if(qd_builder* b, qd_expr condition, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) { builder.begin_if(condition); });
}

qd_code qd_builder_begin_else(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.begin_else(); });
}

qd_code qd_builder_end_if(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.end_if(); });
}

qd_label qd_builder_begin_for(qd_builder* b, int32_t count, const qd_expr* bounds, const qd_loop_options* options,
                              qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) {
    LoopOptions core;
    if (options != nullptr) {
      core.block_dim = options->block_dim;
      core.serialize = options->serialize != 0;
      core.name = optional_text(options->name);
    }
    return builder.begin_for(list_of(count, bounds, "bounds"), std::move(core));
  });
}

qd_code qd_builder_end_for(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.end_for(); });
}

qd_label qd_builder_begin_loop(qd_builder* b, qd_error* error) {
  return build_handle(b, error, [](ASTBuilder& builder) { return builder.begin_loop(); });
}

qd_code qd_builder_begin_post(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.begin_post(); });
}

qd_code qd_builder_end_loop(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.end_loop(); });
}

qd_label qd_builder_begin_scope(qd_builder* b, qd_error* error) {
  return build_handle(b, error, [](ASTBuilder& builder) { return builder.begin_scope(); });
}

qd_code qd_builder_end_scope(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.end_scope(); });
}

qd_code qd_builder_break(qd_builder* b, qd_label label, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) { builder.break_(label); });
}

qd_code qd_builder_continue(qd_builder* b, qd_label label, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) { builder.continue_(label); });
}

qd_code qd_builder_return(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.return_(); });
}

qd_code qd_builder_begin_stream_parallel(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.begin_stream_parallel(); });
}

qd_code qd_builder_end_stream_parallel(qd_builder* b, qd_error* error) {
  return build(b, error, [](ASTBuilder& builder) { builder.end_stream_parallel(); });
}

qd_code qd_builder_assume_disjoint(qd_builder* b, qd_param param, qd_param other, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) { builder.assume_disjoint(param, other); });
}

qd_code qd_builder_check(qd_builder* b, qd_check check, int32_t count, const qd_expr* args, const char* name,
                         const char* message, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) {
    const int32_t kind = number_of(check);
    if (kind < QD_CHECK_INDEX || kind > QD_CHECK_ASSERTION) {
      throw Error(Code::invalid, "there is no check " + std::to_string(kind));
    }
    builder.check(static_cast<CheckKind>(kind), list_of(count, args, "args"), optional_text(name),
                  optional_text(message));
  });
}

qd_code qd_builder_print(qd_builder* b, int32_t count, const qd_expr* args, const char* format, int32_t stream,
                         qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) {
    if (stream != 1 && stream != 2) throw Error(Code::invalid, "there is no stream " + std::to_string(stream));
    builder.print(list_of(count, args, "args"), required_text(format, "format"), stream == 2);
  });
}
