package differential

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// A range of which each thread of a large GPU takes several rows; one is left over, and some columns.
const manyRows, manyColumns = 4801, 4612

func visitOnce(out [][]int32) {
	for i, j := range qd.NDRange2(len(out), len(out[0])) {
		out[i][j] += int32(i*5 + j + 1)
	}
}

func sumNeighbours(out, in [][]int32) {
	for i, j := range qd.NDRange2(len(out), len(out[0])) {
		if i == 0 || j == 0 || i == len(out)-1 || j == len(out[0])-1 {
			out[i][j] = -in[i][j]
			continue
		}
		out[i][j] = in[i-1][j] + 2*in[i+1][j] + 3*in[i][j-1] + 5*in[i][j+1] + 7*in[i-1][j+1]
	}
}

// Conditions that neighbours and rows disagree about, along edges, lines and diagonals.
func nameRegions(out [][]int32, row, column int) {
	for i, j := range qd.NDRange2(len(out), len(out[0])) {
		if i == j {
			out[i][j] = 1
			continue
		}
		if i+1 == column || j-2 == row && i != row {
			out[i][j] += 2
		} else if i < row || j >= column {
			out[i][j] += 4
		}
		if j > i && !(row <= j) {
			out[i][j] += 8
		}
		if j != row {
			out[i][j] += 16
		}
	}
}

// The same before anything is written.
func weighRegions(out, in [][]int32, row, column int) {
	for i, j := range qd.NDRange2(len(out), len(out[0])) {
		var sum int32
		if i < row {
			sum += in[i][j]
		}
		if column <= j {
			sum += 3 * in[i][j]
		}
		if i == j || j == column+1 {
			sum += 5 * in[i][j]
		}
		if i != row && j > 2 {
			sum += 7 * in[i][j]
		}
		if !(i >= row || row > j) {
			sum += 11 * in[i][j]
		}
		if j < i {
			sum += 13 * in[i][j]
		}
		if i-1 == row && j != i {
			sum += 17 * in[i][j]
		}
		out[i][j] = sum
	}
}

func throughLayers(out, in [][][]float64) {
	for p := range qd.NDRange3(len(out), len(out[0]), len(out[0][0])) {
		k, i, j := p[0], p[1], p[2]
		if i > 0 && i < len(out[0])-1 {
			out[k][i][j] = in[k][i-1][j] + in[k][i+1][j]
		} else {
			out[k][i][j] = float64(k)
		}
	}
}

func lookUp(out, keys [][]int32, table []int32) {
	for i, j := range qd.NDRange2(len(out), len(out[0])) {
		out[i][j] = table[keys[i][j]+500]
	}
}

func failOnce(out, in [][]int32, row, column int) {
	for i, j := range qd.NDRange2(len(out), len(out[0])) {
		at := j
		if i == row && j == column {
			at = -1
		}
		out[i][j] = in[i][at]
	}
}

// filled is an array of numbers that repeat with a prime period.
func filled[T int32 | float64](t *testing.T, rt *qd.Runtime, shape ...int) *qd.NDArray[T] {
	a := qd.MustNDArray[T](rt, shape...)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	numbers := a.MustSlice()
	for i := range numbers {
		numbers[i] = T(i%1009 - 500)
	}
	require.NoError(t, a.CopyFrom(numbers))
	return a
}

// Large ranges, which other tests are too small to have.
func TestGPUThreadsOfSeveralRows(t *testing.T) {
	gpu, err := qd.Open(qd.Config{Arch: qd.CUDA})
	if errors.Is(err, qd.ErrNoDevice) {
		t.Skip(err)
	}
	require.NoError(t, err)
	defer gpu.Close()
	cpu, err := qd.Open(qd.Config{Arch: qd.CPU})
	require.NoError(t, err)
	defer cpu.Close()

	launch := func(t *testing.T, rt *qd.Runtime, kernel any, args ...any) error {
		k, err := qd.NewKernel(rt, kernel)
		require.NoError(t, err)
		defer k.Close()
		return errors.Join(k.Launch(args...), rt.Sync(t.Context()))
	}
	grid := func(t *testing.T, rt *qd.Runtime) *qd.NDArray[int32] {
		return filled[int32](t, rt, manyRows, manyColumns)
	}
	for name, run := range map[string]func(t *testing.T, rt *qd.Runtime) []int32{
		"once": func(t *testing.T, rt *qd.Runtime) []int32 {
			out := grid(t, rt)
			require.NoError(t, launch(t, rt, visitOnce, out))
			return out.MustSlice()
		},
		"neighbours": func(t *testing.T, rt *qd.Runtime) []int32 {
			out := grid(t, rt)
			require.NoError(t, launch(t, rt, sumNeighbours, out, grid(t, rt)))
			return out.MustSlice()
		},
		"regions": func(t *testing.T, rt *qd.Runtime) []int32 {
			out := grid(t, rt)
			require.NoError(t, launch(t, rt, nameRegions, out, 1001, 2503))
			return out.MustSlice()
		},
		"weights": func(t *testing.T, rt *qd.Runtime) []int32 {
			out := grid(t, rt)
			require.NoError(t, launch(t, rt, weighRegions, out, grid(t, rt), 1001, 2503))
			return out.MustSlice()
		},
		"lookups": func(t *testing.T, rt *qd.Runtime) []int32 {
			out := grid(t, rt)
			require.NoError(t, launch(t, rt, lookUp, out, grid(t, rt), filled[int32](t, rt, 1009)))
			return out.MustSlice()
		},
	} {
		t.Run(name, func(t *testing.T) { require.True(t, slices.Equal(run(t, cpu), run(t, gpu))) })
	}
	t.Run("layers", func(t *testing.T) {
		run := func(rt *qd.Runtime) []float64 {
			out := filled[float64](t, rt, 5, manyRows/5, manyColumns)
			require.NoError(t, launch(t, rt, throughLayers, out, filled[float64](t, rt, 5, manyRows/5, manyColumns)))
			return out.MustSlice()
		}
		require.True(t, slices.Equal(run(cpu), run(gpu)))
	})
	t.Run("failing", func(t *testing.T) {
		fail := func(rt *qd.Runtime) error { return launch(t, rt, failOnce, grid(t, rt), grid(t, rt), 4001, 777) }
		want := fail(cpu)
		require.ErrorContains(t, want, "index out of range [-1]")
		require.EqualError(t, fail(gpu), want.Error())
	})
	t.Run("failing lookups", func(t *testing.T) {
		for _, length := range []int{1008, 0} {
			fail := func(rt *qd.Runtime) error {
				return launch(t, rt, lookUp, grid(t, rt), grid(t, rt), filled[int32](t, rt, length))
			}
			require.ErrorContains(t, fail(cpu), fmt.Sprintf("with length %d", length))
			require.ErrorContains(t, fail(gpu), fmt.Sprintf("with length %d", length))
		}
	})
}
