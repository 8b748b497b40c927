// The one door to LLVM's headers: says what to install where they are missing, and refuses versions never tested.
#pragma once

// clang-format off
#if !__has_include(<llvm-c/Core.h>)
#error "Quadrants needs LLVM 22: apt-get install llvm-22-dev (or run tools/setup); tags qd_llvm19 to qd_llvm21 choose another version"
#endif
// clang-format on

// Where the headers are missing, the first of these ends the compilation, right after the message above.
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm/Config/llvm-config.h>

#if LLVM_VERSION_MAJOR < 19 || LLVM_VERSION_MAJOR > 22
#error "Quadrants works with LLVM 19 to 22: apt-get install llvm-22-dev (or run tools/setup)"
#endif
