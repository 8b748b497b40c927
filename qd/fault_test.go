package qd_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// lineOf is the number of the line of kernels_test.go that holds the text.
func lineOf(t *testing.T, text string) int {
	t.Helper()
	source, err := os.ReadFile("kernels_test.go")
	require.NoError(t, err)
	for i, line := range strings.Split(string(source), "\n") {
		if strings.Contains(line, text) {
			return i + 1
		}
	}
	t.Fatalf("kernels_test.go does not say %q", text)
	return 0
}

// requireFault checks where a failure is said to be.
func requireFault(t *testing.T, err error, line, column int, message string) *qd.KernelError {
	t.Helper()
	var fault *qd.KernelError
	require.ErrorAs(t, err, &fault)
	require.Equal(t, "kernels_test.go", filepath.Base(fault.Pos.Filename))
	require.Equal(t, line, fault.Pos.Line)
	require.Equal(t, column, fault.Pos.Column)
	require.Contains(t, fault.Msg, message)
	return fault
}

// launchNow launches and waits, since not every arch does so by itself.
func launchNow(rt *qd.Runtime, k *qd.Kernel, args ...any) error {
	if err := k.Launch(args...); err != nil {
		return err
	}
	return rt.DefaultStream().Sync(context.Background())
}

func TestIndexFault(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := kernelOf(t, rt, shift)
		dst, src := arrayOf(t, rt, make([]int32, 100)...), arrayOf(t, rt, make([]int32, 100)...)
		for range 3 {
			err := launchNow(rt, k, dst, src, 1)
			fault := requireFault(t, err, lineOf(t, "dst[i] = src[i+by]"), 12, "index out of range [100] with length 100")
			require.Equal(t, "shift", fault.Kernel)
			require.Equal(t, "src", fault.Array)
			require.Equal(t, 100, fault.Index)
			require.Equal(t, 100, fault.Length)
			require.Equal(t, 0, fault.Axis)
			require.Empty(t, fault.Chain)
			require.True(t, strings.HasPrefix(strings.TrimPrefix(err.Error(), "qd/"), "kernels_test.go:"), "the position comes first: %v", err)
			require.ErrorContains(t, err, "(array src, kernel shift)")

			requireFault(t, launchNow(rt, k, dst, src, -1), lineOf(t, "dst[i] = src[i+by]"), 12, "index out of range [-1]")
			require.NoError(t, k.Launch(dst, src, 0), "the runtime goes on")
		}
	})
}

func TestDivisionFault(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := kernelOf(t, rt, divide)
		dst := arrayOf[int32](t, rt, 0, 0)
		requireFault(t, launchNow(rt, k, dst, int32(0)), lineOf(t, "100 / by"), 16, "integer divide by zero")
		require.NoError(t, k.Launch(dst, int32(7)))
		require.Equal(t, []int32{14, 14}, dst.MustSlice())
	})
}

func TestFaultInCalledFunction(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		err := kernelOf(t, rt, pickAll).Launch([]int32{0}, []int32{1, 2, 3}, 5)
		fault := requireFault(t, err, lineOf(t, "return src[at]"), 9, "index out of range [5] with length 3")
		require.Len(t, fault.Chain, 1)
		require.Equal(t, "pick", fault.Chain[0].Function)
		require.Equal(t, lineOf(t, "= pick(src, at)"), fault.Chain[0].Pos.Line)
		require.Equal(t, 12, fault.Chain[0].Pos.Column)
		require.ErrorContains(t, err, "in the call of pick")
	})
}

func TestAssertionFault(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := kernelOf(t, rt, mustBePositive)
		require.NoError(t, k.Launch([]int32{1, 2}))
		requireFault(t, k.Launch([]int32{1, -2, 3}), lineOf(t, "qd.Assert("), 3, "x[1] is -2")
	})
}

// A message is formatted as fmt does, whatever its verbs.
func TestAssertionFormats(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		x, f := []int32{-7, 5}, []float32{0.1, 2.5}
		halves, u := []qd.Float16{qd.F16(1.5)}, []uint64{math.MaxUint64}
		for which, want := range []string{
			"integers -7 -7  0005 fffffffffffffff9", "floats 0.1  2.50 2.500000e+00 -0.10", "others true false 'x' 1.5",
			"unsigned 18446744073709551615 FFFFFFFFFFFFFFFF 0xff", "100% of 5%", "100% sure", "100%% sure", "assertion failed",
		} {
			err := kernelOf(t, rt, assertions).Launch(which, x, f, halves, u)
			var fault *qd.KernelError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, want, fault.Msg)
			require.Empty(t, fault.Array)
		}
	})
}

func TestNegativeIndexFault(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		err := kernelOf(t, rt, shift).Launch(make([]int32, 3), make([]int32, 4), -2)
		fault := requireFault(t, err, lineOf(t, "dst[i] = src[i+by]"), 12, "index out of range [-")
		require.Negative(t, fault.Index)
		require.Equal(t, 4, fault.Length)
	})
}

func TestFaultThroughAt(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		sim := &simulation{Position: arrayOf[float32](t, rt, 1, 2, 3), Velocity: arrayOf[float32](t, rt, 1, 2)}
		err := launchNow(rt, kernelOf(t, rt, (*simulation).Step), sim, float32(1))
		fault := requireFault(t, err, lineOf(t, "s.gravity * dt"), 4, "index out of range [2] with length 2")
		require.Equal(t, "simulation.Step", fault.Kernel)
		require.Equal(t, 2, fault.Index)
	})
}

// What a kernel wrote to a copy before it failed must reach the Go slice, as it would in place.
func TestFaultStillCopiesBack(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		x := [][]int32{{0, 0}}
		requireFault(t, kernelOf(t, rt, writeThenFail).Launch(x), lineOf(t, "x[0][9] = 1"), 3, "index out of range [9] with length 2")
		require.Equal(t, [][]int32{{5, 0}}, x)
	})
}

func TestFaultInScope(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		err := kernelOf(t, rt, scopeFails).Launch([]int32{0}, []int32{0}, []int32{0})
		fault := requireFault(t, err, lineOf(t, "b[i] = c[i+5]"), 11, "index out of range [5] with length 1")
		require.Empty(t, fault.Chain, "a function literal belongs to the kernel")
	})
}

func TestFaultInNDRange(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		err := kernelOf(t, rt, transpose).Launch([][]int32{{0, 0}, {0, 0}}, [][]int32{{1, 2}})
		fault := requireFault(t, err, lineOf(t, "to[i][j] = from[j][i]"), 14, "index out of range [1] with length 1")
		require.Equal(t, "from", fault.Array)
		require.Equal(t, 0, fault.Axis)
		require.Empty(t, fault.Chain)

		err = kernelOf(t, rt, transpose).Launch([][]int32{{0, 0}, {0, 0}}, [][]int32{{1}, {2}})
		fault = requireFault(t, err, lineOf(t, "to[i][j] = from[j][i]"), 14, "index out of range [1] with length 1")
		require.Equal(t, 1, fault.Axis)
	})
}
