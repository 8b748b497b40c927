// A small kernel with a loop, a branch and a continue, for tests that read or damage IR.
#pragma once

#include "core/ir/edit.h"

namespace qd {

inline const Type* const kI64 = scalar_type(Primitive::i64);
inline const Type* const kI32 = scalar_type(Primitive::i32);
inline const Type* const kU8 = scalar_type(Primitive::u8);
inline const Type* const kF32 = scalar_type(Primitive::f32);
inline const Type* const kF64 = scalar_type(Primitive::f64);
inline const Type* const kU1 = scalar_type(Primitive::u1);

inline Block* inner(Stmt* stmt, size_t block = 0) { return stmt->blocks[block].get(); }

// y[i] = a*x[i] + y[i] where x[i] is positive.
struct Saxpy {
  KernelIR kernel;
  RangeForStmt* loop;
  IfStmt* branch;
  Stmt *index, *pointer, *x;

  Saxpy() {
    kernel.name = "saxpy";
    kernel.params = {{"x", kF32, 1}, {"y", kF32, 1}, {"a", kF32, 0}};
    kernel.params_size = layout_params(kernel.params);
    Emitter root(kernel.types, kernel.root.get());
    Stmt* begin = root.constant_int(kI64, 0);
    Stmt* end = root.array_dim(1, 0);
    loop = root.emit<RangeForStmt>(none_type(), {begin, end}, 1);
    loop->parallel = true;
    Emitter body(kernel.types, inner(loop));
    body.group = 1;
    index = body.loop_index(loop, 0);
    pointer = element(body, 0);
    x = body.load(pointer);
    branch = body.if_else(body.binary(BinaryOp::gt, x, body.constant_float(kF32, 0)));
    Emitter then(kernel.types, inner(branch));
    Stmt* y = element(then, 1);
    Stmt* product = then.binary(BinaryOp::mul, then.arg_load(2, kF32), x);
    auto* sum = as<BinaryStmt>(then.binary(BinaryOp::add, product, then.load(y)));
    sum->contract = false;
    then.store(y, sum);
    Emitter(kernel.types, inner(branch, 1)).emit<ContinueStmt>(none_type(), {loop});
  }

  Stmt* element(Emitter& emitter, int32_t param) {
    auto* made = emitter.emit<ElementPtrStmt>(kernel.types.pointer_to(kF32), {index});
    made->param = param;
    return made;
  }
};

inline constexpr const char* kSaxpyText = R"(kernel saxpy(x []f32, y []f32, a f32)
%0 = constant 0 : i64
%1 = array_dim y axis=0 : i64
%2 = range_for %0, %1 dims=1 parallel
  %3 = loop_index %2 axis=0 group=1 : i64
  %4 = element_ptr x %3 group=1 : *f32
  %5 = load %4 group=1 : f32
  %6 = constant 0 group=1 : f32
  %7 = binary gt %5, %6 group=1 : u1
  if %7 group=1
    %8 = element_ptr y %3 : *f32
    %9 = arg_load a : f32
    %10 = binary mul %9, %5 : f32
    %11 = load %8 : f32
    %12 = binary add %10, %11 contract=false : f32
    store %8, %12
  else
    continue %2
)";

}  // namespace qd
