package main

import (
	"github.com/quadrants-go/quadrants/qd"
)

// A workload has a C twin of the same name. start makes its arrays and returns what runs the kernel once.
type workload struct {
	name  string
	start func(rt *qd.Runtime) (func() error, error)
}

// numbers makes an array of the given shape with the value f(i) at the i-th element.
func numbers[T any](rt *qd.Runtime, f func(i int) T, shape ...int) *qd.NDArray[T] {
	a := qd.MustNDArray[T](rt, shape...)
	n := 1
	for _, d := range shape {
		n *= d
	}
	h := make([]T, n)
	for i := range h {
		h[i] = f(i)
	}
	if err := a.CopyFrom(h); err != nil {
		panic(err)
	}
	return a
}

func mod(m int) func(int) float32 { return func(i int) float32 { return float32(i % m) } }

func launch(rt *qd.Runtime, fn any, args ...any) (func() error, error) {
	k, err := qd.NewKernel(rt, fn)
	if err != nil {
		return nil, err
	}
	return func() error { return k.Launch(args...) }, nil
}

var workloads = []workload{
	{"fill", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, fill, qd.MustNDArray[float32](rt, nVector))
	}},
	{"copy", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, copyTo, qd.MustNDArray[float32](rt, nVector), numbers(rt, mod(1000), nVector))
	}},
	{"saxpy", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, saxpy, numbers(rt, mod(7), nVector), numbers(rt, mod(1000), nVector), float32(0.5))
	}},
	{"saxpy-small", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, saxpy, numbers(rt, mod(7), nSmall), numbers(rt, mod(1000), nSmall), float32(0.5))
	}},
	{"reduce", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, reduce, qd.MustNDArray[float32](rt, 1), numbers(rt, mod(1000), nVector))
	}},
	{"histogram", func(rt *qd.Runtime) (func() error, error) {
		key := func(i int) int32 { return int32(uint32(i)*2654435761>>24) % bins }
		return launch(rt, histogram, qd.MustNDArray[int32](rt, bins), numbers(rt, key, nHistogram))
	}},
	{"stencil", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, stencil, qd.MustNDArray[float32](rt, nGrid, nGrid), numbers(rt, mod(101), nGrid, nGrid))
	}},
	{"matmul", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, matmul, qd.MustNDArray[float32](rt, nMatrix, nMatrix),
			numbers(rt, mod(13), nMatrix, nMatrix), numbers(rt, mod(17), nMatrix, nMatrix))
	}},
	{"nbody", func(rt *qd.Runtime) (func() error, error) {
		at := func(i int) vec3 { return vec3{float32(i % 31), float32(i % 37), float32(i % 41)} }
		return launch(rt, nbody, qd.MustNDArray[vec3](rt, nBodies), numbers(rt, at, nBodies))
	}},
	{"mandelbrot", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, mandelbrot, qd.MustNDArray[int32](rt, nImage, nImage))
	}},
	{"lcg", func(rt *qd.Runtime) (func() error, error) {
		return launch(rt, lcg, qd.MustNDArray[int32](rt, nLCG))
	}},
	{"mpm88", func(rt *qd.Runtime) (func() error, error) {
		at := func(i int) vec2 {
			r := uint32(i) * 2654435761
			return vec2{0.2 + 0.4*float32(r>>16)/65536, 0.2 + 0.4*float32(r&0xffff)/65536}
		}
		one := func(int) float32 { return 1 }
		return launch(rt, substep, numbers(rt, at, particles), qd.MustNDArray[vec2](rt, particles),
			qd.MustNDArray[mat2](rt, particles), numbers(rt, one, particles),
			qd.MustNDArray[vec2](rt, cells, cells), qd.MustNDArray[float32](rt, cells, cells))
	}},
}
