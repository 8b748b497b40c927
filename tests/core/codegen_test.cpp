// Tasks as a whole: chunks, arguments, failures, the shape of the code.
#include "tests/core/codegen_kernel.h"

namespace qd::codegen_test {
namespace {

// y[i] = a * x[i] + y[i]
TestKernel saxpy() {
  TestKernel k("saxpy");
  const int32_t x = k.param(f32(), 1), y = k.param(f32(), 1), a = k.param(f32());
  OffloadedStmt* task = k.task_over(y);
  Emitter e = k.in(task);
  Stmt* i = e.loop_index(task, 0);
  Stmt* target = k.element(e, y, {i});
  Stmt* product = e.binary(BinaryOp::mul, e.arg_load(a, f32()), e.load(k.element(e, x, {i})));
  e.store(target, e.binary(BinaryOp::add, product, e.load(target)));
  return k;
}

TEST(Codegen, Saxpy) {
  TestKernel k = saxpy();
  k.compile();
  std::vector<float> x(1000), y(1000), want(1000);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 0.5f;
    want[i] = 2.0f * x[i] + y[i];
  }
  k.set_array(0, x);
  k.set_array(1, y);
  k.set(2, 2.0f);
  k.run(77);
  EXPECT_EQ(y, want);
}

}  // namespace
}  // namespace qd::codegen_test
