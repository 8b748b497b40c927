// From exceptions to codes and qd_error: the only way out of the C ABI's functions.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "capi/qd.h"
#include "core/ir/error.h"
#include "core/runtime/launch_failure.h"

namespace qd::capi {

// Copies as much as fits with a NUL, without cutting a UTF-8 character in two.
void copy_text(char* to, size_t size, std::string_view text);

// Describes the exception that is being handled. error and positions may be null.
qd_code report_exception(qd_error* error, const PositionTable* positions) noexcept;
// Fills *error with something said about a kernel's source.
void report_diagnostic(qd_error& error, const Diagnostic& diagnostic, const PositionTable& positions);
// A check of a running kernel.
qd_code report_failure(qd_error* error, const LaunchFailure& failure, const PositionTable& positions,
                       std::string_view kernel);

// Throws Error(Code::invalid), naming what is missing.
template <class T>
T& required(T* pointer, const char* what) {
  if (pointer == nullptr) throw Error(Code::invalid, std::string(what) + " is NULL");
  return *pointer;
}
// The number behind an enumerator that a C caller passed. It may be any number, and C++ must not even load an
// enumeration whose value it does not have.
template <class E>
int32_t number_of(const E& enumerator) {
  static_assert(sizeof(E) == sizeof(int32_t));
  int32_t number = 0;
  std::memcpy(&number, &enumerator, sizeof number);
  return number;
}

inline const char* required_text(const char* text, const char* what) { return &required(text, what); }

// Runs f; the code that it threw, or QD_OK. A success touches nothing of *error but its code, since launches are
// frequent and qd_error is large.
template <class F>
qd_code guard(qd_error* error, F&& f) noexcept {
  try {
    f();
  } catch (...) {
    return report_exception(error, nullptr);
  }
  if (error != nullptr) error->code = QD_OK;
  return QD_OK;
}

// The same for a function that returns a handle or a count.
template <class R, class F>
R guard_value(qd_error* error, R failure, F&& f) noexcept {
  R result = failure;
  guard(error, [&] { result = f(); });
  return result;
}

}  // namespace qd::capi
