#include "core/codegen/random.h"

#include <array>

namespace qd {

namespace {

Value mix(const IrBuilder& ir, Value x) {
  LLVMBuilderRef b = ir.get();
  auto shift_xor = [&](Value v, uint64_t bits) {
    return LLVMBuildXor(b, v, LLVMBuildLShr(b, v, ir.constant(ir.i64(), bits), ""), "");
  };
  x = LLVMBuildAdd(b, x, ir.constant(ir.i64(), 0x9e3779b97f4a7c15), "");
  x = LLVMBuildMul(b, shift_xor(x, 30), ir.constant(ir.i64(), 0xbf58476d1ce4e5b9), "");
  x = LLVMBuildMul(b, shift_xor(x, 27), ir.constant(ir.i64(), 0x94d049bb133111eb), "");
  return shift_xor(x, 31);
}

Value low_word(const IrBuilder& ir, Value x) { return LLVMBuildTrunc(ir.get(), x, ir.int_type(32), ""); }
Value high_word(const IrBuilder& ir, Value x) {
  return low_word(ir, LLVMBuildLShr(ir.get(), x, ir.constant(ir.i64(), 32), ""));
}

using Counter = std::array<Value, 4>;

Counter philox(const IrBuilder& ir, Counter counter, Value key) {
  constexpr int kRounds = 10;
  constexpr uint64_t kMultiplier0 = 0xd2511f53, kMultiplier1 = 0xcd9e8d57;
  constexpr uint32_t kWeyl0 = 0x9e3779b9, kWeyl1 = 0xbb67ae85;
  LLVMBuilderRef b = ir.get();
  LLVMTypeRef i32 = ir.int_type(32);
  auto multiply = [&](Value x, uint64_t by) {
    return LLVMBuildMul(b, LLVMBuildZExt(b, x, ir.i64(), ""), ir.constant(ir.i64(), by), "");
  };
  Value key0 = low_word(ir, key), key1 = high_word(ir, key);
  for (int round = 0; round < kRounds; ++round) {
    Value product0 = multiply(counter[0], kMultiplier0);
    Value product1 = multiply(counter[2], kMultiplier1);
    counter = {
        LLVMBuildXor(b, LLVMBuildXor(b, high_word(ir, product1), counter[1], ""), key0, ""), low_word(ir, product1),
        LLVMBuildXor(b, LLVMBuildXor(b, high_word(ir, product0), counter[3], ""), key1, ""), low_word(ir, product0)};
    key0 = LLVMBuildAdd(b, key0, ir.constant(i32, kWeyl0), "");
    key1 = LLVMBuildAdd(b, key1, ir.constant(i32, kWeyl1), "");
  }
  return counter;
}

Value unit_float(const IrBuilder& ir, const Type* type, Value bits, uint64_t drop, double scale) {
  LLVMBuilderRef b = ir.get();
  LLVMTypeRef target = ir.value_type(type);
  Value top = LLVMBuildLShr(b, bits, ir.constant(LLVMTypeOf(bits), drop), "");
  return LLVMBuildFMul(b, LLVMBuildUIToFP(b, top, target, ""), ir.constant_float(target, scale), "");
}

}  // namespace

Value emit_random_key(const IrBuilder& ir, Value seed, Value launch, int32_t task) {
  Value key = mix(ir, seed);
  key = mix(ir, LLVMBuildXor(ir.get(), key, launch, ""));
  return mix(ir, LLVMBuildXor(ir.get(), key, ir.constant_i64(task), ""));
}

Value emit_random(const IrBuilder& ir, const Type* type, Value key, Value iteration, Value calls, int32_t sequence) {
  const Counter words = philox(ir,
                               {low_word(ir, iteration), high_word(ir, iteration), calls,
                                ir.constant(ir.int_type(32), static_cast<uint32_t>(sequence))},
                               key);
  if (type->primitive == Primitive::f16) return unit_float(ir, type, words[0], 32 - 11, 0x1p-11);
  if (type->primitive == Primitive::f32) return unit_float(ir, type, words[0], 32 - 24, 0x1p-24);
  LLVMBuilderRef b = ir.get();
  Value high = LLVMBuildShl(b, LLVMBuildZExt(b, words[1], ir.i64(), ""), ir.constant(ir.i64(), 32), "");
  Value all = LLVMBuildOr(b, high, LLVMBuildZExt(b, words[0], ir.i64(), ""), "");
  if (type->primitive == Primitive::f64) return unit_float(ir, type, all, 64 - 53, 0x1p-53);
  return type->bits() == 64 ? all : LLVMBuildTrunc(b, all, ir.value_type(type), "");
}

}  // namespace qd
