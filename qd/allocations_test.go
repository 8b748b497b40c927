//go:build !race

package qd_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// Under the race detector sync.Pool forgets on purpose, so this holds without it only.
func TestLaunchAllocatesNothing(t *testing.T) {
	rt := open(t, qd.Config{})
	x, y, host := arrayOf[float32](t, rt, 1), arrayOf[float32](t, rt, 1), make([]float32, 1)
	k := kernelOf(t, rt, axpy)
	a := float32(0)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		a += 0.5
		if k.Launch(x, y, a) != nil || k.Launch(host, host, a) != nil {
			t.Fail()
		}
	}))
}

func TestLaunchOnAllocatesNothing(t *testing.T) {
	rt := open(t, qd.Config{})
	x, y, k, s := arrayOf[float32](t, rt, 1), arrayOf[float32](t, rt, 1), kernelOf(t, rt, axpy), streamOf(t, rt)
	e := eventOf(t, rt)
	a := float32(0)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		a += 0.5
		if k.LaunchOn(s, x, y, a) != nil || e.Record(s) != nil || s.Wait(e) != nil {
			t.Fail()
		}
	}))
	require.NoError(t, s.Sync(context.Background()))
}
