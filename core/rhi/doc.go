// Package rhi compiles this folder's C++ into the Go build: the interface that every device implements.
package rhi

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/../..
// #cgo LDFLAGS: -lstdc++
import "C"

import (
	_ "github.com/quadrants-go/quadrants/core/codegen"
	_ "github.com/quadrants-go/quadrants/core/ir"
)
