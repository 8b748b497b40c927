// Package kernels holds small kernels, one language feature each, with arguments to run them on. Tests run every one
// in plain Go and on each device and compare.
package kernels

import (
	"embed"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

// A Case is a kernel and a function that makes fresh arguments for it: Go slices, which the kernel writes, and scalars.
type Case struct {
	Name   string
	Kernel any
	Args   func() []any
	Ulps   float64 // how far floats may be from plain Go's, in units in the last place of the larger; 0 is equal bits
}

// Cases lists all of them.
func Cases() []Case {
	var all []Case
	for _, list := range [][]Case{
		integerCases(), floatCases(), convertCases(), controlCases(), functionCases(), aggregateCases(), viewCases(), divisionCases(),
		pointerCases(), parallelCases(), mathCases(), bitsCases(), switchCases(), genericCases(), offloadCases(),
	} {
		all = append(all, list...)
	}
	return all
}

// ints returns n values of T that include its extremes and small values of both signs.
func ints[T qd.Integer](n int) []T {
	edge := []uint64{0, 1, 2, 3, 7, 8, 31, 63, 64, 100, 127, 128, 255, 1 << 15, 1<<31 - 1, 1 << 31, 1<<63 - 1, 1 << 63}
	out := make([]T, n)
	x := uint64(88172645463325252)
	for i := range out {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		switch e := edge[i%len(edge)]; i % 3 {
		case 0:
			out[i] = T(e)
		case 1:
			out[i] = T(-e)
		default:
			out[i] = T(x)
		}
	}
	return out
}

// small returns n values of T in [1, 8].
func small[T qd.Integer](n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = T(i*5%8 + 1)
	}
	return out
}

// floats returns n values of T of both signs and several magnitudes.
func floats[T qd.Float](n int) []T {
	out := make([]T, n)
	for i := range out {
		v := float64(i*7919%1000)/37 - 13
		if i%5 == 0 {
			v *= 1e-3
		}
		out[i] = T(v)
	}
	return out
}

func grid[T any](n, m int, f func(i, j int) T) [][]T {
	g := make([][]T, n)
	for i := range g {
		g[i] = make([]T, m)
		for j := range g[i] {
			g[i][j] = f(i, j)
		}
	}
	return g
}
