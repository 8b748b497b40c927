// Package capi compiles the C ABI into the Go build: the only door into the core.
package capi

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/..
// #cgo LDFLAGS: -lstdc++ -lm -lpthread
import "C"

import (
	_ "github.com/quadrants-go/quadrants/core/program"
	_ "github.com/quadrants-go/quadrants/core/rhi/cuda"
	_ "github.com/quadrants-go/quadrants/core/rhi/sim"
)
