// Package sim compiles this folder's C++ into the Go build: the simulated device, for tests.
package sim

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/../../..
// #cgo LDFLAGS: -lstdc++ -lm -lpthread
import "C"

import (
	_ "github.com/quadrants-go/quadrants/core/ir"
	_ "github.com/quadrants-go/quadrants/core/rhi"
	_ "github.com/quadrants-go/quadrants/core/rhi/cpu"
)
