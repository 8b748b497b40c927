#include "core/codegen/cuda/unread_atomics.h"

#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace qd {

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

// Calls f with each register of the line; declarations, which end in <n>, are none.
template <class F>
void for_each_register(std::string_view line, F f) {
  for (size_t at = line.find('%'); at != std::string_view::npos; at = line.find('%', at + 1)) {
    size_t end = at + 1;
    while (end < line.size() && is_name(line[end])) ++end;
    if (end == line.size() || line[end] != '<') f(line.substr(at, end - at));
  }
}

struct Atomic {
  std::string_view before, modifiers, result, operands;  // before atom.modifiers result, operands
};
// "	atom.global.add.f32 	%f1, [%rd2], %f3;" if `red` has the operation.
std::optional<Atomic> parse_atomic(std::string_view line) {
  static constexpr std::string_view kAtom = "atom.";
  const size_t at = line.find(kAtom);
  if (at == std::string_view::npos) return std::nullopt;
  const size_t space = line.find_first_of(" \t", at);
  const size_t result = line.find('%', at);
  const size_t comma = line.find(',', at);
  if (space == std::string_view::npos || comma == std::string_view::npos || result > comma) return std::nullopt;
  Atomic atomic{line.substr(0, at), line.substr(at + kAtom.size(), space - at - kAtom.size()),
                line.substr(result, comma - result), line.substr(comma + 1)};
  for (std::string_view op : {"add.", "min.", "max.", "and.", "or.", "xor."}) {
    const size_t found = atomic.modifiers.find(op);
    if (found == 0 || (found != std::string_view::npos && atomic.modifiers[found - 1] == '.')) return atomic;
  }
  return std::nullopt;
}

// A function's lines.
void rewrite(const std::vector<std::string_view>& lines, std::string& out) {
  std::unordered_map<std::string_view, int> uses;
  for (std::string_view line : lines) {
    for_each_register(line, [&](std::string_view name) { ++uses[name]; });
  }
  for (std::string_view line : lines) {
    const auto atomic = parse_atomic(line);
    if (atomic && uses[atomic->result] == 1) {
      out.append(atomic->before).append("red.").append(atomic->modifiers).append(" \t");
      out.append(atomic->operands.substr(atomic->operands.find_first_not_of(' ')));
    } else {
      out.append(line);
    }
    out += '\n';
  }
}

}  // namespace

std::string without_unread_results(const std::string& ptx) {
  if (ptx.find("atom.") == std::string::npos) return ptx;
  std::string out;
  std::vector<std::string_view> lines;
  std::string_view rest = ptx;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    lines.push_back(line);
    if (line != "}") continue;
    rewrite(lines, out);
    lines.clear();
  }
  rewrite(lines, out);
  return out;
}

}  // namespace qd
