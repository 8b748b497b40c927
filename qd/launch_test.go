package qd_test

import (
	"context"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

func TestLaunchArrays(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		x, y := arrayOf[float32](t, rt, 1, 2, 3), arrayOf[float32](t, rt, 10, 20, 30)
		k := kernelOf(t, rt, axpy)
		require.Equal(t, "axpy", k.Name())
		require.NoError(t, k.Launch(x, y, float32(2)))
		require.NoError(t, k.Launch(x, y, float32(1)))
		require.NoError(t, rt.Sync(context.Background()))
		require.Equal(t, []float32{13, 26, 39}, y.MustSlice())
		require.Equal(t, []float32{1, 2, 3}, x.MustSlice())
	})
}

func TestLaunchRanks(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		from, to := qd.MustNDArray[int32](rt, 2, 3), qd.MustNDArray[int32](rt, 3, 2)
		require.NoError(t, from.CopyFrom([]int32{1, 2, 3, 4, 5, 6}))
		require.NoError(t, kernelOf(t, rt, transpose).Launch(to, from))
		require.Equal(t, []int32{1, 4, 2, 5, 3, 6}, to.MustSlice())

		x := qd.MustNDArray[int32](rt, 2, 1, 3)
		require.NoError(t, kernelOf(t, rt, index3).Launch(x))
		require.Equal(t, []int32{0, 1, 2, 100, 101, 102}, x.MustSlice())
	})
}

func TestLaunchGoSlices(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		x, y := []float32{1, 2, 3}, []float32{10, 20, 30}
		k := kernelOf(t, rt, axpy)
		require.NoError(t, k.Launch(x, y, float32(2)))
		require.Equal(t, []float32{12, 24, 36}, y)
		// Any part of a slice, however it is aligned, and mixed with an array.
		long := make([]float32, 100)
		require.NoError(t, k.Launch(arrayOf[float32](t, rt, x...), long[5:8], float32(3)))
		require.Equal(t, []float32{0, 3, 6, 9, 0}, long[4:9])

		to, from := [][]int32{make([]int32, 2), make([]int32, 2), make([]int32, 2)}, [][]int32{{1, 2, 3}, {4, 5, 6}}
		require.NoError(t, kernelOf(t, rt, transpose).Launch(to, from))
		require.Equal(t, [][]int32{{1, 4}, {2, 5}, {3, 6}}, to)

		deep := [][][]int32{{{9, 9}}, {{9, 9}}}
		require.NoError(t, kernelOf(t, rt, index3).Launch(deep))
		require.Equal(t, [][][]int32{{{0, 1}}, {{100, 101}}}, deep)
	})
}

// The compiler may keep what Launch gets on the caller's stack, which moves when it grows.
func TestLaunchSlicesOnTheStack(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k, s := kernelOf(t, rt, axpy), kernelOf(t, rt, (*simulation).Step)
		position, velocity := arrayOf[float32](t, rt, 1, 2), arrayOf[float32](t, rt, 0, 0)
		for range 100 {
			var failed error
			var sum float32
			var finished sync.WaitGroup
			finished.Go(func() { // a new goroutine has a small stack
				var x, y [64]float32
				for i := range x {
					x[i] = float32(i)
				}
				failed = k.Launch(x[:], y[:], float32(2))
				for i := range y {
					sum += y[i]
				}
				if failed == nil {
					failed = s.Launch(&simulation{Position: position, Velocity: velocity}, float32(0))
				}
			})
			finished.Wait()
			require.NoError(t, failed)
			require.Equal(t, float32(64*63), sum)
		}
	})
}

func TestLaunchManySlices(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s := make([][]int32, 10)
		for i := range s {
			s[i] = []int32{int32(i)}
		}
		require.NoError(t, kernelOf(t, rt, addUp).Launch(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9]))
		require.Equal(t, int32(36), s[9][0]-9)
	})
}

func TestLaunchRaggedSlices(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ragged := [][]int32{{1, 2}, {3}}
		err := kernelOf(t, rt, transpose).Launch(ragged, ragged)
		require.ErrorContains(t, err, "argument to: its rows have different lengths (2 and 1)")
		err = kernelOf(t, rt, index3).Launch([][][]int32{{{1}}, {{1}, {2}}})
		require.ErrorContains(t, err, "argument x: its rows have different lengths (1 and 2)")
	})
}

func TestLaunchZeroLength(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := kernelOf(t, rt, double)
		require.NoError(t, k.Launch(arrayOf[int](t, rt)))
		require.NoError(t, k.Launch([]int{}))
		require.NoError(t, k.Launch([]int(nil)))
		require.NoError(t, kernelOf(t, rt, transpose).Launch([][]int32{{}, {}}, [][]int32{}))
		a, b := qd.MustNDArray[int32](rt, 3, 0), qd.MustNDArray[int32](rt, 0, 3)
		require.NoError(t, kernelOf(t, rt, transpose).Launch(a, b))
	})
}

