//go:build qd_llvm21

package cuda

// #cgo CXXFLAGS: -I/usr/lib/llvm-21/include
import "C"
