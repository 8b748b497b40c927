package kernels

import (
	"fmt"

	"github.com/quadrants-go/quadrants/qd"
)

func arithmetic[T qd.Integer](out, x, y []T) {
	for i := range x {
		a, b := x[i], y[i]
		out[i*8] = a + b
		out[i*8+1] = a - b
		out[i*8+2] = a * b
		if b != 0 {
			out[i*8+3] = a / b
			out[i*8+4] = a % b
			out[i*8+5] = qd.FloorDiv(a, b)
			out[i*8+6] = qd.FloorMod(a, b)
		}
		out[i*8+7] = -a
	}
}

func bitwise[T qd.Integer](out, x, y []T) {
	for i := range x {
		a, b := x[i], y[i]
		out[i*5] = a & b
		out[i*5+1] = a | b
		out[i*5+2] = a ^ b
		out[i*5+3] = a &^ b
		out[i*5+4] = ^a
	}
}

func shifts[T qd.Integer](out, x []T, count []uint8) {
	for i := range x {
		for j := range count {
			k := (i*len(count) + j) * 4
			out[k] = x[i] << count[j]
			out[k+1] = x[i] >> count[j]
			out[k+2] = x[i] << 3
			out[k+3] = x[i] >> 3
		}
	}
}

func compare[T qd.Integer](out []int32, x, y []T) {
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
		if min(x[i], y[i], 5) == x[i] {
			r |= 64
		}
		if max(x[i], y[i]) == x[i] {
			r |= 128
		}
		out[i] = r
	}
}

func updates[T qd.Integer](x, y []T) {
	for i := range x {
		v := x[i]
		v += y[i]
		v -= 3
		v *= y[i]
		v &= 0x5f
		v |= 0x11
		v ^= y[i]
		v &^= 2
		v <<= 1
		v >>= 2
		v++
		v--
		x[i] = v
	}
}

func divideByConstants[T qd.Integer](out, x []T) {
	for i := range x {
		out[i*4] = x[i] / 7
		out[i*4+1] = x[i] % 7
		out[i*4+2] = x[i] / 1
		out[i*4+3] = x[i] % 16
	}
}

// integersOf takes the instances of the kernels for T: one made from a type parameter would be a closure.
func integersOf[T qd.Integer](arithmetic, bitwise, shifts, compare, updates, divide any) []Case {
	name := func(s string) string { return fmt.Sprintf("%s[%T]", s, T(0)) }
	const n = 300
	return []Case{
		{Name: name("arithmetic"), Kernel: arithmetic, Args: func() []any {
			x := ints[T](n)
			y := append(x[n/2:n:n], x[:n/2]...)
			return []any{make([]T, 8*n), x, y}
		}},
		{Name: name("bitwise"), Kernel: bitwise, Args: func() []any { return []any{make([]T, 5*n), ints[T](n), small[T](n)} }},
		{Name: name("shifts"), Kernel: shifts, Args: func() []any {
			return []any{make([]T, 4*6*n), ints[T](n), []uint8{0, 1, 7, 31, 64, 200}}
		}},
		{Name: name("compare"), Kernel: compare, Args: func() []any {
			return []any{make([]int32, n), ints[T](n), append(ints[T](n/2), small[T](n-n/2)...)}
		}},
		{Name: name("updates"), Kernel: updates, Args: func() []any { return []any{ints[T](n), small[T](n)} }},
		{Name: name("divideByConstants"), Kernel: divide, Args: func() []any { return []any{make([]T, 4*n), ints[T](n)} }},
	}
}

func integerCases() []Case {
	var all []Case
	for _, list := range [][]Case{
		integersOf[int8](arithmetic[int8], bitwise[int8], shifts[int8], compare[int8], updates[int8], divideByConstants[int8]),
		integersOf[int16](arithmetic[int16], bitwise[int16], shifts[int16], compare[int16], updates[int16], divideByConstants[int16]),
		integersOf[int32](arithmetic[int32], bitwise[int32], shifts[int32], compare[int32], updates[int32], divideByConstants[int32]),
		integersOf[int64](arithmetic[int64], bitwise[int64], shifts[int64], compare[int64], updates[int64], divideByConstants[int64]),
		integersOf[int](arithmetic[int], bitwise[int], shifts[int], compare[int], updates[int], divideByConstants[int]),
		integersOf[uint8](arithmetic[uint8], bitwise[uint8], shifts[uint8], compare[uint8], updates[uint8], divideByConstants[uint8]),
		integersOf[uint16](arithmetic[uint16], bitwise[uint16], shifts[uint16], compare[uint16], updates[uint16], divideByConstants[uint16]),
		integersOf[uint32](arithmetic[uint32], bitwise[uint32], shifts[uint32], compare[uint32], updates[uint32], divideByConstants[uint32]),
		integersOf[uint64](arithmetic[uint64], bitwise[uint64], shifts[uint64], compare[uint64], updates[uint64], divideByConstants[uint64]),
		integersOf[uint](arithmetic[uint], bitwise[uint], shifts[uint], compare[uint], updates[uint], divideByConstants[uint]),
	} {
		all = append(all, list...)
	}
	return all
}
