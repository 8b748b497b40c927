// The frontend IR as text: a statement a line, expressions as calls.
#include <bit>
#include <cstdio>

#include "core/frontend/ast.h"

namespace qd {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  return out + "\"";
}

class Printer {
 public:
  explicit Printer(const AST& ast) : ast_(ast) {}

  std::string kernel() {
    out_ += "kernel " + ast_.kernel.name + "(";
    for (size_t i = 0; i < ast_.kernel.params.size(); ++i) {
      const Param& param = ast_.kernel.params[i];
      if (i > 0) out_ += ", ";
      out_ += param.name + " ";
      for (int32_t axis = 0; axis < param.rank; ++axis) out_ += "[]";
      out_ += to_string(param.type);
    }
    out_ += ")\n";
    GroupId group = 0;
    for (const auto& stmt : ast_.body) {
      if (stmt->group != group && group != 0) close("}");
      if (stmt->group != group && stmt->group != 0) open("stream_parallel " + std::to_string(stmt->group) + " {");
      group = stmt->group;
      statement(*stmt);
    }
    if (group != 0) close("}");
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text + "\n"; }
  void open(const std::string& text) {
    line(text);
    ++depth_;
  }
  void close(const std::string& text) {
    --depth_;
    line(text);
  }
  void block(const FrontendBlock& statements) {
    for (const auto& stmt : statements) statement(*stmt);
  }

  std::string param(int32_t index) const { return ast_.kernel.params[index].name; }
  static std::string label(LabelId id) { return "L" + std::to_string(id); }
  static std::string bound(int32_t index) { return "t" + std::to_string(index); }
  std::string local(int32_t index) const { return ast_.locals[index].name + "#" + std::to_string(index); }

  std::string list(const std::vector<ExprId>& args, size_t from = 0) const {
    std::string out;
    for (size_t i = from; i < args.size(); ++i) out += (i > from ? ", " : "") + text(args[i]);
    return out;
  }
  std::string call(std::string_view name, const std::vector<ExprId>& args) const {
    return std::string(name) + "(" + list(args) + ")";
  }

  static std::string constant(const Expr& e) {
    if (e.type->is_bool()) return e.bits != 0 ? "true" : "false";
    std::string value;
    if (e.type->is_float()) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.17g", std::bit_cast<double>(e.bits));
      value = digits;
    } else {
      value = e.type->is_unsigned() ? std::to_string(e.bits) : std::to_string(static_cast<int64_t>(e.bits));
    }
    if (e.type == scalar_type(Primitive::i64)) return value;
    return to_string(e.type) + "(" + value + ")";
  }

  std::string text(ExprId id) const {
    const Expr& e = ast_.exprs[id];
    switch (e.kind) {
      case ExprKind::constant:
        return constant(e);
      case ExprKind::param_value:
        return param(e.index);
      case ExprKind::dim:
        return "len(" + param(e.index) + (e.axis > 0 ? ", " + std::to_string(e.axis) : "") + ")";
      case ExprKind::loop_index:
        return "i" + std::to_string(e.index) + (e.axis > 0 ? "." + std::to_string(e.axis) : "");
      case ExprKind::local:
        return local(e.index);
      case ExprKind::bound:
        return bound(e.index);
      case ExprKind::element:
        return param(e.index) + "[" + list(e.args) + "]" + (e.checked ? "" : "!");
      case ExprKind::field:
        return text(e.args[0]) + "." + std::to_string(e.index);
      case ExprKind::item:
        return text(e.args[0]) + "[" + text(e.args[1]) + "]" + (e.checked ? "" : "!");
      case ExprKind::unary:
        return call(to_string(static_cast<UnaryOp>(e.op)), e.args);
      case ExprKind::binary:
        return call(to_string(static_cast<BinaryOp>(e.op)), e.args);
      case ExprKind::cast: {
        CastOp op = static_cast<CastOp>(e.op);
        return (op == CastOp::value ? "" : std::string(to_string(op)) + " ") + call(to_string(e.type), e.args);
      }
      case ExprKind::select:
        return call("select", e.args);
      case ExprKind::random:
        return "random " + to_string(e.type);
      case ExprKind::checked_index:
        return "index(" + list(e.args) + ", " + quoted(e.name) + ")";
    }
    return "?";
  }

  std::string loop_head(const FrontendStmt& s) const {
    std::string head = "for " + label(s.label) + " in ";
    for (size_t axis = 0; 2 * axis < s.args.size(); ++axis)
      head += (axis > 0 ? ", " : "") + text(s.args[2 * axis]) + ".." + text(s.args[2 * axis + 1]);
    if (s.parallel) head += " parallel";
    if (s.options.serialize) head += " serialize";
    if (s.options.block_dim != 0) head += " block_dim=" + std::to_string(s.options.block_dim);
    if (!s.options.name.empty()) head += " name=" + quoted(s.options.name);
    return head + " {";
  }

  static std::string check_name(CheckKind kind) {
    switch (kind) {
      case CheckKind::index:
        return "index";
      case CheckKind::slice:
        return "slice";
      case CheckKind::nonzero:
        return "nonzero";
      case CheckKind::shift:
        return "shift";
      case CheckKind::length:
        return "length";
      case CheckKind::assertion:
        return "assertion";
    }
    return "?";
  }

  void statement(const FrontendStmt& s) {
    switch (s.kind) {
      case FrontendKind::local:
        return line("var " + local(s.index) + " " + to_string(ast_.locals[s.index].type) +
                    (s.expr >= 0 ? " = " + text(s.expr) : ""));
      case FrontendKind::bind:
        return line(bound(s.index) + " = " + text(s.expr));
      case FrontendKind::assign:
        return line(text(s.place) + " = " + text(s.expr));
      case FrontendKind::atomic:
        return line(bound(s.index) + " = atomic_" + std::string(to_string(static_cast<AtomicOp>(s.op))) + "(" +
                    text(s.place) + ", " + text(s.expr) + ")");
      case FrontendKind::atomic_cas:
        return line(bound(s.index) + " = atomic_cas(" + text(s.place) + ", " + text(s.expr) + ", " + text(s.expr2) +
                    ")");
      case FrontendKind::if_:
        open("if " + text(s.expr) + " {");
        block(s.body);
        if (!s.other.empty()) {
          close("} else {");
          ++depth_;
          block(s.other);
        }
        return close("}");
      case FrontendKind::for_:
        open(loop_head(s));
        block(s.body);
        return close("}");
      case FrontendKind::loop:
        open("loop " + label(s.label) + " {");
        block(s.body);
        if (!s.other.empty()) {
          close("} post {");
          ++depth_;
          block(s.other);
        }
        return close("}");
      case FrontendKind::scope:
        open("scope " + label(s.label) + " {");
        block(s.body);
        return close("}");
      case FrontendKind::break_:
        return line("break " + label(s.label));
      case FrontendKind::continue_:
        return line("continue " + label(s.label));
      case FrontendKind::return_:
        return line("return");
      case FrontendKind::check:
        return line("check " + check_name(s.check) + "(" + list(s.args) + ")" +
                    (s.name.empty() ? "" : " name=" + quoted(s.name)) +
                    (s.message.empty() ? "" : " message=" + quoted(s.message)));
      case FrontendKind::print:
        return line(std::string(s.to_stderr ? "eprint " : "print ") + quoted(s.message) +
                    (s.args.empty() ? "" : ", " + list(s.args)));
    }
  }

  const AST& ast_;
  std::string out_;
  size_t depth_ = 1;
};

}  // namespace

std::string print(const AST& ast) { return Printer(ast).kernel(); }

}  // namespace qd
