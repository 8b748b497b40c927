package qd_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

func addTimes(to, from []int, by int) {
	for i := range to {
		to[i] += from[i] * by
	}
}

// What a kernel keeps between its launches must not outlive Close.
func TestCloseFreesWhatTheLatestLaunchUsed(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		leaks := func() qd.Leaks {
			require.NoError(t, rt.Sync(ctx))
			leaks, err := rt.Leaks()
			require.NoError(t, err)
			return leaks
		}
		s := streamOf(t, rt)
		k, other := kernelOf(t, rt, addTimes), kernelOf(t, rt, double)
		before := leaks()
		a, b, c := arrayOf(t, rt, 1, 2), arrayOf(t, rt, 3, 4), arrayOf(t, rt, 5, 6)
		for range 3 {
			require.NoError(t, k.Launch(a, b, 1))
			require.NoError(t, k.LaunchOn(s, a, b, 1))
			require.NoError(t, other.LaunchOn(s, b))
			require.NoError(t, s.Sync(ctx)) // the streams use the same arrays
		}
		require.NoError(t, b.Close())
		require.Equal(t, before.Allocations+allocations(rt, 2), leaks().Allocations)
		require.ErrorIs(t, k.Launch(a, b, 1), qd.ErrClosed)
		require.ErrorIs(t, other.LaunchOn(s, b), qd.ErrClosed)

		// The arrays of the launch before, which has others in their places now.
		require.NoError(t, k.Launch(a, c, 1))
		require.NoError(t, k.Launch([]int{1, 2}, c, 1))
		require.NoError(t, a.Close())
		require.Equal(t, before.Allocations+allocations(rt, 1), leaks().Allocations)
		require.NoError(t, k.Launch([]int{1, 2}, []int{3, 4}, 1))
		require.NoError(t, c.Close())
		require.Equal(t, before, leaks())

		d := arrayOf(t, rt, 1, 2)
		require.NoError(t, other.Launch(d))
		require.NoError(t, other.Close())
		require.Equal(t, before.Kernels-1, leaks().Kernels)
		require.NoError(t, d.Close())
		require.Equal(t, before.Allocations, leaks().Allocations)
	})
}

// allocations is how many the core has for n arrays: the Go arch's are Go memory.
func allocations(rt *qd.Runtime, n int64) int64 {
	if rt.Arch() == qd.Go {
		return 0
	}
	return n
}

// A launch that finds much as it was must see what is not.
func TestLaunchesAreOfTheirOwnArguments(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		k, s := kernelOf(t, rt, addTimes), streamOf(t, rt)
		one, two := arrayOf(t, rt, 1, 2, 3), arrayOf(t, rt, 10, 20, 30)
		longer := arrayOf(t, rt, 7, 7, 7, 7)
		x, y := arrayOf(t, rt, 0, 0, 0), arrayOf(t, rt, 0, 0, 0)
		host := []int{0, 0, 0}
		for by := range 4 {
			for _, from := range []*qd.NDArray[int]{one, two, one, longer} {
				require.NoError(t, k.Launch(x, from, by))
				require.NoError(t, k.Launch(x, from, by))
				require.NoError(t, k.Launch(host, from, by))
				require.NoError(t, rt.Sync(ctx))
				require.NoError(t, k.LaunchOn(s, y, from, by))
				require.NoError(t, s.Sync(ctx))
			}
			require.Error(t, k.Launch(x, one, int32(by)))
			require.Error(t, k.Launch(x, one))
			require.Error(t, k.Launch(x, nil, by))
			require.Error(t, k.Launch(x, (*qd.NDArray[int])(nil), by))
			require.Error(t, k.Launch(x, arrayOf(t, rt, int32(1)), by))
		}
		require.Equal(t, []int{6 * 2 * 19, 6 * 2 * 31, 6 * 2 * 43}, x.MustSlice())
		require.Equal(t, []int{6 * 19, 6 * 31, 6 * 43}, y.MustSlice())
		require.Equal(t, []int{6 * 19, 6 * 31, 6 * 43}, host)

		elsewhere := open(t, qd.Config{Arch: rt.Arch()})
		require.ErrorContains(t, k.Launch(x, arrayOf(t, elsewhere, 1, 2, 3), 1), "another runtime")
		square, err := qd.NewNDArray[int](rt, 2, 2)
		require.NoError(t, err)
		require.ErrorContains(t, k.Launch(x, square, 1), "rank")
		require.NoError(t, k.Launch(x, one, 1))
	})
}

