//go:build qd_llvm19

package cuda

// #cgo CXXFLAGS: -I/usr/lib/llvm-19/include
import "C"
