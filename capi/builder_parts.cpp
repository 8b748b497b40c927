// Builders, their types, parameters and positions.
#include "capi/builder_call.h"

using namespace qd;
using namespace qd::capi;

qd_builder* qd_builder_create(qd_program* program, const char* kernel_name, qd_error* error) {
  return guard_value<qd_builder*>(error, nullptr, [&] {
    const std::shared_ptr<Program>& owner = required(program, "program").program;
    owner->require_open();
    return new qd_builder(owner, required_text(kernel_name, "kernel_name"));
  });
}

void qd_builder_destroy(qd_builder* builder) { delete builder; }

qd_type qd_builder_array_type(qd_builder* b, qd_type element, int64_t count, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.array_type(element, count); });
}

qd_type qd_builder_struct_type(qd_builder* b, int32_t count, const qd_type* fields, const int64_t* offsets,
                               int64_t size, int32_t align, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) {
    return builder.struct_type(list_of(count, fields, "fields"), list_of(count, offsets, "offsets"), size, align);
  });
}

qd_param qd_builder_param_value(qd_builder* b, const char* name, qd_type type, qd_error* error) {
  return build_handle(b, error,
                      [&](ASTBuilder& builder) { return builder.param_value(required_text(name, "name"), type); });
}

qd_param qd_builder_param_array(qd_builder* b, const char* name, qd_type element, int32_t rank, qd_error* error) {
  return build_handle(
      b, error, [&](ASTBuilder& builder) { return builder.param_array(required_text(name, "name"), element, rank); });
}

int32_t qd_builder_file(qd_builder* b, const char* name, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.file(required_text(name, "name")); });
}

qd_code qd_builder_position(qd_builder* b, int32_t file, int32_t line, int32_t column, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) { builder.set_position(file, line, column); });
}

qd_code qd_builder_enter_call(qd_builder* b, const char* function, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) { builder.enter_call(required_text(function, "function")); });
}

qd_code qd_builder_leave_call(qd_builder* b, qd_error* error) {
  return build(b, error, [&](ASTBuilder& builder) { builder.leave_call(); });
}
