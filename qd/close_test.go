package qd_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

func TestUseAfterClose(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		a, b := arrayOf(t, rt, 1, 2, 3), arrayOf(t, rt, 1, 2, 3)
		k := kernelOf(t, rt, double)
		require.NoError(t, a.Close())
		require.ErrorIs(t, a.Close(), qd.ErrClosed)
		require.ErrorIs(t, a.Fill(1), qd.ErrClosed)
		_, err := a.Slice()
		require.ErrorIs(t, err, qd.ErrClosed)
		err = k.Launch(a)
		require.ErrorIs(t, err, qd.ErrClosed)
		require.ErrorContains(t, err, "argument x")
		require.Panics(t, func() { a.At(0) })

		require.NoError(t, k.Launch(b))
		require.NoError(t, k.Close())
		require.ErrorIs(t, k.Close(), qd.ErrClosed)
		require.ErrorIs(t, k.Launch(b), qd.ErrClosed)
		require.ErrorIs(t, k.Compile(ctx), qd.ErrClosed)
		_, err = k.Dump("ast")
		require.ErrorIs(t, err, qd.ErrClosed)
		require.Zero(t, k.Plan())

		again := kernelOf(t, rt, double)
		require.NoError(t, rt.Close())
		require.ErrorIs(t, rt.Close(), qd.ErrClosed)
		require.ErrorIs(t, rt.Sync(ctx), qd.ErrClosed)
		require.ErrorIs(t, b.Fill(1), qd.ErrClosed)
		require.ErrorIs(t, b.Close(), qd.ErrClosed)
		require.ErrorIs(t, again.Launch(b), qd.ErrClosed)
		_, err = qd.NewNDArray[int32](rt, 1)
		require.ErrorIs(t, err, qd.ErrClosed)
		_, err = qd.NewKernel(rt, double)
		require.ErrorIs(t, err, qd.ErrClosed)
		_, err = rt.Info()
		require.ErrorIs(t, err, qd.ErrClosed)
		_, err = rt.Leaks()
		require.ErrorIs(t, err, qd.ErrClosed)
	})
}

func TestCloseReportsWhatWasOpen(t *testing.T) {
	var log bytes.Buffer
	config := qd.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	rt := open(t, config)
	arrayOf(t, rt, 1.0, 2)
	kernelOf(t, rt, double)
	require.NoError(t, rt.Close())
	require.Contains(t, log.String(), "arrays=1 bytes=16 kernels=1")
	require.Equal(t, qd.Leaks{}, qd.ProcessLeaks())

	log.Reset()
	rt = open(t, config)
	require.NoError(t, arrayOf(t, rt, 1.0, 2).Close())
	require.NoError(t, rt.Close())
	require.Empty(t, log.String())
}

func TestLeaks(t *testing.T) {
	rt := open(t, qd.Config{})
	a, k := arrayOf(t, rt, 1, 2, 3), kernelOf(t, rt, double)
	leaks, err := rt.Leaks()
	require.NoError(t, err)
	require.Equal(t, int64(1), leaks.Allocations)
	require.Equal(t, int64(1), leaks.Kernels)
	require.Zero(t, leaks.Builders)
	require.NoError(t, a.Close())
	require.NoError(t, k.Close())
	leaks, err = rt.Leaks()
	require.NoError(t, err)
	require.Equal(t, qd.Leaks{}, leaks)
}

// Whoever closes first, the other one must see ErrClosed or success, and nothing is freed twice or while in use.
func TestCloseRaces(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := kernelOf(t, rt, double)
		for range 20 {
			a := arrayOf(t, rt, make([]int, 1000)...)
			var running sync.WaitGroup
			for range 4 {
				running.Go(func() {
					for range 10 {
						if err := k.Launch(a); err != nil {
							require.ErrorIs(t, err, qd.ErrClosed)
						}
					}
				})
			}
			require.NoError(t, a.Close())
			running.Wait()
		}
		var running sync.WaitGroup
		for range 8 {
			running.Go(func() {
				for {
					a, err := qd.NewNDArray[int](rt, 100)
					if err == nil {
						err = k.Launch(a)
					}
					if err != nil {
						require.ErrorIs(t, err, qd.ErrClosed)
						return
					}
				}
			})
		}
		require.NoError(t, rt.Close())
		running.Wait()
	})
}
