// How the builder's functions call into ASTBuilder.
#pragma once

#include <string>
#include <vector>

#include "capi/errors.h"
#include "capi/handles.h"

namespace qd::capi {

// Runs f(ASTBuilder&) for a function that returns a code; errors have positions in what is being built.
template <class F>
qd_code build(qd_builder* b, qd_error* error, F&& f) noexcept {
  try {
    f(required(b, "builder").builder);
  } catch (...) {
    return report_exception(error, b == nullptr ? nullptr : &b->builder.positions());
  }
  if (error != nullptr) error->code = QD_OK;
  return QD_OK;
}

// The same for a function that returns a handle: -1 on failure.
template <class F>
int32_t build_handle(qd_builder* b, qd_error* error, F&& f) noexcept {
  int32_t handle = -1;
  build(b, error, [&](ASTBuilder& builder) { handle = f(builder); });
  return handle;
}

// A list that the caller passed as a count and a pointer.
template <class T>
std::vector<T> list_of(int32_t count, const T* items, const char* what) {
  if (count < 0) throw Error(Code::invalid, std::string("the number of ") + what + " is negative");
  if (count > 0) required(items, what);
  return std::vector<T>(items, items + count);
}

inline std::string optional_text(const char* text) { return text == nullptr ? std::string() : std::string(text); }

}  // namespace qd::capi
