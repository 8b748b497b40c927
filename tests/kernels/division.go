package kernels

import (
	"math"

	"github.com/quadrants-go/quadrants/qd"
)

func quotients(quotient, inverse, root, x, y []float32) {
	for i := range x {
		quotient[i] = x[i] / y[i]
		inverse[i] = 1 / y[i]
		root[i] = qd.Sqrt(x[i])
	}
}

// inverseCubes chains a root and a quotient, and runs the chain for several neighbours.
func inverseCubes(out, x []float32) {
	for i := range out {
		var sum float32
		for k := range 7 {
			r := x[(i+k*5)%len(x)]
			sum += float32(1 / (r * qd.Sqrt(r)))
		}
		out[i] = sum
	}
}

// third has constant operands, one of them beyond what most quotients see.
func third(out, x []float32) {
	for i := range out {
		out[i] = x[i]/3 + float32(1e30/x[i]) + float32(x[i]/1e-30)
	}
}

// bitPatterns returns float32s of every exponent and both signs: least, largest and other mantissas. shift puts other
// values side by side.
func bitPatterns(shift int) []float32 {
	mantissas := []uint32{0, 1, 2, 0x2aaaaa, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff}
	var out []float32
	for i := range 256 * len(mantissas) * 2 {
		e, m := uint32(i*(2*shift+1)+shift)%256, mantissas[i/256%len(mantissas)]
		out = append(out, math.Float32frombits(e<<23|m|uint32(i/256/len(mantissas))<<31))
	}
	return out
}

func positive(x []float32) []float32 {
	for i := range x {
		x[i] = math.Float32frombits(math.Float32bits(x[i]) &^ (1 << 31))
	}
	return x
}

func divisionCases() []Case {
	arrays := func(shift int) func() []any {
		return func() []any {
			x, y := bitPatterns(0), bitPatterns(shift)
			n := len(x)
			return []any{make([]float32, n), make([]float32, n), make([]float32, n), x, y}
		}
	}
	two := func(x func() []float32) func() []any {
		return func() []any { return []any{make([]float32, len(x())), x()} }
	}
	return []Case{
		{Name: "quotients/same", Kernel: quotients, Args: arrays(0)},
		{Name: "quotients/near", Kernel: quotients, Args: arrays(1)},
		{Name: "quotients/far", Kernel: quotients, Args: arrays(50)},
		{Name: "inverseCubes", Kernel: inverseCubes, Args: two(func() []float32 { return positive(bitPatterns(3)) })},
		{Name: "inverseCubes/plain", Kernel: inverseCubes, Args: two(func() []float32 { return positive(floats[float32](1000)) })},
		{Name: "third", Kernel: third, Args: two(func() []float32 { return bitPatterns(2) })},
	}
}
