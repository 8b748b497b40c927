package kernels

import (
	"math"

	"github.com/quadrants-go/quadrants/qd"
)

func convertInts[F, T qd.Integer](out []T, x []F) {
	for i := range x {
		out[i] = T(x[i])
	}
}

func convertToFloat[F qd.Integer, T qd.Float](out []T, x []F) {
	for i := range x {
		out[i] = T(x[i])
	}
}

func convertFromFloat[F qd.Float, T qd.Integer](out []T, x []F) {
	for i := range x {
		out[i] = T(x[i])
	}
}

func convertFloats(out32 []float32, out64 []float64, x32 []float32, x64 []float64) {
	for i := range x32 {
		out32[i] = float32(x64[i])
		out64[i] = float64(x32[i])
	}
}

type celsius float32

func named(out []celsius, x []int16) {
	for i := range out {
		out[i] = celsius(x[i]) * 1.5
	}
}

func bitCasts(out32 []uint32, back []float32, x []float32) {
	for i := range x {
		out32[i] = math.Float32bits(x[i])
		back[i] = math.Float32frombits(out32[i] ^ 0x80000000)
	}
}

func booleans(out []bool, x, y []int32) {
	for i := range out {
		a, b := x[i] > 0, y[i] > 3
		out[i] = a && !b || !a && b
	}
}

func boolArray(flags []bool, count []int32) {
	for i := range flags {
		if flags[i] {
			count[0]++
		}
		flags[i] = !flags[i]
	}
}

func pair[F, T qd.Integer](name string, kernel any) Case {
	return Case{Name: "convertInts/" + name, Kernel: kernel, Args: func() []any {
		return []any{make([]T, 100), ints[F](100)}
	}}
}

func convertCases() []Case {
	return []Case{
		pair[int8, int32]("int8 int32", convertInts[int8, int32]), pair[int8, uint32]("int8 uint32", convertInts[int8, uint32]), pair[uint8, int16]("uint8 int16", convertInts[uint8, int16]),
		pair[int16, int8]("int16 int8", convertInts[int16, int8]), pair[int32, uint8]("int32 uint8", convertInts[int32, uint8]), pair[int64, int32]("int64 int32", convertInts[int64, int32]),
		pair[uint32, int64]("uint32 int64", convertInts[uint32, int64]), pair[uint64, int8]("uint64 int8", convertInts[uint64, int8]), pair[int32, uint64]("int32 uint64", convertInts[int32, uint64]),
		pair[int, uint16]("int uint16", convertInts[int, uint16]), pair[uint16, int]("uint16 int", convertInts[uint16, int]),
		{Name: "convertToFloat/int8", Kernel: convertToFloat[int8, float32], Args: func() []any { return []any{make([]float32, 64), ints[int8](64)} }},
		{Name: "convertToFloat/int64", Kernel: convertToFloat[int64, float32], Args: func() []any { return []any{make([]float32, 64), ints[int64](64)} }},
		{Name: "convertToFloat/uint64", Kernel: convertToFloat[uint64, float64], Args: func() []any { return []any{make([]float64, 64), ints[uint64](64)} }},
		{Name: "convertToFloat/uint32", Kernel: convertToFloat[uint32, float32], Args: func() []any { return []any{make([]float32, 64), ints[uint32](64)} }},
		{Name: "convertFromFloat/int32", Kernel: convertFromFloat[float32, int32], Args: func() []any { return []any{make([]int32, 64), floats[float32](64)} }},
		{Name: "convertFromFloat/int64", Kernel: convertFromFloat[float64, int64], Args: func() []any { return []any{make([]int64, 64), floats[float64](64)} }},
		{Name: "convertFromFloat/int8", Kernel: convertFromFloat[float64, int8], Args: func() []any { return []any{make([]int8, 64), floats[float64](64)} }},
		{Name: "convertFloats", Kernel: convertFloats, Args: func() []any {
			return []any{make([]float32, 49), make([]float64, 49), special[float32](false), special[float64](true)}
		}},
		{Name: "named", Kernel: named, Args: func() []any { return []any{make([]celsius, 30), ints[int16](30)} }},
		{Name: "bitCasts", Kernel: bitCasts, Args: func() []any { return []any{make([]uint32, 50), make([]float32, 50), floats[float32](50)} }},
		{Name: "booleans", Kernel: booleans, Args: func() []any { return []any{make([]bool, 40), ints[int32](40), small[int32](40)} }},
		{Name: "boolArray", Kernel: boolArray, Args: func() []any {
			return []any{[]bool{true, false, true, true, false, true, false}, make([]int32, 1)}
		}},
	}
}
