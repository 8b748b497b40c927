// Object files as code in this process, through LLVM's ORC.
#pragma once

#include <string>
#include <vector>

#include "core/codegen/llvm_handles.h"

namespace qd {

// A set of objects that see each other's symbols and those of host_symbols(), nothing else of the process. Its code is
// unmapped with it.
class JitLibrary {
 public:
  JitLibrary();
  ~JitLibrary();
  JitLibrary(const JitLibrary&) = delete;
  JitLibrary& operator=(const JitLibrary&) = delete;

  void add(LlvmBuffer object);
  // Links what was added. Addresses in the order of the names; throws Error if a symbol is missing anywhere.
  std::vector<void*> link(const std::vector<std::string>& names);

 private:
  struct Session;
  static Session& session();
  struct Library;
  Library* library_;  // owned by LLVM's session, which cannot free one, only empty it
};

}  // namespace qd
