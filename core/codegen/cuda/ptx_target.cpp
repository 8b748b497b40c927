#include "core/codegen/cuda/ptx_target.h"

#include <algorithm>
#include <mutex>

#include "core/ir/error.h"

namespace qd {

namespace {

struct Processor {
  int32_t sm;
  int32_t ptx;   // the first version that knows it
  int32_t llvm;  // likewise
};
// LLVM ends the process where a processor and a PTX version do not fit: nothing but what stands here is asked of it.
constexpr Processor kProcessors[] = {
    {60, 50, 19}, {61, 50, 19}, {62, 50, 19}, {70, 60, 19}, {72, 61, 19},  {75, 63, 19},  {80, 70, 19},
    {86, 71, 19}, {87, 74, 19}, {89, 78, 19}, {90, 78, 19}, {100, 86, 20}, {120, 87, 20},
};
struct PtxRelease {
  int32_t ptx;
  int32_t llvm;
};
constexpr PtxRelease kReleases[] = {
    {63, 19}, {64, 19}, {65, 19}, {70, 19}, {71, 19}, {72, 19}, {73, 19}, {74, 19}, {75, 19},
    {76, 19}, {77, 19}, {78, 19}, {80, 19}, {81, 19}, {82, 19}, {83, 19}, {86, 20}, {87, 20},
};
// Enough for everything that is generated; a newer one would only shut out older drivers.
constexpr int32_t kWanted = 83;

std::string version_text(int32_t version) { return std::to_string(version / 10) + "." + std::to_string(version % 10); }

}  // namespace

CudaPtxVersion choose_ptx(const CudaTarget& target) {
  const Processor* processor = nullptr;
  for (const Processor& known : kProcessors) {
    // Code for a processor runs on later ones as well.
    const bool readable = target.driver_ptx == 0 || known.ptx <= target.driver_ptx;
    if (known.sm <= target.sm && known.llvm <= LLVM_VERSION_MAJOR && readable) processor = &known;
  }
  if (processor == nullptr) {
    throw Error(Code::unsupported,
                "compute capability " + version_text(target.sm) +
                    " is not supported: a GPU of 6.0 or later is needed, and a driver that knows it");
  }
  const int32_t wanted = std::max(kWanted, processor->ptx);
  const PtxRelease* release = nullptr;
  for (const PtxRelease& known : kReleases) {
    const bool readable = target.driver_ptx == 0 || known.ptx <= target.driver_ptx;
    if (known.ptx <= wanted && known.llvm <= LLVM_VERSION_MAJOR && readable) release = &known;
  }
  if (release == nullptr || release->ptx < processor->ptx) {
    throw Error(Code::unsupported, "the driver reads PTX up to version " + version_text(target.driver_ptx) +
                                       "; 6.3 or later is needed: install a newer driver");
  }
  return {release->ptx, processor->sm};
}

int64_t max_parameter_bytes(const CudaPtxVersion& version) {
  return version.ptx >= 81 && version.sm >= 70 ? 32764 : 4096;
}

LlvmTargetMachine create_ptx_machine(const CudaPtxVersion& version) {
  static std::once_flag initialised;
  std::call_once(initialised, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  static constexpr const char kTriple[] = "nvptx64-nvidia-cuda";
  LLVMTargetRef target = nullptr;
  char* message = nullptr;
  if (LLVMGetTargetFromTriple(kTriple, &target, &message) != 0) {
    throw Error(Code::unsupported, "this LLVM has no code generator for NVIDIA GPUs: " + take_message(message));
  }
  const std::string processor = "sm_" + std::to_string(version.sm);
  const std::string features = "+ptx" + std::to_string(version.ptx);
  LlvmTargetMachine machine(LLVMCreateTargetMachine(target, kTriple, processor.c_str(), features.c_str(),
                                                    LLVMCodeGenLevelAggressive, LLVMRelocDefault,
                                                    LLVMCodeModelDefault));
  if (!machine) throw Error(Code::unsupported, "this LLVM cannot generate code for " + processor);
  return machine;
}

}  // namespace qd
