//go:build !qd_llvm19 && !qd_llvm20 && !qd_llvm21 && !qd_static

package codegen

// #cgo CXXFLAGS: -I/usr/lib/llvm-22/include
// #cgo LDFLAGS: -L/usr/lib/llvm-22/lib -lLLVM-22
import "C"
