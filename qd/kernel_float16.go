package qd

import (
	"math"
	"strconv"
)

// Float16 is an IEEE 754 half-precision number: storage for arrays, with arithmetic by methods, since Go has no operators
// for it. Each operation is correctly rounded. == compares bits; use Equal for numbers.
type Float16 struct{ bits uint16 }

// F16 rounds to half precision, to nearest, ties to even.
func F16(x float32) Float16 { return Float16{roundToHalf(math.Float32bits(x))} }

// Float16FromBits is the number with the given IEEE 754 representation.
func Float16FromBits(bits uint16) Float16 { return Float16{bits} }

// Bits is the IEEE 754 representation.
func (f Float16) Bits() uint16 { return f.bits }

// Float32 is the same number in single precision.
func (f Float16) Float32() float32 { return math.Float32frombits(widenHalf(f.bits)) }

// Add is f + g.
func (f Float16) Add(g Float16) Float16 { return F16(f.Float32() + g.Float32()) }

// Sub is f - g.
func (f Float16) Sub(g Float16) Float16 { return F16(f.Float32() - g.Float32()) }

// Mul is f * g.
func (f Float16) Mul(g Float16) Float16 { return F16(f.Float32() * g.Float32()) }

// Div is f / g.
func (f Float16) Div(g Float16) Float16 { return F16(f.Float32() / g.Float32()) }

// Neg is -f.
func (f Float16) Neg() Float16 { return Float16{f.bits ^ 0x8000} }

// Less is f < g.
func (f Float16) Less(g Float16) bool { return f.Float32() < g.Float32() }

// Equal is f == g as numbers: the zeros are equal, NaN equals nothing.
func (f Float16) Equal(g Float16) bool { return f.Float32() == g.Float32() }

// String is the shortest decimal that a float32 of this value prints as.
func (f Float16) String() string { return strconv.FormatFloat(float64(f.Float32()), 'g', -1, 32) }
