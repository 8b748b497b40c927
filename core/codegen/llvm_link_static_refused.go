//go:build qd_static && (qd_llvm19 || qd_llvm20 || qd_llvm21)

package codegen

// #error "the tag qd_static links LLVM 22 only: leave out qd_llvm19, qd_llvm20 and qd_llvm21, or leave out qd_static"
import "C"
