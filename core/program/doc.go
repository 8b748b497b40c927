// Package program compiles this folder's C++ into the Go build: a device, its kernels and its memory.
package program

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/../..
// #cgo LDFLAGS: -lstdc++ -lm -lpthread
import "C"

import (
	_ "github.com/quadrants-go/quadrants/core/codegen"
	_ "github.com/quadrants-go/quadrants/core/codegen/cpu"
	_ "github.com/quadrants-go/quadrants/core/frontend"
	_ "github.com/quadrants-go/quadrants/core/ir"
	_ "github.com/quadrants-go/quadrants/core/rhi"
	_ "github.com/quadrants-go/quadrants/core/rhi/cpu"
	_ "github.com/quadrants-go/quadrants/core/runtime"
	_ "github.com/quadrants-go/quadrants/core/transforms"
)
