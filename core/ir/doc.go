// Package ir compiles this folder's C++ into the Go build: types, statements, blocks, printing, cloning, verification.
package ir

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -Wall -Wextra -I${SRCDIR}/../..
// #cgo LDFLAGS: -lstdc++ -lm -lpthread
import "C"
