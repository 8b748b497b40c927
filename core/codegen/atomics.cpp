#include "core/codegen/atomics.h"

#include <optional>
#include <string>

#include "core/codegen/arithmetic.h"
#include "core/ir/error.h"

namespace qd {

namespace {

Value combine(const IrBuilder& ir, AtomicOp op, const Type* type, Value old, Value value) {
  // Fusing x[i] += a * b is within one Go statement.
  const FloatFreedom freedom{.contract = true};
  auto binary = [&](BinaryOp binary_op) { return emit_binary(ir, binary_op, type, old, value, type, freedom); };
  switch (op) {
    case AtomicOp::add:
      return binary(BinaryOp::add);
    case AtomicOp::sub:
      return binary(BinaryOp::sub);
    case AtomicOp::mul:
      return binary(BinaryOp::mul);
    case AtomicOp::min:
      return binary(BinaryOp::min);
    case AtomicOp::max:
      return binary(BinaryOp::max);
    case AtomicOp::bit_and:
      return binary(BinaryOp::bit_and);
    case AtomicOp::bit_or:
      return binary(BinaryOp::bit_or);
    case AtomicOp::bit_xor:
      return binary(BinaryOp::bit_xor);
    case AtomicOp::and_not:
      return binary(BinaryOp::and_not);
    case AtomicOp::exchange:
      return value;
    case AtomicOp::count_:
      break;
  }
  throw Error(Code::internal, "codegen: an unknown atomic");
}

// The instruction that does the whole operation, where there is one.
std::optional<LLVMAtomicRMWBinOp> instruction_for(AtomicOp op, const Type* type) {
  const bool is_float = type->is_float();
  switch (op) {
    case AtomicOp::add:
      return is_float ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
    case AtomicOp::sub:
      return is_float ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpSub;
    case AtomicOp::min:
      if (is_float) return std::nullopt;
      return type->is_signed() ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
    case AtomicOp::max:
      if (is_float) return std::nullopt;
      return type->is_signed() ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
    case AtomicOp::bit_and:
    case AtomicOp::and_not:
      return LLVMAtomicRMWBinOpAnd;
    case AtomicOp::bit_or:
      return LLVMAtomicRMWBinOpOr;
    case AtomicOp::bit_xor:
      return LLVMAtomicRMWBinOpXor;
    case AtomicOp::exchange:
      return LLVMAtomicRMWBinOpXchg;
    default:
      return std::nullopt;
  }
}

void check_operand(AtomicOp op, const Type* type) {
  const bool bitwise =
      op == AtomicOp::bit_and || op == AtomicOp::bit_or || op == AtomicOp::bit_xor || op == AtomicOp::and_not;
  const bool fits = type->is_integer() || (type->is_float() && !bitwise) ||
                    (type->is_bool() && (bitwise || op == AtomicOp::exchange));
  if (!fits) {
    throw Error(Code::internal, "codegen: atomic " + std::string(to_string(op)) + " of a " + to_string(type));
  }
}

Value as_bits(const IrBuilder& ir, const Type* type, Value value) {
  if (type->is_bool()) return ir.to_memory(type, value);
  return LLVMBuildBitCast(ir.get(), value, ir.bits_type(type), "");
}

Value from_bits(const IrBuilder& ir, const Type* type, Value bits) {
  if (type->is_bool()) return ir.from_memory(type, bits);
  return LLVMBuildBitCast(ir.get(), bits, ir.value_type(type), "");
}

// {old bits, exchanged}
std::pair<Value, Value> compare_exchange(const IrBuilder& ir, const Type* type, Value pointer, Value expected,
                                         Value desired) {
  Value pair = LLVMBuildAtomicCmpXchg(ir.get(), pointer, expected, desired, LLVMAtomicOrderingMonotonic,
                                      LLVMAtomicOrderingMonotonic, false);
  LLVMSetAlignment(pair, static_cast<unsigned>(type->align));
  return {LLVMBuildExtractValue(ir.get(), pair, 0, ""), LLVMBuildExtractValue(ir.get(), pair, 1, "")};
}

// Tries until no other thread came between; a value that would not change the cell is not written.
Value exchange_loop(const IrBuilder& ir, AtomicOp op, const Type* type, Value pointer, Value value) {
  LLVMTypeRef bits_type = ir.bits_type(type);
  Value first = LLVMBuildLoad2(ir.get(), bits_type, pointer, "");
  LLVMSetAlignment(first, static_cast<unsigned>(type->align));
  LLVMSetOrdering(first, LLVMAtomicOrderingMonotonic);
  LLVMBasicBlockRef before = ir.current_block();
  LLVMBasicBlockRef attempt = ir.new_block("atomic");
  LLVMBasicBlockRef write = ir.new_block("atomic.write");
  LLVMBasicBlockRef done = ir.new_block("atomic.done");
  ir.jump(attempt);

  ir.enter(attempt);
  Value bits = ir.phi(bits_type);
  IrBuilder::add_incoming(bits, first, before);
  Value wanted = as_bits(ir, type, combine(ir, op, type, from_bits(ir, type, bits), value));
  ir.branch(ir.compare(LLVMIntEQ, wanted, bits), done, write);

  ir.enter(write);
  auto [seen, exchanged] = compare_exchange(ir, type, pointer, bits, wanted);
  IrBuilder::add_incoming(bits, seen, write);
  ir.branch(exchanged, done, attempt);

  ir.enter(done);
  return from_bits(ir, type, bits);
}

}  // namespace

Value emit_atomic_result(const IrBuilder& ir, AtomicOp op, const Type* type, Value old, Value value) {
  check_operand(op, type);
  return combine(ir, op, type, old, value);
}

Value emit_atomic(const IrBuilder& ir, AtomicOp op, const Type* type, Value pointer, Value value) {
  check_operand(op, type);
  const auto instruction = instruction_for(op, type);
  if (!instruction) return exchange_loop(ir, op, type, pointer, value);
  if (op == AtomicOp::and_not) value = LLVMBuildNot(ir.get(), value, "");
  // More devices add floats atomically than subtract them.
  if (op == AtomicOp::sub && type->is_float()) value = LLVMBuildFNeg(ir.get(), value, "");
  // An exchange goes by the bits: LLVM 19 does not take every float type there.
  const bool by_bits = op == AtomicOp::exchange || type->is_bool();
  Value operand = by_bits ? as_bits(ir, type, value) : value;
  Value old = LLVMBuildAtomicRMW(ir.get(), *instruction, pointer, operand, LLVMAtomicOrderingMonotonic, false);
  LLVMSetAlignment(old, static_cast<unsigned>(type->align));
  return by_bits ? from_bits(ir, type, old) : old;
}

Value emit_atomic_cas(const IrBuilder& ir, const Type* type, Value pointer, Value expected, Value desired) {
  auto [old, exchanged] = compare_exchange(ir, type, pointer, as_bits(ir, type, expected), as_bits(ir, type, desired));
  (void)exchanged;
  return from_bits(ir, type, old);
}

}  // namespace qd