func TestLaunchScalars(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := kernelOf(t, rt, scalars)
		out := make([]float64, 7)
		require.NoError(t, k.Launch(out, true, int8(-5), uint16(65535), -1<<40, uint64(1<<50), float32(0.5), math.Pi))
		require.Equal(t, []float64{1, -5, 65535, -1 << 40, 1 << 50, 0.5, math.Pi}, out)
	})
}

func TestLaunchStructs(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		out := arrayOf(t, rt, 0.0, 0)
		k := kernelOf(t, rt, configured)
		require.NoError(t, k.Launch(out, settings{true, 0.5, [2]int32{3, -4}}))
		require.Equal(t, []float64{1.5, -2}, out.MustSlice())
		require.NoError(t, k.Launch(out, settings{false, 100, [2]int32{}}))
		require.Equal(t, []float64{1.5, -2}, out.MustSlice())
	})
}

func TestLaunchMethods(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		sim := &simulation{
			Position: arrayOf[float32](t, rt, 1, 2), Velocity: arrayOf[float32](t, rt, 0, 4),
			Grid: qd.MustNDArray[int32](rt, 2, 3), gravity: 10, steps: map[string]int{"a": 1},
		}
		k := kernelOf(t, rt, (*simulation).Step)
		require.Equal(t, "simulation.Step", k.Name())
		require.NoError(t, k.Launch(sim, float32(0.5)))
		require.Equal(t, []float32{-5, -1}, sim.Velocity.MustSlice())
		require.Equal(t, []float32{-1.5, 1.5}, sim.Position.MustSlice())
		mark := kernelOf(t, rt, (*simulation).Mark)
		require.NoError(t, mark.Launch(sim))
		require.Equal(t, []int32{0, 1, 2, 10, 11, 12}, sim.Grid.MustSlice())

		require.ErrorContains(t, k.Launch((*simulation)(nil), float32(1)), "argument s is nil")
		require.ErrorContains(t, k.Launch(*sim, float32(1)), "argument s is of type *qd_test.simulation, but a qd_test.simulation was given")
		err := mark.Launch(&simulation{Position: sim.Position})
		require.ErrorContains(t, err, "argument s.Grid is nil")
		err = mark.Launch(&simulation{Grid: arrayOf[int32](t, rt, 1)})
		require.ErrorContains(t, err, "argument s.Grid takes an array of rank 2, but the one given has rank 1")
	})
}

func TestLaunchArgumentErrors(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		other := open(t, qd.Config{Arch: rt.Arch()})
		k := kernelOf(t, rt, shift)
		a, b := arrayOf[int32](t, rt, 1, 2), arrayOf[int32](t, rt, 3, 4)
		foreign := arrayOf[int32](t, other, 1, 2)
		closed := arrayOf[int32](t, rt, 1, 2)
		require.NoError(t, closed.Close())
		for _, c := range []struct {
			args []any
			want string
		}{
			{nil, "missing arguments dst, src, by: the kernel takes 3 (dst, src, by), 0 given"},
			{[]any{a, b}, "missing argument by: the kernel takes 3 (dst, src, by), 2 given"},
			{[]any{a, b, 0, 0}, "too many arguments: the kernel takes 3 (dst, src, by), 4 given"},
			{[]any{a, b, int32(0)}, "argument by is of type int, but an int32 was given (write int(…))"},
			{[]any{a, b, 0.0}, "argument by is of type int, but a float64 was given (write int(…))"},
			{[]any{a, b, "0"}, "argument by is of type int, but a string was given"},
			{[]any{a, b, nil}, "argument by is nil"},
			{[]any{a, nil, 0}, "argument src is nil"},
			{[]any{a, (*qd.NDArray[int32])(nil), 0}, "argument src is nil"},
			{[]any{a, new(qd.NDArray[int32]), 0}, "argument src: the array was not made by NewNDArray"},
			{[]any{a, arrayOf[float32](t, rt, 1), 0},
				"argument src is a []int32, which takes a *qd.NDArray[int32] of rank 1 or a Go slice, but a *qd.NDArray[float32] was given"},
			{[]any{a, []float32{1}, 0}, "a []float32 was given"},
			{[]any{a, [][]int32{{1}}, 0}, "a [][]int32 was given"},
			{[]any{a, 5, 0}, "argument src is a []int32, which takes"},
			{[]any{a, qd.MustNDArray[int32](rt, 2, 3), 0},
				"argument src takes an array of rank 1, but the one given has rank 2 (shape [2 3])"},
			{[]any{foreign, b, 0}, "argument dst: the array belongs to another runtime"},
			{[]any{a, closed, 0}, "argument src: the array is already closed"},
		} {
			err := k.Launch(c.args...)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "qd: launch shift: ")
		}
		require.Equal(t, []int32{1, 2}, a.MustSlice(), "a refused launch must not run")
		err := kernelOf(t, rt, axpy).Launch([]float32{1}, []float32{1}, 2.0)
		require.ErrorContains(t, err, "argument a is of type float32, but a float64 was given (write float32(…))")
	})
}

