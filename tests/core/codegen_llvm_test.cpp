// LLVM's own errors become qd::Error; the JIT sees only what it is given and frees what it mapped.
#include <cmath>
#include <fstream>
#include <functional>

#include "core/codegen/cpu/host_target.h"
#include "core/codegen/cpu/jit.h"
#include "core/codegen/ir_builder.h"
#include "core/codegen/llvm_errors.h"
#include "core/ir/error.h"
#include "tests/core/codegen_kernel.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace qd::codegen_test {
namespace {

// While one lives, what this thread allocates may be lost.
#ifdef __SANITIZE_ADDRESS__
using MayLeak = __lsan::ScopedDisabler;
#else
struct MayLeak {
  MayLeak() {}
};
#endif

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// double f(double x) { return callee(x); }
LlvmBuffer object_calling(const char* callee, const LlvmTargetMachine& machine) {
  IrBuilder ir("test", false);
  set_target(ir.module(), machine.get());
  LLVMTypeRef real = LLVMDoubleTypeInContext(ir.context());
  Value function = ir.add_function("f", real, {real});
  ir.enter(LLVMAppendBasicBlockInContext(ir.context(), function, "entry"));
  LLVMBuildRet(ir.get(), ir.call_pure(callee, real, {LLVMGetParam(function, 0)}));
  return emit_code(ir.module(), machine.get(), LLVMObjectFile);
}

TEST(CodegenLlvm, LinksTheMathLibrary) {
  const LlvmTargetMachine machine = create_host_machine();
  JitLibrary library;
  library.add(object_calling("cbrt", machine));
  const auto f = reinterpret_cast<double (*)(double)>(library.link({"f"}).at(0));
  EXPECT_EQ(f(27.5), std::cbrt(27.5));
}

TEST(CodegenLlvm, MissingSymbolIsNamed) {
  const LlvmTargetMachine machine = create_host_machine();
  {
    JitLibrary library;
    library.add(object_calling("getpid", machine));  // in the process, but not given to kernels
    EXPECT_NE(message_of([&] { library.link({"f"}); }).find("getpid"), std::string::npos);
  }
  JitLibrary next;  // the failed one's place is usable again
  next.add(object_calling("exp", machine));
  const auto f = reinterpret_cast<double (*)(double)>(next.link({"f"}).at(0));
  EXPECT_EQ(f(1.0), std::exp(1.0));
}

TEST(CodegenLlvm, InvalidIrIsAnError) {
  IrBuilder ir("test", false);
  Value function = ir.add_function("f", ir.void_type(), {});
  LLVMAppendBasicBlockInContext(ir.context(), function, "entry");  // without an end
  EXPECT_NE(message_of([&] { verify_module(ir.module(), "the test"); }).find("the test"), std::string::npos);
}

// An instruction that no x86 has makes LLVM's code generator give up; that must not end the process.
TEST(CodegenLlvm, FatalErrorIsCaught) {
  const MayLeak what_llvm_was_working_on;
  const LlvmTargetMachine machine = create_host_machine();
  IrBuilder ir("test", false);
  set_target(ir.module(), machine.get());
  Value function = ir.add_function("f", ir.int_type(32), {});
  ir.enter(LLVMAppendBasicBlockInContext(ir.context(), function, "entry"));
  LLVMBuildRet(ir.get(), ir.intrinsic("llvm.nvvm.read.ptx.sreg.tid.x", {}, {}));
  const FatalErrorScope scope;
  try {
    emit_code(ir.module(), machine.get(), LLVMObjectFile);
    FAIL() << "LLVM accepted it";
  } catch (const LlvmFatalError& error) {
    EXPECT_NE(error.message.find("annot select"), std::string::npos) << error.message;
  }
  ir.abandon();
}

size_t executable_mappings() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("r-xp") != std::string::npos;
  return count;
}

TEST(CodegenLlvm, CodeIsUnmappedWithTheKernel) {
  auto compile = [] {
    auto k = std::make_unique<TestKernel>();
    Emitter e = k->in(k->serial_task());
    e.alloca_of(i64());
    k->compile();
    return k;
  };
  compile();
  const size_t before = executable_mappings();
  for (int i = 0; i < 5; ++i) compile();
  EXPECT_EQ(executable_mappings(), before);
  auto held = compile();
  EXPECT_GT(executable_mappings(), before);
}

}  // namespace
}  // namespace qd::codegen_test
