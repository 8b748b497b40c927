package kernels

import "github.com/quadrants-go/quadrants/qd"

type number interface {
	~int32 | ~int64 | ~float32 | ~float64
}

func clampTo[T number](x, lo, hi T) T {
	if x < lo {
		return lo
	}
	return min(x, hi)
}

func mapInto[T, U number](out []U, x []T, by U) {
	for i := range x {
		out[i] = U(clampTo(x[i], -3, 10)) * by
	}
}

type complexOf[T qd.Float] struct{ re, im T }

func (a complexOf[T]) mul(b complexOf[T]) complexOf[T] {
	return complexOf[T]{a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re}
}

func squares[T qd.Float](z []complexOf[T]) {
	for i := range z {
		z[i] = z[i].mul(z[i])
	}
}

func genericCases() []Case {
	return []Case{
		{Name: "mapInto/int32 float32", Kernel: mapInto[int32, float32], Args: func() []any {
			return []any{make([]float32, 30), small[int32](30), float32(1.5)}
		}},
		{Name: "mapInto/float64 int64", Kernel: mapInto[float64, int64], Args: func() []any {
			return []any{make([]int64, 30), floats[float64](30), int64(3)}
		}},
		{Name: "squares", Kernel: squares[float64], Ulps: 64, Args: func() []any {
			return []any{[]complexOf[float64]{{1, 2}, {-3, 0.5}, {0, 1}}}
		}},
	}
}
