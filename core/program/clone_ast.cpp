#include "core/program/clone_ast.h"

#include <unordered_map>
#include <utility>

#include "core/ir/error.h"

namespace qd {
namespace {

// Types are equal by address only within one TypeTable, so the copy gets its own.
class TypeCopier {
 public:
  explicit TypeCopier(TypeTable& table) : table_(table) {}

  const Type* copy(const Type* type) {
    if (type == nullptr || type->kind == Type::Kind::none || type->is_scalar()) return type;
    if (const auto known = copies_.find(type); known != copies_.end()) return known->second;
    const Type* result = make(*type);
    copies_.emplace(type, result);
    return result;
  }

 private:
  const Type* make(const Type& type) {
    switch (type.kind) {
      case Type::Kind::array:
        return table_.array_of(copy(type.element), type.count);
      case Type::Kind::pointer:
        return table_.pointer_to(copy(type.element));
      case Type::Kind::structure: {
        std::vector<StructField> fields = type.fields;
        for (StructField& field : fields) field.type = copy(field.type);
        return table_.structure(std::move(fields), type.size, type.align);
      }
      case Type::Kind::none:
      case Type::Kind::scalar:
        break;
    }
    throw Error(Code::internal, "a type that is no array, pointer or struct is being copied as one");
  }

  TypeTable& table_;
  std::unordered_map<const Type*, const Type*> copies_;
};

FrontendBlock clone_block(const FrontendBlock& block);

std::unique_ptr<FrontendStmt> clone_statement(const FrontendStmt& stmt) {
  // Names every member, so that a new one cannot be forgotten: the binding then no longer compiles.
  const auto& [kind, pos, group, place, expr, expr2, index, op, label, dims, parallel, to_stderr, check, options, name,
               message, args, body, other] = stmt;
  auto copy = std::make_unique<FrontendStmt>();
  copy->kind = kind;
  copy->pos = pos;
  copy->group = group;
  copy->place = place;
  copy->expr = expr;
  copy->expr2 = expr2;
  copy->index = index;
  copy->op = op;
  copy->label = label;
  copy->dims = dims;
  copy->parallel = parallel;
  copy->to_stderr = to_stderr;
  copy->check = check;
  copy->options = options;
  copy->name = name;
  copy->message = message;
  copy->args = args;
  copy->body = clone_block(body);
  copy->other = clone_block(other);
  return copy;
}

FrontendBlock clone_block(const FrontendBlock& block) {
  FrontendBlock copy;
  copy.reserve(block.size());
  for (const auto& stmt : block) copy.push_back(clone_statement(*stmt));
  return copy;
}

}  // namespace

AST clone(const AST& ast) {
  const auto& [kernel, exprs, locals, bound_types, labels, body] = ast;
  AST copy;
  TypeCopier types(copy.kernel.types);
  copy.kernel.name = kernel.name;
  copy.kernel.params = kernel.params;
  copy.kernel.params_size = kernel.params_size;
  copy.kernel.temps_size = kernel.temps_size;
  copy.kernel.groups = kernel.groups;
  copy.kernel.assumed_disjoint = kernel.assumed_disjoint;
  copy.kernel.positions = kernel.positions;
  for (Param& param : copy.kernel.params) param.type = types.copy(param.type);
  copy.exprs = exprs;
  for (Expr& expr : copy.exprs) expr.type = types.copy(expr.type);
  copy.locals = locals;
  for (Local& local : copy.locals) local.type = types.copy(local.type);
  copy.bound_types = bound_types;
  for (const Type*& type : copy.bound_types) type = types.copy(type);
  copy.labels = labels;
  copy.body = clone_block(body);
  return copy;
}

}  // namespace qd
