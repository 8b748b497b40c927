// Package cuda compiles this folder's C++ into the Go build: NVIDIA GPUs, through a driver that is opened when needed.
package cuda

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/../../..
// #cgo LDFLAGS: -lstdc++ -lpthread -ldl
import "C"

import (
	_ "github.com/quadrants-go/quadrants/core/codegen/cuda"
	_ "github.com/quadrants-go/quadrants/core/ir"
	_ "github.com/quadrants-go/quadrants/core/rhi"
)
