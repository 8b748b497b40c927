package qd_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// Arrays and kernels that are closed while a queued launch uses them must live until it is done, and not longer.
func TestClosedWhileQueued(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		before, err := rt.Leaks()
		require.NoError(t, err)
		ctx := context.Background()
		s, gate := streamOf(t, rt), gateOf(t, rt)
		y := arrayOf(t, rt, make([]int32, 4)...)
		setK, addK := kernelOf(t, rt, set), kernelOf(t, rt, addTo)
		gate.holds(s)
		for i := range 30 {
			a := qd.MustNDArray[int32](rt, 4)
			require.NoError(t, setK.LaunchOn(s, a, int32(i)))
			require.NoError(t, addK.LaunchOn(s, y, a))
			require.NoError(t, a.Close())
			require.ErrorIs(t, addK.LaunchOn(s, y, a), qd.ErrClosed)
			// What takes the place of closed memory is not written by the launches before.
			b := arrayOf(t, rt, -1, -1, -1, -1)
			require.Equal(t, []int{-1, -1, -1, -1}, b.MustSlice())
			require.NoError(t, b.Close())
		}
		for _, k := range []*qd.Kernel{setK, addK, gate.hold} {
			require.NoError(t, k.Close())
		}
		gate.release()
		require.NoError(t, gate.letGoK.Close())
		require.NoError(t, gate.open.Close())
		require.NoError(t, s.Sync(ctx))
		require.Equal(t, []int32{435, 435, 435, 435}, y.MustSlice())
		require.NoError(t, y.Close())
		require.NoError(t, s.Close())
		after, err := rt.Leaks()
		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}

func TestHostSlicesWaitForTheStream(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, x := streamOf(t, rt), arrayOf(t, rt, int64(1))
		host, rows := make([]int32, 3), [][]int32{{0, 0}, {0, 0}}
		require.NoError(t, kernelOf(t, rt, spin).LaunchOn(s, x, slow))
		require.NoError(t, kernelOf(t, rt, set).LaunchOn(s, host, int32(4)))
		require.Equal(t, []int32{4, 4, 4}, host)
		require.NoError(t, kernelOf(t, rt, transpose).LaunchOn(s, rows, [][]int32{{1, 2}, {3, 4}}))
		require.Equal(t, [][]int32{{1, 3}, {2, 4}}, rows)

		fault := lineOf(t, "100 / by")
		requireFault(t, kernelOf(t, rt, divide).LaunchOn(s, host, int32(0)), fault, 16, "divide by zero")
		require.NoError(t, kernelOf(t, rt, divide).LaunchOn(s, arrayOf[int32](t, rt, 0), int32(0)))
		requireFault(t, kernelOf(t, rt, set).LaunchOn(s, host, int32(5)), fault, 16, "divide by zero")
		require.Equal(t, []int32{5, 5, 5}, host, "a failure before does not stop the launch")
		require.NoError(t, s.Sync(context.Background()))

		err := kernelOf(t, rt, writeThenFail).LaunchOn(s, rows)
		requireFault(t, err, lineOf(t, "x[0][9] = 1"), 3, "index out of range [9] with length 2")
		require.Equal(t, int32(5), rows[0][0])
	})
}

func TestWrongArgumentsOnAStream(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, k, x := streamOf(t, rt), kernelOf(t, rt, set), arrayOf[int32](t, rt, 0)
		require.ErrorContains(t, k.LaunchOn(s, x), "missing argument v")
		require.ErrorContains(t, k.LaunchOn(s, x, 1), "argument v is of type int32")
		require.ErrorContains(t, k.LaunchOn(s, nil, int32(1)), "argument x is nil")
		require.NoError(t, s.Sync(context.Background()))
		require.Equal(t, []int32{0}, x.MustSlice())
	})
}

// A launch reads its receiver's scalars when it is queued, and keeps the receiver's arrays until it has run.
func TestReceiverOnAStream(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, gate := streamOf(t, rt), gateOf(t, rt)
		sim := &simulation{Position: arrayOf[float32](t, rt, 1, 2), Velocity: arrayOf[float32](t, rt, 0, 0), gravity: 1}
		step := kernelOf(t, rt, (*simulation).Step)
		gate.holds(s)
		require.NoError(t, step.LaunchOn(s, sim, float32(1)))
		sim.gravity = 1000
		require.NoError(t, sim.Position.Close())
		gate.release()
		require.NoError(t, s.Sync(context.Background()))
		require.Equal(t, []float32{-1, -1}, sim.Velocity.MustSlice())
	})
}

func TestScopesOnAStream(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		s, k := streamOf(t, rt), kernelOf(t, rt, twoScopes)
		a, b := arrayOf(t, rt, make([]int32, 100)...), arrayOf(t, rt, make([]int32, 100)...)
		require.NoError(t, k.LaunchOn(s, a, b))
		require.NoError(t, s.Sync(ctx))
		require.Equal(t, []int32{99, -99}, []int32{a.MustSlice()[99], b.MustSlice()[99]})
		c := arrayOf[int32](t, rt, 0)
		require.NoError(t, kernelOf(t, rt, scopeFails).LaunchOn(s, a, b, c))
		requireFault(t, s.Sync(ctx), lineOf(t, "b[i] = c[i+5]"), 11, "index out of range")
	})
}

func TestOutputOfAStream(t *testing.T) {
	for _, arch := range []qd.Arch{qd.CPU, qd.Go} {
		var out bytes.Buffer
		rt := open(t, qd.Config{Arch: arch, Output: &out})
		s := streamOf(t, rt)
		require.NoError(t, kernelOf(t, rt, announce).LaunchOn(s, arrayOf[int32](t, rt, 5, 6, 7)))
		require.NoError(t, s.Sync(context.Background()))
		require.Equal(t, "x is 7\n", out.String())
	}
}

// More launches than a stream queues: LaunchOn waits, and nothing is lost.
func TestFullQueue(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, x, sum := streamOf(t, rt), arrayOf(t, rt, int64(1)), arrayOf[int64](t, rt, 0)
		k := kernelOf(t, rt, count)
		require.NoError(t, kernelOf(t, rt, spin).LaunchOn(s, x, slow/4))
		for range 5000 {
			require.NoError(t, k.LaunchOn(s, sum, 1))
		}
		require.NoError(t, s.Sync(context.Background()))
		require.Equal(t, []int64{5000}, sum.MustSlice())
	})
}
