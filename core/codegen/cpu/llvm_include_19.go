//go:build qd_llvm19

package cpu

// #cgo CXXFLAGS: -I/usr/lib/llvm-19/include
import "C"
