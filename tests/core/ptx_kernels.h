// Kernels compiled for NVIDIA GPUs, without one: what the PTX holds, and what it must not hold.
#pragma once

#include <memory>
#include <regex>
#include <string>

#include "core/codegen/cuda/cuda_kernel.h"
#include "core/codegen/llvm_version.h"
#include "tests/core/pass_fixture.h"

namespace qd {

class PtxTest : public PassTest {
 protected:
  CudaTarget target{.sm = 90, .driver_ptx = 0, .libdevice = {}, .libclc = {}};

  const CudaModule& module() {
    if (compiled == nullptr) {
      const KernelIR& ir = compile();
      options.dump = nullptr;
      compiled = compile_for_cuda(ir, options, target);
      name_by_size(compiled->ptx);
    }
    return *compiled;
  }
  const std::string& ptx() { return module().ptx; }
  const CudaTask& task(size_t index = 0) { return module().tasks.at(index); }
  // Matches of a regular expression in the PTX.
  int count_ptx(const std::string& pattern) {
    const std::regex regex(pattern);
    const std::string& text = ptx();
    return static_cast<int>(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {}));
  }

  // y[i] += a * x[i]
  void saxpy(int32_t type) {
    const int32_t x = array("x", type), y = array("y", type), a = scalar("a", type);
    const LabelId loop = range(b.dim(y, 0));
    atomic(AtomicOp::add, at(y, index(loop)), mul(b.param(a), at(x, index(loop))));
    b.end_for();
  }
  // sum[0] op= x[i]
  void reduce(int32_t type, AtomicOp op) {
    const int32_t sum = array("sum", type), x = array("x", type);
    const LabelId loop = range(b.dim(x, 0));
    atomic(op, at(sum, i64(0)), at(x, index(loop)));
    b.end_for();
  }
  ExprId either(ExprId x, ExprId y) { return op(BinaryOp::logic_or, x, y); }
  // next[i][j] = the mean of the neighbours; the edge stays.
  void relax() {
    const int32_t next = array("next", kF32, 2), cur = array("cur", kF32, 2);
    const LabelId loop = b.begin_for({i64(0), b.dim(cur, 0), i64(0), b.dim(cur, 1)}, {});
    const auto i = [&] { return index(loop, 0); };
    const auto j = [&] { return index(loop, 1); };
    const auto equal = [&](ExprId x, ExprId y) { return op(BinaryOp::eq, x, y); };
    const ExprId first = either(equal(i(), i64(0)), equal(j(), i64(0)));
    const ExprId last = either(equal(i(), sub(b.dim(cur, 0), i64(1))), equal(j(), sub(b.dim(cur, 1), i64(1))));
    b.begin_if(either(first, last));
    b.assign(at(next, i(), j()), at(cur, i(), j()));
    b.continue_(loop);
    b.end_if();
    const ExprId column = add(at(cur, sub(i(), i64(1)), j()), at(cur, add(i(), i64(1)), j()));
    const ExprId row = add(at(cur, i(), sub(j(), i64(1))), at(cur, i(), add(j(), i64(1))));
    b.assign(at(next, i(), j()), mul(f32(0.25), add(column, row)));
    b.end_for();
  }

  // Of the accesses of relax(), LLVM 19 splits one.
  static constexpr int kSplit = LLVM_VERSION_MAJOR < 20 ? 1 : 0;

  std::unique_ptr<CudaModule> compiled;

 private:
  // Older LLVMs name accesses by what they hold, newer ones by size alone, as here.
  static void name_by_size(std::string& text) {
#if LLVM_VERSION_MAJOR < 22
    static const std::regex access(R"(((?:ld|st)\.[a-z0-9_.:]*)[fus](8|16|32|64)\b)");
    text = std::regex_replace(text, access, "$1b$2");
#else
    (void)text;
#endif
  }
};

}  // namespace qd
