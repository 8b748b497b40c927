// Package transforms compiles this folder's C++ into the Go build: the passes, one a file.
package transforms

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/../..
// #cgo LDFLAGS: -lstdc++ -lm -lpthread
import "C"

import (
	_ "github.com/quadrants-go/quadrants/core/analysis"
	_ "github.com/quadrants-go/quadrants/core/frontend"
	_ "github.com/quadrants-go/quadrants/core/ir"
)
