#include "core/ir/print.h"

#include <array>
#include <charconv>
#include <type_traits>
#include <unordered_map>

#include "core/ir/constant.h"
#include "core/ir/edit.h"
#include "core/ir/statement_names.h"

namespace qd {

namespace {

template <class Float>
std::string shortest(Float value) {
  std::array<char, 40> buffer;
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end.ptr);
}

std::string quoted(const std::string& text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += "\\x";
      result += kHex[byte >> 4];
      result += kHex[byte & 15];
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string constant_text(const ConstantStmt& constant) {
  const Type* type = constant.type;
  if (type->is_bool()) return constant.bits != 0 ? "true" : "false";
  if (type->is_signed()) return std::to_string(static_cast<int64_t>(constant.bits));
  if (!type->is_float()) return std::to_string(constant.bits);
  double value = float_value(&constant);
  return type->primitive == Primitive::f64 ? shortest(value) : shortest(static_cast<float>(value));
}

bool is_target(const Stmt* stmt) {
  return stmt->kind == StmtKind::range_for || stmt->kind == StmtKind::loop || stmt->kind == StmtKind::scope ||
         stmt->kind == StmtKind::offloaded;
}

class Printer {
 public:
  explicit Printer(const KernelIR& kernel) : kernel_(kernel), uses_(count_uses(kernel.root.get())) {
    number(kernel.root.get());
  }

  // Statements outside the kernel are numbered on from its own.
  void number(const Stmt* stmt) {
    if (stmt->type != none_type() || (is_target(stmt) && uses_[stmt] > 0)) {
      numbers_.emplace(stmt, numbers_.size());
    }
    for (const auto& block : stmt->blocks) number(block.get());
  }
  void number(const Block* block) {
    for (const auto& stmt : block->statements) number(stmt.get());
  }

  void header() {
    text_ += "kernel " + kernel_.name + "(";
    for (size_t i = 0; i < kernel_.params.size(); ++i) {
      const Param& param = kernel_.params[i];
      if (i > 0) text_ += ", ";
      text_ += param.name + " ";
      if (param.is_array()) text_ += "[" + std::string(static_cast<size_t>(param.rank) - 1, ',') + "]";
      text_ += to_string(param.type);
    }
    text_ += ")\n";
  }

  void block(const Block* block, int depth) {
    for (const auto& stmt : block->statements) statement(stmt.get(), depth);
  }

  void statement(const Stmt* stmt, int depth) {
    indent(depth);
    if (auto found = numbers_.find(stmt); found != numbers_.end()) text_ += value(stmt) + " = ";
    visit(const_cast<Stmt*>(stmt), [this](const auto* typed) { line(*typed); });
    text_ += '\n';
    nested(stmt, depth);
  }

  std::string take() { return std::move(text_); }

 private:
  void indent(int depth) { text_.append(static_cast<size_t>(depth) * 2, ' '); }

  std::string value(const Stmt* stmt) const {
    auto found = numbers_.find(stmt);
    return found == numbers_.end() ? "%?" : "%" + std::to_string(found->second);
  }

  template <class T>
  void line(const T& stmt) {
    using Attributes = typename T::Attributes;
    const auto& names = StatementNames<Attributes>::members;
    text_ += kind_name(stmt.kind);
    if constexpr (std::is_same_v<T, ConstantStmt>) {
      text_ += " " + constant_text(stmt);
    } else {
      attributes(names, static_cast<const Attributes&>(stmt), Attributes{}, /*leading=*/true);
    }
    for (size_t i = 0; i < stmt.operands.size(); ++i) text_ += (i == 0 ? " " : ", ") + value(stmt.operands[i]);
    if constexpr (!std::is_same_v<T, ConstantStmt>) {
      attributes(names, static_cast<const Attributes&>(stmt), Attributes{}, /*leading=*/false);
    }
    if (stmt.group != 0) text_ += " group=" + std::to_string(stmt.group);
    if (stmt.type != none_type()) text_ += " : " + to_string(stmt.type);
  }

  // Leading attributes stand before the operands, without their names.
  template <class Names, class Attributes>
  void attributes(const Names& names, const Attributes& attrs, const Attributes& defaults, bool leading) {
    auto all = attrs.members();
    auto standard = defaults.members();
    static_assert(std::tuple_size_v<decltype(all)> == std::tuple_size_v<Names>, "every member needs a name");
    [&]<size_t... I>(std::index_sequence<I...>) {
      (attribute(names[I], std::get<I>(all), std::get<I>(standard), leading), ...);
    }(std::make_index_sequence<std::tuple_size_v<Names>>());
  }

  template <class T>
  void attribute(const MemberName& name, const T& member, const T& standard, bool leading) {
    if constexpr (std::is_same_v<T, LoopOptions>) {
      if (!leading) attributes(StatementNames<LoopOptions>::members, member, standard, false);
    } else {
      if (leading != (name.form == MemberForm::leading || name.form == MemberForm::param)) return;
      if (member == standard && name.form == MemberForm::unless_default) return;
      if constexpr (std::is_same_v<T, std::string>) {
        if (member.empty()) return;
      }
      text_ += ' ';
      if (name.form == MemberForm::param) {
        if constexpr (std::is_same_v<T, int32_t>) text_ += param(member);
      } else if (leading) {
        text_ += text(member);
      } else if constexpr (std::is_same_v<T, bool>) {
        text_ += std::string(name.name) + (member ? "" : "=false");
      } else {
        text_ += std::string(name.name) + "=" + text(member);
      }
    }
  }

  std::string param(int32_t index) const {
    bool known = index >= 0 && static_cast<size_t>(index) < kernel_.params.size();
    return known ? kernel_.params[static_cast<size_t>(index)].name : "param" + std::to_string(index);
  }

  template <class T>
  static std::string text(const T& member) {
    if constexpr (std::is_same_v<T, std::string>) {
      return quoted(member);
    } else if constexpr (std::is_same_v<T, CheckKind> || std::is_same_v<T, TaskType>) {
      return std::string(enum_name(member));
    } else if constexpr (std::is_enum_v<T>) {
      return std::string(to_string(member));
    } else if constexpr (std::is_same_v<T, bool>) {
      return member ? "true" : "false";
    } else {
      return std::to_string(member);
    }
  }

  void nested(const Stmt* stmt, int depth) {
    for (size_t i = 0; i < stmt->blocks.size(); ++i) {
      const Block* inner = stmt->blocks[i].get();
      std::string_view label = block_label(stmt->kind, i);
      if (stmt->kind == StmtKind::offloaded) {
        if (inner->statements.empty()) continue;
        indent(depth + 1);
        text_ += std::string(label) + ":\n";
        block(inner, depth + 2);
        continue;
      }
      if (!label.empty() && !inner->statements.empty()) {
        indent(depth);
        text_ += std::string(label) + "\n";
      }
      block(inner, depth + 1);
    }
  }

  const KernelIR& kernel_;
  std::unordered_map<const Stmt*, int> uses_;
  std::unordered_map<const Stmt*, size_t> numbers_;
  std::string text_;
};

}  // namespace

std::string print(const KernelIR& kernel) {
  Printer printer(kernel);
  printer.header();
  printer.block(kernel.root.get(), 0);
  return printer.take();
}

std::string print(const KernelIR& kernel, const Stmt* stmt) {
  Printer printer(kernel);
  printer.number(stmt);
  printer.statement(stmt, 0);
  std::string text = printer.take();
  text.pop_back();
  return text;
}

}  // namespace qd
