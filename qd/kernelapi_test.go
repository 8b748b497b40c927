package qd_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// Every function that kernels may call must give on the CPU what it gives in plain Go.

const mathFunctions = 27

func callMath(out [][]float32, x, y []float32) {
	for i := range x {
		a, b := x[i], y[i]
		out[i][0] = qd.Sqrt(a)
		out[i][1] = qd.Rsqrt(a)
		out[i][2] = qd.Sin(a)
		out[i][3] = qd.Cos(a)
		out[i][4] = qd.Tan(a)
		out[i][5] = qd.Asin(a)
		out[i][6] = qd.Acos(a)
		out[i][7] = qd.Atan(a)
		out[i][8] = qd.Atan2(a, b)
		out[i][9] = qd.Sinh(a)
		out[i][10] = qd.Cosh(a)
		out[i][11] = qd.Tanh(a)
		out[i][12] = qd.Exp(a)
		out[i][13] = qd.Exp2(a)
		out[i][14] = qd.Log(a)
		out[i][15] = qd.Log2(a)
		out[i][16] = qd.Log10(a)
		out[i][17] = qd.Pow(a, b)
		out[i][18] = qd.Cbrt(a)
		out[i][19] = qd.Hypot(a, b)
		out[i][20] = qd.Floor(a) + qd.Ceil(b)
		out[i][21] = qd.Trunc(a) - qd.Round(b)
		out[i][22] = qd.Abs(a)
		out[i][23] = qd.Sign(a)
		out[i][24] = qd.Clamp(a, -1, b)
		out[i][25] = qd.FloorDiv(a, b)
		out[i][26] = qd.FloorMod(a, b)
		if qd.IsNaN(a) || qd.IsInf(b) {
			out[i][0] = 77
		}
	}
}

func TestMathOnTheCPU(t *testing.T) {
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -2.5, 2.5, 3.75, 1e-3, 100, -0.3,
		float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
	var x, y []float32
	for _, a := range special {
		for _, b := range special {
			x, y = append(x, a), append(y, b)
		}
	}
	want, got := make([][]float32, len(x)), make([][]float32, len(x))
	for i := range x {
		want[i], got[i] = make([]float32, mathFunctions), make([]float32, mathFunctions)
	}
	callMath(want, x, y)
	require.NoError(t, kernelOf(t, open(t, qd.Config{}), callMath).Launch(got, x, y))
	for i := range want {
		for f := range want[i] {
			if w, g := want[i][f], got[i][f]; !closeTo(w, g) {
				t.Errorf("function %d of %v, %v: %v, want %v", f, x[i], y[i], g, w)
			}
		}
	}
}

// closeTo allows 4 units in the last place; NaN equals NaN, and zeros their own sign only.
func closeTo(x, y float32) bool {
	if x != x || y != y {
		return x != x && y != y
	}
	if x == 0 && y == 0 {
		return math.Signbit(float64(x)) == math.Signbit(float64(y))
	}
	d := int64(int32(math.Float32bits(x))) - int64(int32(math.Float32bits(y)))
	return -4 <= d && d <= 4
}

func callIntegers(out [][]int32, x, y []int32) {
	for i := range x {
		a, b := x[i], y[i]
		out[i][0] = qd.FloorDiv(a, b)
		out[i][1] = qd.FloorMod(a, b)
		out[i][2] = qd.Abs(a)
		out[i][3] = qd.Sign(a)
		out[i][4] = qd.Clamp(a, -3, b)
	}
}

func TestIntegersOnTheCPU(t *testing.T) {
	var x, y []int32
	for _, a := range []int32{0, 1, -1, 7, -7, 6, math.MinInt32, math.MaxInt32} {
		for _, b := range []int32{1, -1, 2, -2, 3, math.MinInt32, math.MaxInt32} {
			x, y = append(x, a), append(y, b)
		}
	}
	want, got := make([][]int32, len(x)), make([][]int32, len(x))
	for i := range x {
		want[i], got[i] = make([]int32, 5), make([]int32, 5)
	}
	callIntegers(want, x, y)
	require.NoError(t, kernelOf(t, open(t, qd.Config{}), callIntegers).Launch(got, x, y))
	require.Equal(t, want, got)
}

func callAtomics(x []int64, old []int64) {
	for i := range x {
		old[0] = qd.AtomicAdd(&x[0], 5)
		old[1] = qd.AtomicSub(&x[0], 3)
		old[2] = qd.AtomicMul(&x[0], 7)
		old[3] = qd.AtomicMin(&x[0], 20)
		old[4] = qd.AtomicMax(&x[0], 22)
		old[5] = qd.AtomicAnd(&x[0], 6)
		old[6] = qd.AtomicOr(&x[0], 9)
		old[7] = qd.AtomicXor(&x[0], 3)
		old[8] = qd.AtomicAndNot(&x[0], 4)
		old[9] = qd.AtomicExchange(&x[0], 50)
		old[10] = qd.AtomicCompareAndSwap(&x[0], 49, 60)
		old[11] = qd.AtomicCompareAndSwap(&x[0], 50, int64(i)+60)
	}
}

func TestAtomicsOnEachArch(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		x, old := []int64{1}, make([]int64, 12)
		require.NoError(t, kernelOf(t, rt, callAtomics).Launch(x, old))
		require.Equal(t, []int64{1, 6, 3, 21, 20, 22, 6, 15, 12, 8, 50, 50}, old)
		require.Equal(t, []int64{60}, x)
	})
}

func callHalves(x, y []qd.Float16, out []bool) {
	for i := range x {
		a, b := x[i], y[i]
		x[i] = a.Add(b).Mul(qd.F16(0.5)).Sub(b.Neg()).Div(qd.F16(3))
		y[i] = qd.F16(a.Float32() + 0.1)
		out[i] = a.Less(b) != b.Equal(a)
	}
}

func TestHalvesOnEachArch(t *testing.T) {
	x, y := []qd.Float16{qd.F16(1), qd.F16(-2), qd.F16(60000)}, []qd.Float16{qd.F16(3), qd.F16(-2), qd.F16(60000)}
	wantX, wantY, want := append([]qd.Float16{}, x...), append([]qd.Float16{}, y...), make([]bool, 3)
	callHalves(wantX, wantY, want)
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		gotX, gotY, got := arrayOf(t, rt, x...), arrayOf(t, rt, y...), make([]bool, 3)
		require.NoError(t, kernelOf(t, rt, callHalves).Launch(gotX, gotY, got))
		require.Equal(t, wantX, gotX.MustSlice())
		require.Equal(t, wantY, gotY.MustSlice())
		require.Equal(t, want, got)
	})
}

func say(f []float32) {
	for i := range 1 {
		qd.Print("a", i, 2, uint8(200), "b\n")
		qd.Print(1, 2, "c", 3, true, false, "\n")
		qd.Println("f", f[0], f[1], f[2], float64(f[0]), int64(-5))
		qd.Println()
		qd.Println("100%", f[3], f[4])
	}
}

func TestPrintOnEachArch(t *testing.T) {
	f := []float32{0.1, 1e30, -2, float32(math.NaN()), float32(math.Inf(-1))}
	for _, arch := range []qd.Arch{qd.CPU, qd.Go} {
		var out bytes.Buffer
		require.NoError(t, kernelOf(t, open(t, qd.Config{Arch: arch, Output: &out}), say).Launch(f))
		require.Equal(t, "a0 2 200b\n1 2c3 true false\nf 0.1 1e+30 -2 0.10000000149011612 -5\n\n100% NaN -Inf\n", out.String(), arch)
	}
}