// Whoever closes an array or a kernel between, before or during launches, everything comes back at once where nothing runs.
func TestClosingMeetsIdleLaunches(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		before, err := rt.Leaks()
		require.NoError(t, err)
		for range 30 {
			kernels := []*qd.Kernel{kernelOf(t, rt, addTimes), kernelOf(t, rt, addTimes)}
			var running sync.WaitGroup
			for g := range 4 {
				running.Go(func() {
					a, b := arrayOf(t, rt, make([]int, 8)...), arrayOf(t, rt, make([]int, 8)...)
					for i := range 20 {
						err := kernels[(g+i)%2].Launch(a, b, i)
						if err != nil {
							require.ErrorIs(t, err, qd.ErrClosed)
						}
						if i%5 == 4 {
							require.NoError(t, b.Close())
							b = arrayOf(t, rt, make([]int, 8)...)
						}
					}
					require.NoError(t, a.Close())
					require.NoError(t, b.Close())
				})
			}
			running.Go(func() { require.NoError(t, kernels[0].Close()) })
			running.Wait()
			require.NoError(t, rt.Sync(context.Background()))
			leaks, err := rt.Leaks()
			require.NoError(t, err)
			require.Equal(t, before.Allocations, leaks.Allocations)
			require.Equal(t, before.Kernels+1, leaks.Kernels)
			require.NoError(t, kernels[1].Close())
		}
		leaks, err := rt.Leaks()
		require.NoError(t, err)
		require.Equal(t, before, leaks)
	})
}

// Whatever was launched with whatever, in whatever order, an array that is closed is freed at once where nothing runs.
func TestClosedArraysAreFreedWhateverWasLaunched(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		random := rand.New(rand.NewPCG(3, 5))
		leaks := func() qd.Leaks {
			require.NoError(t, rt.Sync(t.Context()))
			leaks, err := rt.Leaks()
			require.NoError(t, err)
			return leaks
		}
		before := leaks()
		kernels := []*qd.Kernel{kernelOf(t, rt, addTimes), kernelOf(t, rt, addTimes), kernelOf(t, rt, double)}
		var arrays []*qd.NDArray[int]
		for step := range 600 {
			for len(arrays) < 4 {
				arrays = append(arrays, arrayOf(t, rt, 1, 2, 3))
			}
			i := random.IntN(len(arrays))
			a, b := arrays[i], arrays[random.IntN(len(arrays))]
			switch action := random.IntN(8); {
			case action == 0:
				require.NoError(t, a.Close())
				arrays = slices.Delete(arrays, i, i+1)
				require.Equal(t, before.Allocations+allocations(rt, int64(len(arrays))), leaks().Allocations, "step %d", step)
				require.ErrorIs(t, kernels[0].Launch(a, a, 1), qd.ErrClosed)
			case action == 1:
				require.NoError(t, kernels[2].Launch(a))
			case action < 5: // changing places
				require.NoError(t, kernels[0].Launch(a, b, 0))
				require.NoError(t, kernels[0].Launch(b, a, 0))
			default:
				require.NoError(t, kernels[1].Launch(a, b, step))
			}
		}
		for _, k := range kernels {
			require.NoError(t, k.Close())
		}
		for _, a := range arrays {
			require.NoError(t, a.Close())
		}
		require.Equal(t, before, leaks())
	})
}
