#include "core/ir/type_rules.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/ir/constant.h"
#include "core/ir/result_type.h"

namespace qd {

namespace {

bool is_numeric(const Type* type) { return type->is_integer() || type->is_float(); }
bool is_i64(const Type* type) { return type == scalar_type(Primitive::i64); }
bool is_u1(const Type* type) { return type->is_bool(); }
bool is_pointer_to(const Type* type, const Type* pointee) { return type->is_pointer() && type->element == pointee; }
bool is_storable(const Type* type) { return type != nullptr && (type->is_scalar() || type->is_aggregate()); }

bool accepts(UnaryOp op, const Type* x) {
  switch (op) {
    case UnaryOp::neg:
    case UnaryOp::abs:
    case UnaryOp::sgn:
      return is_numeric(x);
    case UnaryOp::logic_not:
      return is_u1(x);
    case UnaryOp::bit_not:
    case UnaryOp::popcount:
    case UnaryOp::clz:
    case UnaryOp::ctz:
    case UnaryOp::reverse_bits:
    case UnaryOp::reverse_bytes:
      return x->is_integer();
    case UnaryOp::count_:
      return false;
    default:
      return x->is_float();
  }
}

bool accepts(BinaryOp op, const Type* x, const Type* y) {
  if (is_shift(op)) return x->is_integer() && y->is_integer();
  if (x != y) return false;
  switch (op) {
    case BinaryOp::rem:
    case BinaryOp::mul_high:
      return x->is_integer();
    case BinaryOp::bit_and:
    case BinaryOp::bit_or:
    case BinaryOp::bit_xor:
    case BinaryOp::and_not:
      return x->is_integer() || is_u1(x);
    case BinaryOp::eq:
    case BinaryOp::ne:
      return x->is_scalar();
    case BinaryOp::logic_and:
    case BinaryOp::logic_or:
      return is_u1(x);
    case BinaryOp::pow:
    case BinaryOp::atan2:
    case BinaryOp::hypot:
    case BinaryOp::mod:
    case BinaryOp::copysign:
      return x->is_float();
    case BinaryOp::count_:
      return false;
    default:
      return is_numeric(x);
  }
}

bool accepts(AtomicOp op, const Type* type) {
  switch (op) {
    case AtomicOp::bit_and:
    case AtomicOp::bit_or:
    case AtomicOp::bit_xor:
    case AtomicOp::and_not:
      return type->is_integer() || is_u1(type);
    case AtomicOp::exchange:
      return type->is_scalar();
    case AtomicOp::count_:
      return false;
    default:
      return is_numeric(type);
  }
}

bool accepts(CastOp op, const Type* from, const Type* to) {
  if (!from->is_scalar() || !to->is_scalar()) return false;
  switch (op) {
    case CastOp::value:
      return true;
    case CastOp::bits:
      return from->bits() == to->bits();
    case CastOp::round:
      return from == to && from->is_float();
  }
  return false;
}

int count_values(const std::string& format) {
  int count = 0;
  for (size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] != '%') continue;
    ++i;
    if (format[i] == 'v') ++count;
  }
  return count;
}

// One overload a kind. Operand and block counts are part of it.
struct Rules {
  const KernelIR& kernel;

  static std::string when(bool wrong, const char* fault) { return wrong ? fault : ""; }

  static std::string shape(const Stmt* s, size_t operands, size_t blocks = 0) {
    if (s->operands.size() != operands) return "it has " + std::to_string(s->operands.size()) + " operands";
    if (s->blocks.size() != blocks) return "it has " + std::to_string(s->blocks.size()) + " blocks";
    return "";
  }
  static const Type* type(const Stmt* s, size_t operand) { return s->operands[operand]->type; }
  static bool all_i64(const Stmt* s) {
    return std::all_of(s->operands.begin(), s->operands.end(), [](const Stmt* x) { return is_i64(x->type); });
  }
  static bool all_scalars(const Stmt* s) {
    return std::all_of(s->operands.begin(), s->operands.end(), [](const Stmt* x) { return x->type->is_scalar(); });
  }
  static bool valueless(const Stmt* s) { return s->type == none_type(); }

  const Param* param(int32_t index) const {
    bool known = index >= 0 && static_cast<size_t>(index) < kernel.params.size();
    return known ? &kernel.params[static_cast<size_t>(index)] : nullptr;
  }

