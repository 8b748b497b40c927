// Atomics whose old value nobody reads, as PTX's `red`: LLVM writes `atom` for every one, and the assembler keeps it,
// which makes a thread wait for what it throws away.
#pragma once

#include <string>

namespace qd {

// Of PTX as LLVM's NVPTX back end writes it.
std::string without_unread_results(const std::string& ptx);

}  // namespace qd
