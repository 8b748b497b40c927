#include "core/ir/statement_names.h"

namespace qd {

namespace {

constexpr auto kKinds = std::to_array<std::string_view>({
    "constant", "arg_load", "arg_place", "array_dim",   "loop_index", "unary",     "binary", "cast",
    "select",   "random",   "alloca",    "element_ptr", "offset_ptr", "temp_ptr",  "load",   "store",
    "copy",     "zero",     "atomic",    "atomic_cas",  "if",         "range_for", "loop",   "scope",
    "break",    "continue", "stop",      "check",       "print",      "offloaded",
});
static_assert(kKinds.size() == static_cast<size_t>(StmtKind::offloaded) + 1);

constexpr auto kChecks = std::to_array<std::string_view>({"index", "slice", "nonzero", "shift", "length", "assertion"});
static_assert(kChecks.size() == static_cast<size_t>(CheckKind::assertion) + 1);

constexpr auto kOffloadedBlocks =
    std::to_array<std::string_view>({"bounds", "prologue", "body", "epilogue", "guard", "checked_body"});
static_assert(kOffloadedBlocks.size() == offloaded_block::count);

template <size_t N>
std::string_view at(const std::array<std::string_view, N>& names, size_t index) {
  return index < N ? names[index] : "?";
}

}  // namespace

std::string_view kind_name(StmtKind kind) { return at(kKinds, static_cast<size_t>(kind)); }
std::string_view enum_name(CheckKind kind) { return at(kChecks, static_cast<size_t>(kind)); }
std::string_view enum_name(TaskType type) { return type == TaskType::serial ? "serial" : "range_for"; }

std::string_view block_label(StmtKind kind, size_t block) {
  if (kind == StmtKind::offloaded) return at(kOffloadedBlocks, block);
  if (kind == StmtKind::if_ && block == 1) return "else";
  if (kind == StmtKind::loop && block == 1) return "post";
  return {};
}

}  // namespace qd
