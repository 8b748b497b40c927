package parity

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// onRuntimes runs a case on every device, for those that need more than launches of one kernel after the other.
func onRuntimes(t *testing.T, f func(t *testing.T, rt *qd.Runtime)) {
	for _, config := range []qd.Config{{Arch: qd.Go}, {Arch: qd.CPU, Threads: 1}, {Arch: qd.CPU, Threads: 4}} {
		t.Run(config.Arch.String(), func(t *testing.T) {
			rt, err := qd.Open(config)
			require.NoError(t, err)
			f(t, rt)
			require.NoError(t, rt.Close())
			require.Equal(t, qd.Leaks{}, qd.ProcessLeaks())
		})
	}
}

func TestScopes(t *testing.T) {
	onRuntimes(t, func(t *testing.T, rt *qd.Runtime) {
		const n = 4096
		s, err := rt.NewStream()
		require.NoError(t, err)
		scopes, combine := qd.MustKernel(rt, p47), qd.MustKernel(rt, p47Combine)
		require.Equal(t, 2, scopes.Plan().Width(), "P47")
		for _, stream := range []*qd.Stream{rt.DefaultStream(), s} {
			for range 20 {
				a, b, c := qd.MustNDArray[float32](rt, n), qd.MustNDArray[float32](rt, n), qd.MustNDArray[float32](rt, n)
				require.NoError(t, scopes.LaunchOn(stream, a, b), "P47")
				require.NoError(t, combine.LaunchOn(stream, c, a, b), "P47")
				require.NoError(t, stream.Sync(context.Background()), "P47")
				x, y, z := a.MustSlice(), b.MustSlice(), c.MustSlice()
				for i := range n {
					require.Equal(t, [3]float32{2, 10, 12}, [3]float32{x[i], y[i], z[i]}, "P47")
				}
				for _, array := range []*qd.NDArray[float32]{a, b, c} {
					require.NoError(t, array.Close())
				}
			}
		}
	})
}

func TestScopesShareCells(t *testing.T) {
	onRuntimes(t, func(t *testing.T, rt *qd.Runtime) {
		const n = 20000
		for _, kernel := range []any{p48, p48Plain} {
			k := qd.MustKernel(rt, kernel)
			if k.Name() == "p48Plain" && rt.Arch() == qd.Go {
				continue // there += is Go's
			}
			total, cells, bounds := qd.MustNDArray[int64](rt, 1), qd.MustNDArray[int32](rt, n), qd.MustNDArray[int32](rt, 2)
			sum, want := int64(0), make([]int32, n)
			for round := range 20 {
				first, second := n-517*round, 1000*round
				require.NoError(t, bounds.CopyFrom([]int32{int32(first), int32(second)}), "P48")
				require.NoError(t, k.Launch(total, cells, bounds), "P48")
				for i := range first {
					sum += int64(i)
					want[i]++
				}
				for j := range second {
					sum += int64(2 * j)
					want[j] += 100
				}
			}
			require.Equal(t, sum, total.MustSlice()[0], "P48 %s", k.Name())
			require.Equal(t, want, cells.MustSlice(), "P48 %s", k.Name())
		}
	})
}

// One kernel on two streams at the same time, each launch with a bound and arrays of its own: a bound of one stream's launch
// that reached the other's would show in the counts.
func TestStreamsKeepTheirBounds(t *testing.T) {
	onRuntimes(t, func(t *testing.T, rt *qd.Runtime) {
		const n, launches = 500, 1000
		k := qd.MustKernel(rt, p49)
		streams, xs, bounds := [2]*qd.Stream{}, [2]*qd.NDArray[int32]{}, [2]*qd.NDArray[int32]{}
		for i := range streams {
			s, err := rt.NewStream()
			require.NoError(t, err)
			streams[i], xs[i], bounds[i] = s, qd.MustNDArray[int32](rt, n), qd.MustNDArray[int32](rt, 2)
			require.NoError(t, bounds[i].CopyFrom([]int32{int32(10 + 90*i), 0}))
		}
		want, sums := [2][]int32{make([]int32, n), make([]int32, n)}, [2]int32{}
		for launch := range launches {
			for i, s := range streams {
				more := (launch * (7 + 4*i)) % (n - 100)
				require.NoError(t, k.LaunchOn(s, xs[i], bounds[i], int32(more)), "P49")
				bound := 10 + 90*i + more
				sums[i] += int32(bound)
				for j := range bound {
					want[i][j]++
				}
			}
		}
		require.NoError(t, rt.Sync(context.Background()), "P49")
		for i := range streams {
			require.Equal(t, want[i], xs[i].MustSlice(), "P49 stream %d", i)
			require.Equal(t, sums[i], bounds[i].MustSlice()[1], "P49 stream %d", i)
		}
	})
}
