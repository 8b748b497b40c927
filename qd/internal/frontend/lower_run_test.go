package frontend_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// kernelFunc is what every kernel of this table looks like: integers and floats in, integers and floats out.
type kernelFunc func(in []int32, x []float64, out []int64, y []float64)

const size = 64

func inputs() ([]int32, []float64) {
	in, x := make([]int32, size), make([]float64, size)
	for i := range in {
		in[i] = int32(uint32(i*i*2654435761)>>7)%1000 - 500
		x[i] = float64(int32(uint32(i+1)*2246822519)) / (1 << 28)
	}
	in[0], in[1], in[2], in[3] = 0, math.MaxInt32, math.MinInt32, -1
	x[0], x[1], x[2], x[3] = 0, math.Inf(1), math.NaN(), math.Copysign(0, -1)
	return in, x
}

// Each kernel gives on the CPU, with one thread and with several, what it gives as a Go function.
func TestLoweredKernels(t *testing.T) {
	for _, threads := range []int{1, 4} {
		rt, err := qd.Open(qd.Config{Arch: qd.CPU, Threads: threads})
		require.NoError(t, err)
		for _, fn := range kernels {
			name := runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name()
			name = name[strings.LastIndexByte(name, '.')+1:]
			t.Run(fmt.Sprint(name, "/", threads), func(t *testing.T) {
				in, x := inputs()
				wantOut, wantY := make([]int64, size), make([]float64, size)
				fn(in, x, wantOut, wantY)
				in2, x2 := inputs()
				out, y := make([]int64, size), make([]float64, size)
				k, err := qd.NewKernel(rt, (func([]int32, []float64, []int64, []float64))(fn))
				require.NoError(t, err)
				defer k.Close()
				require.NoError(t, k.Launch(in2, x2, out, y))
				require.NoError(t, rt.Sync(context.Background()))
				require.Equal(t, in, in2)
				require.Equal(t, wantOut, out)
				for i := range y {
					require.True(t, same(wantY[i], y[i]), "y[%d] = %v, want %v", i, y[i], wantY[i])
				}
			})
		}
		require.NoError(t, rt.Close())
	}
}

// same allows for a multiply-add that the compiler fuses, and for another implementation of math.
func same(want, got float64) bool {
	if math.IsNaN(want) || math.IsNaN(got) {
		return math.IsNaN(want) && math.IsNaN(got)
	}
	if want == got {
		return math.Signbit(want) == math.Signbit(got)
	}
	return math.Abs(want-got) <= 1e-12*math.Abs(want)
}
