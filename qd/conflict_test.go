package qd_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

func scattered(a []int32, at []int32, n int) {
	qd.StreamParallel(func() {
		for i := range at {
			a[at[i]] = 1
		}
	})
	qd.StreamParallel(func() {
		a[n] = 2
	})
}

func scatteredApart(a []int32, at []int32, n int) {
	qd.AssumeDisjoint(a, a)
	qd.StreamParallel(func() {
		for i := range at {
			a[at[i]] = 1
		}
	})
	qd.StreamParallel(func() {
		a[n] = 2
	})
}

// A conflict that may or may not be one is said, and the kernel runs.
func TestConflictWarning(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		a, at := arrayOf[int32](t, rt, 0, 0, 0, 0), arrayOf[int32](t, rt, 0, 3)
		k := kernelOf(t, rt, scattered)
		said := k.Diagnostics()
		require.Len(t, said, 1)
		require.True(t, said[0].Warning)
		require.Equal(t, "conflict_test.go", filepath.Base(said[0].Pos.Filename))
		require.Equal(t, 20, said[0].Pos.Line)
		require.Equal(t, "possible conflict: scope 2 writes elements of a that scope 1 may also write (conflict_test.go:16)", said[0].Msg)
		require.Contains(t, said[0].Hint, "AssumeDisjoint(a, a)")
		require.Contains(t, said[0].String(), "warning: possible conflict")
		require.NoError(t, k.Launch(a, at, 1))
		require.NoError(t, rt.Sync(context.Background()))
		require.Equal(t, []int32{1, 2, 0, 1}, a.MustSlice())

		require.Empty(t, kernelOf(t, rt, scatteredApart).Diagnostics())
	})
}

func shiftBoth(a, b []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = int32(i)
		}
	})
	qd.StreamParallel(func() {
		for i := range b {
			b[i] = -int32(i)
		}
	})
}

func shiftApart(a, b []int32) {
	qd.AssumeDisjoint(b[1:], a)
	qd.StreamParallel(func() {
		for i := range len(a) / 2 {
			a[i] = int32(i)
		}
	})
	qd.StreamParallel(func() {
		for i := len(b) / 2; i < len(b); i++ {
			b[i] = -int32(i)
		}
	})
}

func shiftOne(a, b, c []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = b[i] + 1
		}
	})
	qd.StreamParallel(func() {
		c[0] = 7
	})
}

func countBoth(a, b []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			qd.AtomicAdd(&a[i], 1)
		}
	})
	qd.StreamParallel(func() {
		for i := range b {
			qd.AtomicAdd(&b[i], 2)
		}
	})
}

// Arrays that share memory are refused where scopes that may run at the same time use them, and only there.
func TestSharedMemoryOfScopes(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		launch := func(fn any, args ...any) error {
			if err := kernelOf(t, rt, fn).Launch(args...); err != nil {
				return err
			}
			return rt.Sync(context.Background())
		}
		a, b, c := arrayOf[int32](t, rt, 1, 2, 3, 4), arrayOf[int32](t, rt, 5, 6, 7, 8), arrayOf[int32](t, rt, 0)
		const refusal = "qd: launch shiftBoth: arguments a and b share memory, but scope 1 writes a while scope 2 writes b; " +
			"pass arrays that do not overlap, or, if the scopes never meet in one element, say so by AssumeDisjoint(a, b)"
		require.EqualError(t, launch(shiftBoth, a, a), refusal)
		require.Equal(t, []int32{1, 2, 3, 4}, a.MustSlice())
		require.NoError(t, launch(shiftBoth, a, b))

		host := make([]int32, 8)
		require.EqualError(t, launch(shiftBoth, host[:5], host[4:]), refusal)
		require.NoError(t, launch(shiftBoth, host[:4], host[4:]))
		require.Equal(t, []int32{0, 1, 2, 3, 0, -1, -2, -3}, host)
		require.NoError(t, launch(shiftBoth, host[:4], host[2:2]))

		require.NoError(t, launch(shiftApart, a, a))
		require.Equal(t, []int32{0, 1, -2, -3}, a.MustSlice())
		require.NoError(t, launch(shiftOne, a, a, c))
		require.Equal(t, []int32{1, 2, -1, -2}, a.MustSlice())
		require.NoError(t, launch(countBoth, a, a))
		require.Equal(t, []int32{4, 5, 2, 1}, a.MustSlice())
		require.ErrorContains(t, launch(shiftOne, a, b, b), "arguments b and c share memory, but scope 1 reads b while scope 2 writes c")
	})
}