  std::string operator()(const ConstantStmt* s) const {
    if (auto fault = shape(s, 0); !fault.empty()) return fault;
    if (!s->type->is_scalar()) return "a constant must be a scalar";
    if (!s->type->is_float()) return when(integer_bits(s->type, s->bits) != s->bits, "its bits do not fit its type");
    double value = float_value(s);
    return when(!std::isnan(value) && float_bits(s->type, value) != s->bits, "its value does not fit its type");
  }
  std::string operator()(const ArgLoadStmt* s) const {
    if (auto fault = shape(s, 0); !fault.empty()) return fault;
    const Param* p = param(s->param);
    if (p == nullptr || p->is_array() || !p->type->is_scalar()) return "it needs a scalar parameter";
    return when(s->type != p->type, "its type is not the parameter's");
  }
  std::string operator()(const ArgPlaceStmt* s) const {
    if (auto fault = shape(s, 0); !fault.empty()) return fault;
    const Param* p = param(s->param);
    if (p == nullptr || p->is_array() || !p->type->is_aggregate()) return "it needs an aggregate parameter";
    return when(!is_pointer_to(s->type, p->type), "its type is not a pointer to the parameter's");
  }
  std::string operator()(const ArrayDimStmt* s) const {
    if (auto fault = shape(s, 0); !fault.empty()) return fault;
    const Param* p = param(s->param);
    if (p == nullptr || !p->is_array()) return "it needs an array parameter";
    if (s->axis < 0 || s->axis >= p->rank) return "the array has no such axis";
    return when(!is_i64(s->type), "its type must be i64");
  }
  std::string operator()(const LoopIndexStmt* s) const {
    if (auto fault = shape(s, 1); !fault.empty()) return fault;
    const auto* loop = as<RangeForStmt>(s->operands[0]);
    const auto* task = as<OffloadedStmt>(s->operands[0]);
    if (loop == nullptr && task == nullptr) return "its operand must be a range_for or an offloaded task";
    int32_t dims = loop != nullptr ? loop->dims : task->dims;
    if (s->axis < 0 || s->axis >= dims) return "the loop has no such axis";
    return when(!is_i64(s->type), "its type must be i64");
  }
  std::string operator()(const UnaryStmt* s) const {
    if (auto fault = shape(s, 1); !fault.empty()) return fault;
    if (!accepts(s->op, type(s, 0))) return "the operator does not take " + to_string(type(s, 0));
    return when(s->type != result_type(s->op, type(s, 0)), "its type does not follow from its operand");
  }
  std::string operator()(const BinaryStmt* s) const {
    if (auto fault = shape(s, 2); !fault.empty()) return fault;
    if (!accepts(s->op, type(s, 0), type(s, 1))) {
      return "the operator does not take " + to_string(type(s, 0)) + " and " + to_string(type(s, 1));
    }
    return when(s->type != result_type(s->op, type(s, 0)), "its type does not follow from its operands");
  }
  std::string operator()(const CastStmt* s) const {
    if (auto fault = shape(s, 1); !fault.empty()) return fault;
    return when(!accepts(s->op, type(s, 0), s->type), "its operand cannot be cast so");
  }
  std::string operator()(const SelectStmt* s) const {
    if (auto fault = shape(s, 3); !fault.empty()) return fault;
    if (!is_u1(type(s, 0))) return "its condition must be u1";
    return when(type(s, 1) != type(s, 2) || s->type != type(s, 1), "its two values and its result must be of one type");
  }
  std::string operator()(const RandomStmt* s) const {
    if (auto fault = shape(s, 0); !fault.empty()) return fault;
    return when(!s->type->is_scalar(), "a random number must be a scalar");
  }
  std::string operator()(const AllocaStmt* s) const {
    if (auto fault = shape(s, 0); !fault.empty()) return fault;
    return when(!s->type->is_pointer() || !is_storable(s->type->element), "its type must be a pointer to a value");
  }
  std::string operator()(const ElementPtrStmt* s) const {
    const Param* p = param(s->param);
    if (p == nullptr || !p->is_array()) return "it needs an array parameter";
    if (auto fault = shape(s, static_cast<size_t>(p->rank)); !fault.empty()) return fault;
    if (!all_i64(s)) return "its indices must be i64";
    return when(!is_pointer_to(s->type, p->type), "its type is not a pointer to the array's element");
  }
  std::string operator()(const OffsetPtrStmt* s) const {
    if (auto fault = shape(s, s->operands.size() == 2 ? 2 : 1); !fault.empty()) return fault;
    if (!type(s, 0)->is_pointer()) return "its base must be a pointer";
    if (s->operands.size() == 2 && !is_i64(type(s, 1))) return "its index must be i64";
    if (s->check && (s->operands.size() != 2 || s->count < 0)) return "there is no index to check";
    return when(!s->type->is_pointer() || !is_storable(s->type->element), "its type must be a pointer to a value");
  }
  std::string operator()(const TempPtrStmt* s) const {
    if (auto fault = shape(s, 0); !fault.empty()) return fault;
    if (!s->type->is_pointer() || !is_storable(s->type->element)) return "its type must be a pointer to a value";
    bool inside = s->offset >= 0 && s->offset <= kernel.temps_size - s->type->element->size;
    return when(!inside || s->offset % s->type->element->align != 0, "it lies outside the temporaries, or misaligned");
  }
  std::string operator()(const LoadStmt* s) const {
    if (auto fault = shape(s, 1); !fault.empty()) return fault;
    if (!type(s, 0)->is_pointer()) return "its operand must be a pointer";
    return when(!s->type->is_scalar() || s->type != type(s, 0)->element, "its type must be the scalar pointed to");
  }
  std::string operator()(const StoreStmt* s) const {
    if (auto fault = shape(s, 2); !fault.empty()) return fault;
    if (!type(s, 0)->is_pointer()) return "its first operand must be a pointer";
    return when(!type(s, 1)->is_scalar() || type(s, 1) != type(s, 0)->element,
                "the value's type must be the scalar pointed to");
  }
  std::string operator()(const CopyStmt* s) const {
    if (auto fault = shape(s, 2); !fault.empty()) return fault;
    return when(!type(s, 0)->is_pointer() || type(s, 0) != type(s, 1), "it needs two pointers of one type");
  }
  std::string operator()(const ZeroStmt* s) const {
    if (auto fault = shape(s, 1); !fault.empty()) return fault;
    return when(!type(s, 0)->is_pointer(), "its operand must be a pointer");
  }
  std::string operator()(const AtomicStmt* s) const {
    if (auto fault = shape(s, 2); !fault.empty()) return fault;
    if (!is_pointer_to(type(s, 0), type(s, 1))) return "the value's type must be the one pointed to";
    if (!accepts(s->op, type(s, 1))) return "the operator does not take " + to_string(type(s, 1));
    return when(s->type != type(s, 1), "its type must be the one pointed to");
  }
  std::string operator()(const AtomicCasStmt* s) const {
    if (auto fault = shape(s, 3); !fault.empty()) return fault;
    bool agree = is_pointer_to(type(s, 0), s->type) && type(s, 1) == s->type && type(s, 2) == s->type;
    return when(!agree || !s->type->is_scalar(), "pointer, expected, desired and result must agree on a scalar type");
  }
  std::string operator()(const IfStmt* s) const {
    if (auto fault = shape(s, 1, 2); !fault.empty()) return fault;
    return when(!is_u1(type(s, 0)), "its condition must be u1");
  }
  std::string operator()(const RangeForStmt* s) const {
    if (s->dims < 1 || s->dims > 3) return "it must have 1 to 3 axes";
    if (auto fault = shape(s, 2 * static_cast<size_t>(s->dims), 1); !fault.empty()) return fault;
    return when(!all_i64(s), "its bounds must be i64");
  }
  std::string operator()(const LoopStmt* s) const { return shape(s, 0, 2); }
  std::string operator()(const ScopeStmt* s) const { return shape(s, 0, 1); }
  std::string operator()(const BreakStmt* s) const {
    if (auto fault = shape(s, 1); !fault.empty()) return fault;
    StmtKind target = s->operands[0]->kind;
    return when(target != StmtKind::loop && target != StmtKind::range_for && target != StmtKind::scope,
                "its target must be a loop, a range_for or a scope");
  }
  std::string operator()(const ContinueStmt* s) const {
    if (auto fault = shape(s, 1); !fault.empty()) return fault;
    StmtKind target = s->operands[0]->kind;
    return when(target != StmtKind::loop && target != StmtKind::range_for && target != StmtKind::offloaded,
                "its target must be a loop, a range_for or an offloaded task");
  }
  std::string operator()(const StopStmt* s) const { return shape(s, 0); }
  std::string operator()(const CheckStmt* s) const {
    if (s->check == CheckKind::assertion) {
      if (!s->blocks.empty() || s->operands.empty() || !is_u1(type(s, 0))) return "it needs a u1 condition";
      return when(!all_scalars(s), "its arguments must be scalars");
    }
    bool one = s->check == CheckKind::nonzero || s->check == CheckKind::shift;
    if (auto fault = shape(s, one ? 1 : s->check == CheckKind::slice ? 3 : 2); !fault.empty()) return fault;
    bool integers =
        std::all_of(s->operands.begin(), s->operands.end(), [](const Stmt* x) { return x->type->is_integer(); });
    return when(!integers, "its operands must be integers");
  }
  std::string operator()(const PrintStmt* s) const {
    if (auto fault = shape(s, s->operands.size()); !fault.empty()) return fault;
    if (!all_scalars(s)) return "its operands must be scalars";
    return when(count_values(s->format) != static_cast<int>(s->operands.size()),
                "its format does not have a %v for each operand");
  }
  std::string operator()(const OffloadedStmt* s) const {
    bool range = s->task == TaskType::range_for;
    if (range ? s->dims < 1 || s->dims > 3 : s->dims != 0) return "it has a wrong number of axes";
    if (auto fault = shape(s, 2 * static_cast<size_t>(s->dims), offloaded_block::count); !fault.empty()) return fault;
    if (!all_i64(s)) return "its bounds must be i64";
    for (size_t i = 0; i < s->blocks.size(); ++i) {
      if (!range && i != offloaded_block::body && !s->blocks[i]->statements.empty()) {
        return "a serial task can only have a body";
      }
    }
    const auto& guard = s->blocks[offloaded_block::guard]->statements;
    if (guard.empty()) {
      return when(!s->blocks[offloaded_block::checked_body]->statements.empty(), "it has a checked body, but no guard");
    }
    return when(!is_u1(guard.back()->type), "its guard must end with a u1");
  }
};

