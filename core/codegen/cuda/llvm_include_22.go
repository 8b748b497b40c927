//go:build !qd_llvm19 && !qd_llvm20 && !qd_llvm21

package cuda

// #cgo CXXFLAGS: -I/usr/lib/llvm-22/include
import "C"
