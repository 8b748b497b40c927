package kernels

import (
	"fmt"
	"math"

	"github.com/quadrants-go/quadrants/qd"
)

func math64(out, x []float64) {
	for i := range x {
		v := x[i]
		a := math.Abs(v)
		k := i * 40
		out[k] = math.Sqrt(a)
		out[k+1] = math.Sin(v)
		out[k+2] = math.Cos(v)
		out[k+3] = math.Tan(v)
		out[k+4] = math.Asin(v / 40)
		out[k+5] = math.Acos(v / 40)
		out[k+6] = math.Atan(v)
		out[k+7] = math.Sinh(v / 4)
		out[k+8] = math.Cosh(v / 4)
		out[k+9] = math.Tanh(v)
		out[k+10] = math.Exp(v)
		out[k+11] = math.Exp2(v)
		out[k+12] = math.Log(a + 1)
		out[k+13] = math.Log2(a + 2)
		out[k+14] = math.Log10(a + 2)
		out[k+15] = math.Expm1(v / 8)
		out[k+16] = math.Log1p(a)
		out[k+17] = math.Cbrt(v)
		out[k+18] = math.Pow(a, 1.7)
		out[k+19] = math.Atan2(v, a-3)
		out[k+20] = math.Hypot(v, 3)
	}
}

func exact64(out, x []float64) {
	for i := range x {
		v := x[i]
		k := i * 10
		out[k] = math.Floor(v)
		out[k+1] = math.Ceil(v)
		out[k+2] = math.Trunc(v)
		out[k+3] = math.Round(v)
		out[k+4] = math.RoundToEven(v)
		out[k+5] = math.Abs(v)
		out[k+6] = math.Mod(v, 1.5)
		out[k+7] = math.Copysign(2, v)
		out[k+8] = math.Max(v, 1)
		out[k+9] = math.Min(v, -1)
		if math.IsNaN(v) || math.IsInf(v, 1) || math.IsInf(v, -1) {
			out[k] = math.Inf(-1)
		}
	}
}

func single(out, x []float32) {
	for i := range x {
		v := x[i]
		k := i * 8
		out[k] = float32(math.Sin(float64(v)))
		out[k+1] = float32(math.Exp(float64(v)))
		out[k+2] = float32(math.Sqrt(math.Abs(float64(v))))
		out[k+3] = qd.Cos(v)
		out[k+4] = qd.Pow(qd.Abs(v), 0.3)
		out[k+5] = qd.Floor(v)
		out[k+6] = qd.Tanh(v)
		out[k+7] = qd.Log(qd.Abs(v) + 1)
	}
}

func generics[T qd.Float](out, x []T) {
	for i := range x {
		v := x[i]
		k := i * 6
		out[k] = qd.Sqrt(qd.Abs(v))
		out[k+1] = qd.Sin(v)
		out[k+2] = qd.Exp(v / 4)
		out[k+3] = qd.Atan2(v, 2)
		out[k+4] = qd.FloorDiv(v, 1.5)
		out[k+5] = qd.FloorMod(v, 1.5)
	}
}

func rounding(out []float64) {
	for range 1 {
		out[0], out[1], out[2], out[3], out[4] = math.Round(-1.5), math.Round(-0.5), math.Round(0.5), math.Round(1.5), math.Round(2.5)
		out[5], out[6], out[7], out[8] = math.Floor(-1.5), math.Floor(1.5), math.Ceil(-1.5), math.Ceil(1.5)
		out[9] = math.Pi * math.E
	}
}

func mathCases() []Case {
	generic := func(name string, k any, args func() []any) Case {
		return Case{Name: fmt.Sprintf("generics[%s]", name), Kernel: k, Args: args, Ulps: 4}
	}
	return []Case{
		{Name: "math64", Kernel: math64, Ulps: 8, Args: func() []any { return []any{make([]float64, 40*100), floats[float64](100)} }},
		{Name: "exact64", Kernel: exact64, Args: func() []any { return []any{make([]float64, 10*100), floats[float64](100)} }},
		{Name: "exact64/special", Kernel: exact64, Args: func() []any { return []any{make([]float64, 10*49), special[float64](false)} }},
		{Name: "single", Kernel: single, Ulps: 4, Args: func() []any { return []any{make([]float32, 8*100), floats[float32](100)} }},
		generic("float32", generics[float32], func() []any { return []any{make([]float32, 6*100), floats[float32](100)} }),
		generic("float64", generics[float64], func() []any { return []any{make([]float64, 6*100), floats[float64](100)} }),
		{Name: "rounding", Kernel: rounding, Args: func() []any { return []any{make([]float64, 10)} }},
	}
}
