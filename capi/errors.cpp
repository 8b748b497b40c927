#include "capi/errors.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

namespace qd::capi {
namespace {

std::string_view name_at(const std::vector<std::string>& names, int32_t index) {
  return index >= 0 && static_cast<size_t>(index) < names.size() ? std::string_view(names[static_cast<size_t>(index)])
                                                                 : std::string_view();
}

const Position* position_at(const PositionTable& table, PosId pos) {
  return pos >= 0 && static_cast<size_t>(pos) < table.positions.size() ? &table.positions[static_cast<size_t>(pos)]
                                                                       : nullptr;
}

void fill_position(qd_position& to, const PositionTable& table, const Position& from) {
  copy_text(to.file, sizeof to.file, name_at(table.files, from.file));
  copy_text(to.function, sizeof to.function, name_at(table.functions, from.function));
  to.line = from.line;
  to.column = from.column;
}

void fill_positions(qd_error& error, const PositionTable& table, PosId pos) {
  const Position* position = position_at(table, pos);
  if (position == nullptr) return;
  fill_position(error.position, table, *position);
  for (position = position_at(table, position->caller); position != nullptr && error.chain_length < QD_MAX_CHAIN;
       position = position_at(table, position->caller)) {
    fill_position(error.chain[error.chain_length++], table, *position);
  }
}

void start(qd_error& error, qd_code code, std::string_view message) {
  std::memset(&error, 0, sizeof error);
  error.code = code;
  error.check = QD_CHECK_NONE;
  copy_text(error.message, sizeof error.message, message);
}

}  // namespace

void copy_text(char* to, size_t size, std::string_view text) {
  if (size == 0) return;
  size_t length = std::min(text.size(), size - 1);
  if (length < text.size()) {
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  }
  if (length > 0) std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

qd_code report_exception(qd_error* error, const PositionTable* positions) noexcept {
  const auto report = [&](qd_code code, std::string_view message, PosId pos = -1) {
    if (error != nullptr) {
      start(*error, code, message);
      if (positions != nullptr) fill_positions(*error, *positions, pos);
    }
    return code;
  };
  try {
    throw;
  } catch (const Error& e) {
    return report(static_cast<qd_code>(e.code), e.what(), e.pos);
  } catch (const std::bad_alloc&) {
    return report(QD_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return report(QD_INTERNAL, e.what());
  } catch (...) {
    return report(QD_INTERNAL, "an unknown exception was thrown");
  }
}

void report_diagnostic(qd_error& error, const Diagnostic& diagnostic, const PositionTable& positions) {
  start(error, diagnostic.is_warning ? QD_OK : QD_COMPILE, diagnostic.message);
  fill_positions(error, positions, diagnostic.pos);
}

qd_code report_failure(qd_error* error, const LaunchFailure& failure, const PositionTable& positions,
                       std::string_view kernel) {
  if (error == nullptr) return QD_KERNEL;
  start(*error, QD_KERNEL, failure.message);
  fill_positions(*error, positions, failure.pos);
  if (failure.has_check) error->check = static_cast<qd_check>(failure.check);
  copy_text(error->name, sizeof error->name, failure.name);
  copy_text(error->kernel, sizeof error->kernel, kernel);
  error->axis = failure.axis;
  error->value_count = failure.value_count;
  for (int32_t i = 0; i < failure.value_count; ++i) error->values[i] = failure.values[static_cast<size_t>(i)];
  return QD_KERNEL;
}

}  // namespace qd::capi