func TestLaunchNamedSliceType(t *testing.T) {
	type numbers []int
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		x := numbers{1, 2}
		require.NoError(t, kernelOf(t, rt, double).Launch(x))
		require.Equal(t, numbers{2, 4}, x)
	})
}

func TestLaunchFromManyGoroutines(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		const goroutines, launches, n = 100, 10, 50
		k := kernelOf(t, rt, count)
		total := qd.MustNDArray[int64](rt, 1)
		var running sync.WaitGroup
		errs := make(chan error, goroutines)
		for range goroutines {
			running.Go(func() {
				for range launches {
					if err := k.Launch(total, n); err != nil {
						errs <- err
						return
					}
				}
			})
		}
		running.Wait()
		close(errs)
		require.NoError(t, <-errs)
		require.Equal(t, []int64{goroutines * launches * n}, total.MustSlice())
	})
}

func TestNewKernelErrors(t *testing.T) {
	rt := open(t, qd.Config{})
	for _, c := range []struct {
		fn   any
		want string
	}{
		{nil, "a kernel must be a function"},
		{5, "a kernel must be a function, not int"},
		{(func())(nil), "nil function"},
		{func() {}, "function literal"},
		{new(simulation).Step, "method expression (*qd_test.simulation).Step"},
	} {
		_, err := qd.NewKernel(rt, c.fn)
		require.ErrorContains(t, err, c.want)
	}
	_, err := qd.NewKernel(nil, double)
	require.ErrorContains(t, err, "the runtime is nil")
	require.Panics(t, func() { qd.MustKernel(rt, 5) })
}

func TestInspect(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := kernelOf(t, rt, twoScopes)
		require.Equal(t, 2, k.Plan().Width())
		require.NotEmpty(t, k.Plan().String())
		require.Equal(t, 1, kernelOf(t, rt, double).Plan().Width())
		text, err := k.Dump("offload")
		require.NoError(t, err)
		require.Contains(t, text, "offloaded")
		_, err = k.Dump("nothing")
		require.ErrorContains(t, err, "nothing")
		require.Empty(t, k.Diagnostics())
	})
}

func TestCompileLater(t *testing.T) {
	rt := open(t, qd.Config{})
	k, err := qd.NewKernel(rt, double, qd.CompileLater())
	require.NoError(t, err)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := k.Compile(cancelled); err != nil {
		require.ErrorIs(t, err, context.Canceled)
	}
	require.NoError(t, k.Compile(context.Background()))
	x := []int{1}
	require.NoError(t, k.Launch(x))
	require.Equal(t, []int{2}, x)
}

func TestScopes(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		a, b := arrayOf[int32](t, rt, 9, 9), arrayOf[int32](t, rt, 9, 9)
		require.NoError(t, kernelOf(t, rt, twoScopes).Launch(a, b))
		require.Equal(t, []int32{0, 1}, a.MustSlice())
		require.Equal(t, []int32{0, -1}, b.MustSlice())
	})
}

// Slices that overlap are one memory on every arch.
func TestSlicesThatShareMemory(t *testing.T) {
	for _, arch := range []qd.Arch{qd.CPU, qd.Go} {
		rt := open(t, qd.Config{Arch: arch, Threads: 1})
		k := kernelOf(t, rt, plusOne)
		x := []int64{1, 2, 3}
		require.NoError(t, k.Launch(x, x), arch)
		require.Equal(t, []int64{2, 3, 4}, x, arch)
		y := []int64{1, 0, 0, 0, 9}
		require.NoError(t, k.Launch(y[1:4], y[0:3]), arch)
		require.Equal(t, int64(2), y[1], arch)
		require.Equal(t, []int64{1, 9}, []int64{y[0], y[4]}, arch)
		if arch == qd.Go { // serial: each iteration sees the one before
			require.Equal(t, []int64{1, 2, 3, 4, 9}, y)
			s, err := rt.NewStream()
			require.NoError(t, err)
			require.NoError(t, k.LaunchOn(s, x, x))
			require.Equal(t, []int64{3, 4, 5}, x)
		}
	}
}

func TestRowsThatShareMemory(t *testing.T) {
	for _, arch := range []qd.Arch{qd.CPU, qd.Go} {
		rt := open(t, qd.Config{Arch: arch})
		k := kernelOf(t, rt, addRows)
		x, y := [][]int64{{1, 2}, {3, 4}}, [][]int64{{10, 20}, {30, 40}}
		require.ErrorContains(t, k.Launch(x, x), "arguments a and b share memory", arch)
		require.ErrorContains(t, k.Launch(x, [][]int64{{0, 0}, x[0]}), "arguments a and b share memory", arch)
		require.ErrorContains(t, k.Launch([][]int64{x[0], x[0]}, y), "argument a: two of its rows share memory", arch)
		require.NoError(t, k.Launch(x, [][]int64{y[0], y[0]}), arch)
		require.Equal(t, [][]int64{{11, 22}, {13, 24}}, x, arch)
		require.NoError(t, k.Launch(x, y), arch)
		require.Equal(t, [][]int64{{21, 42}, {43, 64}}, x, arch)
	}
}
