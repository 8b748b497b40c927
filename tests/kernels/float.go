package kernels

import (
	"fmt"
	"math"

	"github.com/quadrants-go/quadrants/qd"
)

func floatArithmetic[T qd.Float](out, x, y []T) {
	for i := range x {
		a, b := x[i], y[i]
		out[i*8] = a + b
		out[i*8+1] = a - b
		out[i*8+2] = a * b
		out[i*8+3] = a / b
		out[i*8+4] = -a
		out[i*8+5] = min(a, b)
		out[i*8+6] = max(a, b, 0.5)
		out[i*8+7] = T(a*b) + b // the conversion keeps it from fusing
	}
}

func floatCompare[T qd.Float](out []int32, x, y []T) {
	for i := range x {
		var r int32
		if x[i] == y[i] {
			r |= 1
		}
		if x[i] != y[i] {
			r |= 2
		}
		if x[i] < y[i] {
			r |= 4
		}
		if x[i] <= y[i] {
			r |= 8
		}
		if x[i] > y[i] {
			r |= 16
		}
		if x[i] >= y[i] {
			r |= 32
		}
		out[i] = r
	}
}

func fused(out, x, y, z []float32) {
	for i := range out {
		out[i] = x[i]*y[i] + z[i]
	}
}

func horner(out, x []float64) {
	for i := range out {
		v := 0.0
		for k := range 8 {
			v = v*x[i] + float64(k)
		}
		out[i] = v
	}
}

// special returns values whose comparison and min/max are special, paired with each other.
func special[T qd.Float](second bool) []T {
	values := []T{0, T(math.Copysign(0, -1)), 1, -1, T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN())}
	var out []T
	for _, a := range values {
		for _, b := range values {
			if second {
				out = append(out, b)
			} else {
				out = append(out, a)
			}
		}
	}
	return out
}

func floatsOf[T qd.Float](arithmetic, compare any) []Case {
	name := func(s string) string { return fmt.Sprintf("%s[%T]", s, T(0)) }
	return []Case{
		{Name: name("floatArithmetic"), Kernel: arithmetic, Args: func() []any {
			return []any{make([]T, 8*200), floats[T](200), floats[T](201)[1:]}
		}},
		{Name: name("floatArithmetic/special"), Kernel: arithmetic, Args: func() []any {
			return []any{make([]T, 8*49), special[T](false), special[T](true)}
		}},
		{Name: name("floatCompare"), Kernel: compare, Args: func() []any {
			return []any{make([]int32, 49), special[T](false), special[T](true)}
		}},
	}
}

func floatCases() []Case {
	return append(append(floatsOf[float32](floatArithmetic[float32], floatCompare[float32]),
		floatsOf[float64](floatArithmetic[float64], floatCompare[float64])...),
		Case{Name: "fused", Kernel: fused, Ulps: 64, Args: func() []any {
			return []any{make([]float32, 100), floats[float32](100), floats[float32](103)[3:], floats[float32](107)[7:]}
		}},
		Case{Name: "horner", Kernel: horner, Ulps: 64, Args: func() []any {
			return []any{make([]float64, 100), floats[float64](100)}
		}},
	)
}
