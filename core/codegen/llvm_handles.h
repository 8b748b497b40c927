// Owners of LLVM's C objects.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "core/codegen/llvm_version.h"

namespace qd {

template <auto Dispose>
struct LlvmDispose {
  template <class T>
  void operator()(T* object) const {
    Dispose(object);
  }
};
template <class Ref, auto Dispose>
using LlvmOwner = std::unique_ptr<std::remove_pointer_t<Ref>, LlvmDispose<Dispose>>;

using LlvmContext = LlvmOwner<LLVMContextRef, LLVMContextDispose>;
using LlvmModule = LlvmOwner<LLVMModuleRef, LLVMDisposeModule>;
using LlvmBuilder = LlvmOwner<LLVMBuilderRef, LLVMDisposeBuilder>;
using LlvmTargetMachine = LlvmOwner<LLVMTargetMachineRef, LLVMDisposeTargetMachine>;
using LlvmTargetData = LlvmOwner<LLVMTargetDataRef, LLVMDisposeTargetData>;
using LlvmBuffer = LlvmOwner<LLVMMemoryBufferRef, LLVMDisposeMemoryBuffer>;

// Takes a message that LLVM allocated; null gives "".
inline std::string take_message(char* message) {
  std::string text = message != nullptr ? message : "";
  if (message != nullptr) LLVMDisposeMessage(message);
  return text;
}

}  // namespace qd
