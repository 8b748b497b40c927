package scopes

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

func lineOf(t *testing.T, text string) int {
	t.Helper()
	source, err := os.ReadFile("shared.go")
	require.NoError(t, err)
	for i, line := range strings.Split(string(source), "\n") {
		if strings.Contains(line, text) {
			return i + 1
		}
	}
	t.Fatalf("shared.go does not say %q", text)
	return 0
}

// A check that fails in one scope, the other, or both at once: one error with the line of a check that failed, no scope still at
// work when the launch returns, nothing left behind, and a next launch as if nothing had been.
func TestFailuresInScopes(t *testing.T) {
	first, second := lineOf(t, "+i%2]"), lineOf(t, "+= 1 + idx")
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := qd.MustKernel(rt, failing)
		s, err := rt.NewStream()
		require.NoError(t, err)
		const n = 20000
		a, b, idx := qd.MustNDArray[int32](rt, n), qd.MustNDArray[int32](rt, n), qd.MustNDArray[int32](rt, 4)
		before, err := rt.Leaks()
		require.NoError(t, err)
		for round := range 40 {
			for _, faulty := range [][]int32{{3, 0, 0, 0}, {0, 4, 0, 0}, {1000, -1, 0, 0}, {0, 0, 0, 0}} {
				require.NoError(t, idx.CopyFrom(faulty))
				a.Fill(0)
				b.Fill(0)
				var err error
				if round%2 == 0 {
					if err = k.Launch(a, b, idx); err == nil {
						err = rt.DefaultStream().Sync(context.Background())
					}
				} else {
					require.NoError(t, k.LaunchOn(s, a, b, idx))
					err = s.Sync(context.Background())
				}
				x, y := a.MustSlice(), b.MustSlice()
				if faulty[0] == 0 && faulty[1] == 0 {
					require.NoError(t, err)
					want := make([]int32, n)
					want[0] = 1
					require.Equal(t, want, x)
					require.Equal(t, slices.Repeat([]int32{2}, n), y)
					continue
				}
				var fault *qd.KernelError
				require.ErrorAs(t, err, &fault)
				require.Equal(t, "idx", fault.Array)
				require.Equal(t, 4, fault.Length)
				switch {
				case faulty[1] == 0:
					require.Equal(t, first, fault.Pos.Line)
				case faulty[0] == 0:
					require.Equal(t, second, fault.Pos.Line)
				default:
					require.Contains(t, []int{first, second}, fault.Pos.Line)
				}
				if round < 2 {
					time.Sleep(2 * time.Millisecond)
				}
				require.Equal(t, x, a.MustSlice(), "a scope goes on after its launch")
				require.Equal(t, y, b.MustSlice(), "a scope goes on after its launch")
			}
		}
		after, err := rt.Leaks()
		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}

// One kernel on several streams at the same time, launch after launch without waiting, each with other arguments and bounds that
// cross tasks of two scopes.
func TestChangingArgumentsOnStreams(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		const launches = 300
		k := qd.MustKernel(rt, changing)
		var running sync.WaitGroup
		for stream := range 4 {
			running.Go(func() {
				s, err := rt.NewStream()
				require.NoError(t, err)
				wantX, wantBounds := upTo(2000), []int32{int32(10 * stream), 950, 0, 0}
				x, bounds := qd.MustNDArray[int32](rt, 2000), qd.MustNDArray[int32](rt, 4)
				require.NoError(t, x.CopyFrom(wantX))
				require.NoError(t, bounds.CopyFrom(wantBounds))
				for launch := range launches {
					more, v := int32((launch*31+stream*17)%900), int32(launch+stream)
					require.NoError(t, k.LaunchOn(s, x, bounds, more, v))
					changing(wantX, wantBounds, more, v)
				}
				require.NoError(t, s.Sync(context.Background()))
				require.Equal(t, wantX, x.MustSlice())
				require.Equal(t, wantBounds, bounds.MustSlice())
			})
		}
		running.Wait()
	})
}

// Arrays that share memory, the same or shifted by one, and cells that are one: what two scopes add stays atomic.
func TestSharedMemoryOfScopes(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := qd.MustKernel(rt, aliased)
		x, cell := qd.MustNDArray[int64](rt, 20000), qd.MustNDArray[int64](rt, 1)
		want, total := make([]int64, 20000), make([]int64, 1)
		for range 60 {
			aliased(want, want, total, total)
			require.NoError(t, k.Launch(x, x, cell, cell))
		}
		require.Equal(t, want, x.MustSlice())
		require.Equal(t, total, cell.MustSlice())
		for launch := range 60 {
			n := 20000 - 100*launch
			got := x.MustSlice()
			aliased(want[:n-1], want[1:n], total, total)
			sum := []int64{total[0]}
			aliased(want[1:n], want[:n-1], total, sum)
			require.NoError(t, k.Launch(got[:n-1], got[1:n], cell, cell))
			other := cell.MustSlice()
			require.NoError(t, k.Launch(got[1:n], got[:n-1], cell, other))
			require.Equal(t, want, got, "launch %d", launch)
			require.Equal(t, total, cell.MustSlice())
			require.Equal(t, sum, other)
			require.NoError(t, x.CopyFrom(got))
		}
	})
}

// draw launches randoms twice and returns all it drew.
func draw(t *testing.T, config qd.Config) []uint64 {
	rt, err := qd.Open(config)
	require.NoError(t, err)
	defer func() { require.NoError(t, rt.Close()) }()
	k := qd.MustKernel(rt, randoms)
	var all []uint64
	for range 2 {
		a, b, c, s := make([]uint64, 3000), make([]uint64, 3000), make([]uint64, 3000), make([]uint64, 4)
		require.NoError(t, k.Launch(a, b, c, s))
		all = slices.Concat(all, a, b, c, s)
	}
	return all
}

// Scopes, loops, statements and launches all draw numbers of their own, and the seed alone decides which.
func TestRandomNumbersOfScopes(t *testing.T) {
	for _, arch := range []qd.Arch{qd.Go, qd.CPU} {
		t.Run(arch.String(), func(t *testing.T) {
			first := draw(t, qd.Config{Arch: arch, Seed: 5})
			distinct := slices.Clone(first)
			slices.Sort(distinct)
			require.Len(t, slices.Compact(distinct), len(first), "64 random bits twice")
			for range 3 {
				require.Equal(t, first, draw(t, qd.Config{Arch: arch, Seed: 5}))
			}
			if arch == qd.CPU {
				for _, threads := range []int{1, 2, 4} {
					require.Equal(t, first, draw(t, qd.Config{Arch: arch, Seed: 5, Threads: threads}), "%d threads", threads)
				}
			}
			require.NotEqual(t, first, draw(t, qd.Config{Arch: arch, Seed: 6}))
		})
	}
}