bool yields_value(StmtKind kind) {
  return kind <= StmtKind::load || kind == StmtKind::atomic || kind == StmtKind::atomic_cas;
}

}  // namespace

std::string type_fault(const KernelIR& kernel, const Stmt* stmt) {
  if (stmt->type == nullptr) return "it has no type";
  for (const Stmt* operand : stmt->operands) {
    if (operand == nullptr) return "an operand is missing";
    if (operand->type == nullptr) return "an operand has no type";
  }
  if (!yields_value(stmt->kind) && stmt->type != none_type()) return "it yields no value, yet has a type";
  return visit(const_cast<Stmt*>(stmt), [&](const auto* typed) { return Rules{kernel}(typed); });
}

const Type* derived_type(KernelIR& kernel, const Stmt* stmt) {
  auto param = [&](int32_t index) -> const Param* {
    bool known = index >= 0 && static_cast<size_t>(index) < kernel.params.size();
    return known ? &kernel.params[static_cast<size_t>(index)] : nullptr;
  };
  auto operand = [&](size_t i) { return i < stmt->operands.size() ? stmt->operands[i]->type : nullptr; };
  auto pointee = [&]() { return operand(0) != nullptr && operand(0)->is_pointer() ? operand(0)->element : nullptr; };
  switch (stmt->kind) {
    case StmtKind::constant:
    case StmtKind::cast:
    case StmtKind::random:
    case StmtKind::alloca_:
    case StmtKind::offset_ptr:
    case StmtKind::temp_ptr:
      return nullptr;
    case StmtKind::arg_load: {
      const Param* p = param(as<ArgLoadStmt>(stmt)->param);
      return p != nullptr ? p->type : nullptr;
    }
    case StmtKind::arg_place: {
      const Param* p = param(as<ArgPlaceStmt>(stmt)->param);
      return p != nullptr ? kernel.types.pointer_to(p->type) : nullptr;
    }
    case StmtKind::element_ptr: {
      const Param* p = param(as<ElementPtrStmt>(stmt)->param);
      return p != nullptr ? kernel.types.pointer_to(p->type) : nullptr;
    }
    case StmtKind::array_dim:
    case StmtKind::loop_index:
      return scalar_type(Primitive::i64);
    case StmtKind::unary:
      return operand(0) != nullptr ? result_type(as<UnaryStmt>(stmt)->op, operand(0)) : nullptr;
    case StmtKind::binary:
      return operand(0) != nullptr ? result_type(as<BinaryStmt>(stmt)->op, operand(0)) : nullptr;
    case StmtKind::select:
      return operand(1);
    case StmtKind::load:
    case StmtKind::atomic:
    case StmtKind::atomic_cas:
      return pointee();
    default:
      return none_type();
  }
}

}  // namespace qd
