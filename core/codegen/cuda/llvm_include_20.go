//go:build qd_llvm20

package cuda

// #cgo CXXFLAGS: -I/usr/lib/llvm-20/include
import "C"
