//go:build qd_llvm19 && !qd_static

package codegen

// #cgo CXXFLAGS: -I/usr/lib/llvm-19/include
// #cgo LDFLAGS: -L/usr/lib/llvm-19/lib -lLLVM-19
import "C"
