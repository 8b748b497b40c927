// Kernels: finishing, compiling, launching and looking into them.
#include <algorithm>
#include <cstring>
#include <string>

#include "capi/errors.h"
#include "capi/handles.h"

using namespace qd;
using namespace qd::capi;

namespace {

// Copies text as far as it fits, NUL-terminated; the length without the NUL.
int64_t copy_out(const std::string& text, char* buffer, int64_t size) {
  if (buffer != nullptr && size > 0) {
    const size_t length = std::min(text.size(), static_cast<size_t>(size));
    std::memcpy(buffer, text.data(), length);
    buffer[std::min(length, static_cast<size_t>(size) - 1)] = '\0';
  }
  return static_cast<int64_t>(text.size());
}

// As guard; errors have positions in the kernel.
template <class F>
qd_code guard_kernel(const qd_kernel* kernel, qd_error* error, F&& f) noexcept {
  try {
    f(required(kernel, "kernel"));
  } catch (...) {
    return report_exception(error, kernel == nullptr ? nullptr : &kernel->kernel.positions());
  }
  if (error != nullptr) error->code = QD_OK;
  return QD_OK;
}

// Compiling is invisible from outside, so a const kernel may do it.
Kernel& kernel_of(const qd_kernel& kernel) { return const_cast<qd_kernel&>(kernel).kernel; }

}  // namespace

qd_kernel* qd_builder_finish(qd_builder* b, qd_error* error) {
  try {
    qd_builder& builder = required(b, "builder");
    builder.program->require_open();
    auto kernel = std::make_unique<qd_kernel>(builder.program, builder.builder.finish());
    if (error != nullptr) error->code = QD_OK;
    return kernel.release();
  } catch (...) {
    report_exception(error, b == nullptr ? nullptr : &b->builder.positions());
    return nullptr;
  }
}

void qd_kernel_destroy(qd_kernel* kernel) { delete kernel; }

qd_code qd_kernel_compile(qd_kernel* kernel, qd_error* error) {
  return guard_kernel(kernel, error, [](const qd_kernel& k) { kernel_of(k).compile(); });
}

int32_t qd_kernel_diagnostic_count(const qd_kernel* kernel) {
  return kernel == nullptr ? -1 : static_cast<int32_t>(kernel->kernel.diagnostics().size());
}

qd_code qd_kernel_diagnostic(const qd_kernel* kernel, int32_t index, int32_t* is_warning, qd_error* diagnostic) {
  if (diagnostic == nullptr || index < 0 || index >= qd_kernel_diagnostic_count(kernel)) return QD_INVALID;
  const Diagnostic& said = kernel->kernel.diagnostics()[static_cast<size_t>(index)];
  report_diagnostic(*diagnostic, said, kernel->kernel.positions());
  if (is_warning != nullptr) *is_warning = said.is_warning ? 1 : 0;
  return QD_OK;
}

const char* qd_kernel_diagnostic_hint(const qd_kernel* kernel, int32_t index) {
  if (index < 0 || index >= qd_kernel_diagnostic_count(kernel)) return nullptr;
  return kernel->kernel.diagnostics()[static_cast<size_t>(index)].hint.c_str();
}

int64_t qd_kernel_apart(const qd_kernel* kernel, qd_param param, qd_param other, char* buffer, int64_t size) {
  int64_t length = 0;
  guard_kernel(kernel, nullptr,
               [&](const qd_kernel& k) { length = copy_out(k.kernel.arrays().complaint(param, other), buffer, size); });
  return length;
}

int64_t qd_kernel_args_size(const qd_kernel* kernel) { return kernel == nullptr ? -1 : kernel->kernel.args_size(); }

int64_t qd_kernel_arg_offset(const qd_kernel* kernel, qd_param param) {
  if (kernel == nullptr || param < 0 || static_cast<size_t>(param) >= kernel->kernel.params().size()) return -1;
  return kernel->kernel.params()[static_cast<size_t>(param)].offset;
}

int32_t qd_kernel_writes(const qd_kernel* kernel, qd_param param) {
  if (kernel == nullptr || param < 0 || static_cast<size_t>(param) >= kernel->kernel.params().size()) return -1;
  return kernel->kernel.writes(param) ? 1 : 0;
}

void qd::capi::require_args(const qd_kernel& kernel, const void* args, int64_t size) {
  if (size != kernel.kernel.args_size()) {
    throw Error(Code::invalid, "the arguments have " + std::to_string(size) + " bytes, the kernel takes " +
                                   std::to_string(kernel.kernel.args_size()));
  }
  if (size > 0) required(static_cast<const char*>(args), "args");
}

qd_code qd_kernel_launch(qd_kernel* kernel, const void* args, int64_t args_size, qd_launch_result* result,
                         qd_error* error) {
  if (result != nullptr) result->has_output = 0;
  qd_code code = QD_OK;
  const qd_code thrown = guard_kernel(kernel, error, [&](const qd_kernel& k) {
    require_args(k, args, args_size);
    Program& program = k.kernel.program();
    if (program.default_queue != nullptr) {
      Kernel::queue(k.owned, *program.default_queue, args, {});
      return;
    }
    const Kernel::Result done = kernel_of(k).launch(args);
    if (result != nullptr) result->has_output = done.has_output ? 1 : 0;
    if (done.failure) code = report_failure(error, *done.failure, k.kernel.positions(), k.kernel.name());
  });
  if (thrown != QD_OK) return thrown;
  if (error != nullptr) error->code = code;
  return code;
}

int64_t qd_kernel_plan(const qd_kernel* kernel, char* buffer, int64_t size) {
  int64_t length = -1;
  guard_kernel(kernel, nullptr, [&](const qd_kernel& k) { length = copy_out(kernel_of(k).plan(), buffer, size); });
  return length;
}

int64_t qd_kernel_plan_graphviz(const qd_kernel* kernel, char* buffer, int64_t size) {
  int64_t length = -1;
  guard_kernel(kernel, nullptr,
               [&](const qd_kernel& k) { length = copy_out(kernel_of(k).plan_graphviz(), buffer, size); });
  return length;
}

int32_t qd_kernel_plan_width(const qd_kernel* kernel) {
  int32_t width = -1;
  guard_kernel(kernel, nullptr, [&](const qd_kernel& k) { width = kernel_of(k).plan_width(); });
  return width;
}

int64_t qd_kernel_dump(qd_kernel* kernel, const char* stage, char* buffer, int64_t size, qd_error* error) {
  int64_t length = -1;
  guard_kernel(kernel, error, [&](const qd_kernel& k) {
    length = copy_out(kernel_of(k).dump(required_text(stage, "stage")), buffer, size);
  });
  return length;
}
