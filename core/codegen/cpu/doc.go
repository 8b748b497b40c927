// Package cpu compiles this folder's C++ into the Go build: code generation for CPUs and the JIT.
package cpu

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/../../..
// #cgo LDFLAGS: -lstdc++ -lm -lpthread
import "C"

import (
	_ "github.com/quadrants-go/quadrants/core/codegen"
	_ "github.com/quadrants-go/quadrants/core/ir"
	_ "github.com/quadrants-go/quadrants/core/transforms"
)
