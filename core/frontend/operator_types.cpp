#include "core/frontend/operator_types.h"

namespace qd {

namespace {

const Type* boolean() { return scalar_type(Primitive::u1); }

std::string quoted(std::string_view op) { return std::string(op); }

OperatorType refuse(std::string_view op, const std::string& needs, const Type* got) {
  return {nullptr, quoted(op) + " needs " + needs + ", not " + to_string(got) + "; cast it"};
}

OperatorType accept(const Type* result) { return {result, {}}; }

bool is_number(const Type* type) { return type->is_integer() || type->is_float(); }

}  // namespace

OperatorType unary_type(UnaryOp op, const Type* x) {
  std::string_view name = to_string(op);
  switch (op) {
    case UnaryOp::neg:
    case UnaryOp::abs:
    case UnaryOp::sgn:
      return is_number(x) ? accept(x) : refuse(name, "an integer or a float", x);
    case UnaryOp::logic_not:
      return x->is_bool() ? accept(x) : refuse(name, "a u1", x);
    case UnaryOp::bit_not:
    case UnaryOp::popcount:
    case UnaryOp::clz:
    case UnaryOp::ctz:
    case UnaryOp::reverse_bits:
    case UnaryOp::reverse_bytes:
      return x->is_integer() ? accept(x) : refuse(name, "an integer", x);
    case UnaryOp::is_nan:
    case UnaryOp::is_inf:
      return x->is_float() ? accept(boolean()) : refuse(name, "a float", x);
    default:
      return x->is_float() ? accept(x) : refuse(name, "a float", x);
  }
}

OperatorType binary_type(BinaryOp op, const Type* x, const Type* y) {
  std::string_view name = to_string(op);
  if (op == BinaryOp::shl || op == BinaryOp::shr) {
    if (!x->is_integer()) return refuse(name, "an integer", x);
    return y->is_integer() ? accept(x) : refuse(name, "an integer count", y);
  }
  if (x != y)
    return {nullptr, quoted(name) + " needs operands of one type, not " + to_string(x) + " and " + to_string(y) +
                         "; cast one of them"};
  switch (op) {
    case BinaryOp::add:
    case BinaryOp::sub:
    case BinaryOp::mul:
    case BinaryOp::div:
    case BinaryOp::min:
    case BinaryOp::max:
    case BinaryOp::floor_div:
    case BinaryOp::floor_mod:
      return is_number(x) ? accept(x) : refuse(name, "integers or floats", x);
    case BinaryOp::lt:
    case BinaryOp::le:
    case BinaryOp::gt:
    case BinaryOp::ge:
      return is_number(x) ? accept(boolean()) : refuse(name, "integers or floats", x);
    case BinaryOp::eq:
    case BinaryOp::ne:
      return accept(boolean());
    case BinaryOp::logic_and:
    case BinaryOp::logic_or:
      return x->is_bool() ? accept(x) : refuse(name, "two u1", x);
    case BinaryOp::pow:
    case BinaryOp::atan2:
    case BinaryOp::hypot:
    case BinaryOp::mod:
    case BinaryOp::copysign:
      return x->is_float() ? accept(x) : refuse(name, "floats", x);
    default:
      return x->is_integer() ? accept(x) : refuse(name, "integers", x);
  }
}

OperatorType cast_type(CastOp op, const Type* from, const Type* to) {
  switch (op) {
    case CastOp::value:
      return accept(to);
    case CastOp::bits:
      if (from->bits() == to->bits()) return accept(to);
      return {nullptr, "a cast of bits needs types of one width, not " + to_string(from) + " and " + to_string(to)};
    case CastOp::round:
      if (from->is_float() && from == to) return accept(to);
      return {nullptr, "a rounding cast goes from a float type to itself, not from " + to_string(from) + " to " +
                           to_string(to) + "; use a value cast"};
  }
  return {nullptr, "unknown cast"};
}

OperatorType atomic_type(AtomicOp op, const Type* place) {
  std::string name = "an atomic " + std::string(to_string(op));
  bool bits = op == AtomicOp::bit_and || op == AtomicOp::bit_or || op == AtomicOp::bit_xor || op == AtomicOp::and_not;
  if (bits ? place->is_integer() : is_number(place)) return accept(place);
  return {nullptr, name + " needs " + (bits ? "an integer" : "an integer or a float") + ", not " + to_string(place)};
}

}  // namespace qd
