//go:build qd_llvm20 && !qd_static

package codegen

// #cgo CXXFLAGS: -I/usr/lib/llvm-20/include
// #cgo LDFLAGS: -L/usr/lib/llvm-20/lib -lLLVM-20
import "C"
