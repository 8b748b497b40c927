// Package cuda compiles this folder's C++ into the Go build: code generation for NVIDIA GPUs.
package cuda

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/../../..
// #cgo LDFLAGS: -lstdc++ -lm -lpthread
import "C"

import (
	_ "github.com/quadrants-go/quadrants/core/codegen"
	_ "github.com/quadrants-go/quadrants/core/codegen/cpu"
	_ "github.com/quadrants-go/quadrants/core/ir"
	_ "github.com/quadrants-go/quadrants/core/transforms"
)
