// Building expressions.
#include "capi/builder_call.h"

using namespace qd;
using namespace qd::capi;

qd_expr qd_builder_constant_int(qd_builder* b, qd_type type, int64_t value, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.constant_int(type, value); });
}

qd_expr qd_builder_constant_float(qd_builder* b, qd_type type, double value, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.constant_float(type, value); });
}

qd_expr qd_builder_param(qd_builder* b, qd_param param, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.param(param); });
}

qd_expr qd_builder_dim(qd_builder* b, qd_param array, int32_t axis, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.dim(array, axis); });
}

qd_expr qd_builder_loop_index(qd_builder* b, qd_label loop, int32_t axis, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.loop_index(loop, axis); });
}

qd_expr qd_builder_element(qd_builder* b, qd_param array, int32_t count, const qd_expr* indices, int32_t checked,
                           qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) {
    return builder.element(array, list_of(count, indices, "indices"), checked != 0);
  });
}

qd_expr qd_builder_field(qd_builder* b, qd_expr place, int32_t field, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.field(place, field); });
}

qd_expr qd_builder_item(qd_builder* b, qd_expr place, qd_expr index, int32_t checked, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.item(place, index, checked != 0); });
}

qd_expr qd_builder_checked_index(qd_builder* b, qd_expr index, qd_expr length, const char* name, qd_error* error) {
  return build_handle(b, error,
                      [&](ASTBuilder& builder) { return builder.checked_index(index, length, optional_text(name)); });
}

qd_expr qd_builder_unary(qd_builder* b, qd_unary_op op, qd_expr x, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.unary(number_of(op), x); });
}

qd_expr qd_builder_binary(qd_builder* b, qd_binary_op op, qd_expr x, qd_expr y, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.binary(number_of(op), x, y); });
}

qd_expr qd_builder_cast(qd_builder* b, qd_cast_op op, qd_expr x, qd_type type, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.cast(number_of(op), x, type); });
}

qd_expr qd_builder_select(qd_builder* b, qd_expr condition, qd_expr x, qd_expr y, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.select(condition, x, y); });
}

qd_expr qd_builder_random(qd_builder* b, qd_type type, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.random(type); });
}

qd_expr qd_builder_local(qd_builder* b, const char* name, qd_type type, qd_expr init, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.local(optional_text(name), type, init); });
}

qd_expr qd_builder_bind(qd_builder* b, qd_expr value, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.bind(value); });
}

qd_expr qd_builder_atomic(qd_builder* b, qd_atomic_op op, qd_expr place, qd_expr value, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.atomic(number_of(op), place, value); });
}

qd_expr qd_builder_atomic_cas(qd_builder* b, qd_expr place, qd_expr expected, qd_expr desired, qd_error* error) {
  return build_handle(b, error, [&](ASTBuilder& builder) { return builder.atomic_cas(place, expected, desired); });
}
