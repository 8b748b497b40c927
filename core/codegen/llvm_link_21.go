//go:build qd_llvm21 && !qd_static

package codegen

// #cgo CXXFLAGS: -I/usr/lib/llvm-21/include
// #cgo LDFLAGS: -L/usr/lib/llvm-21/lib -lLLVM-21
import "C"
