// LLVM's C interface can only link whole modules, and a library of device functions is mostly not needed.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#pragma GCC diagnostic pop

#include <memory>

#include "core/codegen/cuda/device_math.h"

namespace qd {

bool link_needed(LLVMModuleRef module, LLVMModuleRef library) {
  std::unique_ptr<llvm::Module> source(llvm::unwrap(library));
  return !llvm::Linker::linkModules(*llvm::unwrap(module), std::move(source), llvm::Linker::Flags::LinkOnlyNeeded);
}

}  // namespace qd
