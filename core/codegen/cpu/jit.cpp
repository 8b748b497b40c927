#include "core/codegen/cpu/jit.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/codegen/cpu/host_symbols.h"
#include "core/codegen/cpu/host_target.h"
#include "core/codegen/llvm_errors.h"
#include "core/ir/error.h"

namespace qd {

// One dynamic library of LLVM's session. ORC's C interface can empty it but not remove it, so emptied ones are kept
// for the next kernel.
struct JitLibrary::Library {
  LLVMOrcJITDylibRef dylib = nullptr;
};

struct JitLibrary::Session {
  Session() {
    host_target();
    throw_if_failed(LLVMOrcCreateLLJIT(&jit, nullptr), "LLVM's JIT");
    session = LLVMOrcLLJITGetExecutionSession(jit);
    objects = LLVMOrcLLJITGetObjLinkingLayer(jit);
    LLVMOrcExecutionSessionSetErrorReporter(session, report, this);
  }

  Library* take() {
    const std::lock_guard lock(mutex);
    if (free.empty()) {
      const std::string name = "kernel_" + std::to_string(libraries.size());
      libraries.push_back(std::make_unique<Library>());
      libraries.back()->dylib = LLVMOrcExecutionSessionCreateBareJITDylib(session, name.c_str());
      return libraries.back().get();
    }
    Library* library = free.back();
    free.pop_back();
    return library;
  }

  void give_back(Library* library) {
    // Code that could not be unmapped stays; the library is then not used again.
    if (LLVMErrorRef error = LLVMOrcJITDylibClear(library->dylib)) {
      LLVMConsumeError(error);
      return;
    }
    const std::lock_guard lock(mutex);
    free.push_back(library);
  }

  LLVMOrcSymbolStringPoolEntryRef intern(const std::string& name) {
    return LLVMOrcLLJITMangleAndIntern(jit, name.c_str());
  }

  void define_host_symbols(LLVMOrcJITDylibRef dylib) {
    std::vector<LLVMOrcCSymbolMapPair> pairs;
    for (const HostSymbol& symbol : host_symbols()) {
      const LLVMJITSymbolFlags flags{LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
      pairs.push_back({intern(symbol.name), {reinterpret_cast<uint64_t>(symbol.address), flags}});
    }
    LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs.data(), pairs.size());
    if (LLVMErrorRef error = LLVMOrcJITDylibDefine(dylib, unit)) {
      LLVMOrcDisposeMaterializationUnit(unit);
      throw_if_failed(error, "LLVM's JIT");
    }
  }

  // ORC says here why a link failed; the look-up that follows says only that it did.
  static void report(void* context, LLVMErrorRef error) {
    auto& self = *static_cast<Session*>(context);
    char* message = LLVMGetErrorMessage(error);
    const std::lock_guard lock(self.mutex);
    self.last_report = message;
    LLVMDisposeErrorMessage(message);
  }

  LLVMOrcLLJITRef jit = nullptr;
  LLVMOrcExecutionSessionRef session = nullptr;
  LLVMOrcObjectLayerRef objects = nullptr;
  std::mutex mutex;
  std::vector<std::unique_ptr<Library>> libraries;
  std::vector<Library*> free;
  std::string last_report;
};

// Lives until the process ends: kernels may be freed by destructors of static objects.
JitLibrary::Session& JitLibrary::session() {
  static Session* const session = std::make_unique<Session>().release();
  return *session;
}

JitLibrary::JitLibrary() : library_(session().take()) {
  try {
    session().define_host_symbols(library_->dylib);
  } catch (...) {
    session().give_back(library_);
    throw;
  }
}

JitLibrary::~JitLibrary() { session().give_back(library_); }

void JitLibrary::add(LlvmBuffer object) {
  throw_if_failed(LLVMOrcObjectLayerAddObjectFile(session().objects, library_->dylib, object.release()), "LLVM's JIT");
}

std::vector<void*> JitLibrary::link(const std::vector<std::string>& names) {
  struct Outcome {
    std::mutex mutex;
    std::condition_variable ready;
    bool done = false;
    LLVMErrorRef error = nullptr;
    std::unordered_map<std::string, void*> addresses;
  } outcome;
  auto receive = [](LLVMErrorRef error, LLVMOrcCSymbolMapPairs result, size_t count, void* context) {
    auto& out = *static_cast<Outcome*>(context);
    const std::lock_guard lock(out.mutex);
    out.error = error;
    for (size_t i = 0; error == nullptr && i < count; ++i) {
      out.addresses[LLVMOrcSymbolStringPoolEntryStr(result[i].Name)] = reinterpret_cast<void*>(result[i].Sym.Address);
    }
    out.done = true;
    out.ready.notify_one();
  };
  std::vector<LLVMOrcCLookupSetElement> wanted;
  for (const std::string& name : names) {
    wanted.push_back({session().intern(name), LLVMOrcSymbolLookupFlagsRequiredSymbol});
  }
  LLVMOrcCJITDylibSearchOrderElement order{library_->dylib, LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly};
  LLVMOrcExecutionSessionLookup(session().session, LLVMOrcLookupKindStatic, &order, 1, wanted.data(), wanted.size(),
                                receive, &outcome);
  std::unique_lock lock(outcome.mutex);
  outcome.ready.wait(lock, [&] { return outcome.done; });
  if (outcome.error != nullptr) {
    std::string why;
    {
      const std::lock_guard session_lock(session().mutex);
      why.swap(session().last_report);
    }
    throw_if_failed(outcome.error, why.empty() ? "LLVM's JIT" : ("LLVM's JIT: " + why).c_str());
  }
  std::vector<void*> addresses;
  for (const std::string& name : names) addresses.push_back(outcome.addresses.at(name));
  return addresses;
}

}  // namespace qd
