package qd_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// What kernels call is tested here as plain Go.

func TestAtomicsReturnTheOldValue(t *testing.T) {
	for _, c := range []struct {
		name string
		op   func(*int16, int16) int16
		want int16
	}{
		{"add", qd.AtomicAdd[int16], 13},
		{"sub", qd.AtomicSub[int16], 7},
		{"mul", qd.AtomicMul[int16], 30},
		{"min", qd.AtomicMin[int16], 3},
		{"max", qd.AtomicMax[int16], 10},
		{"and", qd.AtomicAnd[int16], 2},
		{"or", qd.AtomicOr[int16], 11},
		{"xor", qd.AtomicXor[int16], 9},
		{"and not", qd.AtomicAndNot[int16], 8},
		{"exchange", qd.AtomicExchange[int16], 3},
	} {
		x := [3]int16{-1, 10, -1}
		require.Equal(t, int16(10), c.op(&x[1], 3), c.name)
		require.Equal(t, [3]int16{-1, c.want, -1}, x, c.name)
	}
	x := uint64(5)
	require.Equal(t, uint64(5), qd.AtomicCompareAndSwap(&x, 4, 6))
	require.Equal(t, uint64(5), qd.AtomicCompareAndSwap(&x, 5, 6))
	require.Equal(t, uint64(6), x)
	f := float32(1)
	qd.AtomicMin(&f, float32(math.NaN()))
	require.True(t, qd.IsNaN(f))
}

func TestAtomicsAreAtomic(t *testing.T) {
	countUp[int8](t)
	countUp[uint16](t)
	countUp[int32](t)
	countUp[uint64](t)
	countUp[float32](t)
	countUp[float64](t)
}

func countUp[T qd.Number](t *testing.T) {
	x := [2]T{} // neighbours in one word
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			for range 10 {
				qd.AtomicAdd(&x[i%2], 1)
			}
		})
	}
	running.Wait()
	require.Equal(t, [2]T{40, 40}, x)
}

func TestFloorDivision(t *testing.T) {
	for _, c := range [][4]int32{{7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1}, {6, -2, -3, 0}, {0, 5, 0, 0},
		{math.MinInt32, -1, math.MinInt32, 0}} {
		require.Equal(t, c[2], qd.FloorDiv(c[0], c[1]), c)
		require.Equal(t, c[3], qd.FloorMod(c[0], c[1]), c)
	}
	require.Equal(t, uint8(127), qd.FloorDiv(uint8(255), 2))
	require.Equal(t, -4.0, qd.FloorDiv(-7.0, 2))
	require.Equal(t, 0.5, qd.FloorMod(-7.5, 2))
	require.Equal(t, -1.5, qd.FloorMod(6.5, -2))
	require.Panics(t, func() { qd.FloorDiv(1, zero()) })
}

func zero() int { return 0 }

func TestSmallFunctions(t *testing.T) {
	require.Equal(t, int8(-128), qd.Abs(int8(-128)))
	require.Equal(t, 3, qd.Abs(-3))
	require.False(t, math.Signbit(qd.Abs(math.Copysign(0, -1))))
	require.Equal(t, -1, qd.Sign(-9))
	require.Equal(t, float32(1), qd.Sign(float32(0.1)))
	require.True(t, qd.IsNaN(qd.Sign(math.NaN())))
	require.Equal(t, 2, qd.Clamp(9, 0, 2))
	require.Equal(t, 0, qd.Clamp(-9, 0, 2))
	require.Equal(t, 2.5, qd.Mix(2.0, 4, 0.25))
	require.Equal(t, 4.0, qd.Mix(2.0, 4, 1))
	require.Equal(t, 0.5, qd.Rsqrt(4.0))
	require.Equal(t, float32(-3), qd.Round(float32(-2.5)))
	require.True(t, qd.IsInf(float32(math.Inf(-1))))
	require.False(t, qd.IsInf(1.0))
}

func TestAssertInPlainGo(t *testing.T) {
	qd.Assert(true, "never said")
	require.PanicsWithError(t, "x is 5", func() { qd.Assert(false, "x is %v", 5) })
	require.PanicsWithError(t, "100%", func() { qd.StaticAssert(false, "100%") })
}

func TestNDRanges(t *testing.T) {
	var seen [][3]int
	for i, j := range qd.NDRange2(2, 2) {
		seen = append(seen, [3]int{i, j})
	}
	for p := range qd.NDRange3(1, 2, 2) {
		if p[1] == 1 && p[2] == 1 {
			break
		}
		seen = append(seen, p)
	}
	require.Equal(t, [][3]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0, 0}, {0, 0, 1}, {0, 1, 0}}, seen)
	for range qd.NDRange2(5, 0) {
		t.Fatal("an empty range")
	}
}

func TestHalfPrecision(t *testing.T) {
	for bits := range 1 << 16 {
		h := qd.Float16FromBits(uint16(bits))
		if back := qd.F16(h.Float32()); !qd.IsNaN(h.Float32()) {
			require.Equal(t, h, back)
		} else {
			require.True(t, qd.IsNaN(back.Float32()))
		}
	}
	require.Equal(t, float32(1), qd.Float16FromBits(0x3c00).Float32())
	require.Equal(t, float32(65504), qd.Float16FromBits(0x7bff).Float32())
	require.Equal(t, float32(0x1p-24), qd.Float16FromBits(1).Float32())
	require.Equal(t, uint16(0x7c00), qd.F16(65520).Bits())
	require.Equal(t, uint16(0x7bff), qd.F16(65519.996).Bits())
	require.Equal(t, uint16(0), qd.F16(0x1p-25).Bits(), "a tie goes to even")
	require.Equal(t, uint16(1), qd.F16(0x1.000002p-25).Bits())
}

// Rounding must choose the nearest of the two neighbours, and the even one of two equally near.
func TestHalfPrecisionRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		x := math.Float32frombits(r.Uint32())
		if qd.IsNaN(x) || qd.Abs(x) >= 65520 {
			continue
		}
		h := qd.F16(x)
		distance := func(h qd.Float16) float64 { return math.Abs(float64(h.Float32()) - float64(x)) }
		for _, other := range []uint16{h.Bits() + 1, h.Bits() - 1} {
			o := qd.Float16FromBits(other)
			if qd.IsNaN(o.Float32()) || qd.IsInf(o.Float32()) {
				continue
			}
			require.False(t, distance(o) < distance(h), "%v rounds to %v, but %v is nearer", x, h, o)
			if distance(o) == distance(h) && o.Float32() != h.Float32() {
				require.Zero(t, h.Bits()&1, "%v is a tie", x)
			}
		}
	}
}

func TestHalfPrecisionArithmetic(t *testing.T) {
	a, b := qd.F16(1.5), qd.F16(-0.25)
	require.Equal(t, qd.F16(1.25), a.Add(b))
	require.Equal(t, qd.F16(1.75), a.Sub(b))
	require.Equal(t, qd.F16(-0.375), a.Mul(b))
	require.Equal(t, qd.F16(-6), a.Div(b))
	require.Equal(t, qd.F16(0.25), b.Neg())
	require.True(t, b.Less(a))
	require.True(t, qd.F16(0).Equal(qd.F16(0).Neg()))
	require.Equal(t, "-0.25", b.String())
}
