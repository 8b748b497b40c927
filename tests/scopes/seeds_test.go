package scopes

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
	"github.com/quadrants-go/quadrants/tests/devices"
)

// seedCount is how many orders TestManySeeds goes through; QD_STREAM_SEEDS changes it.
func seedCount(t *testing.T) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("QD_STREAM_SEEDS"), "40"))
	require.NoError(t, err)
	return n
}

// A queued case is one whose arguments are on the device, so that launches need not wait for each other.
type queuedCase struct {
	*scopeCase
	kernel *qd.Kernel
	want   []any // after launchesInARow
}

const launchesInARow = 3

// onDevice copies an argument to the device, and returns what compares it later. What has no array of its own stays.
func onDevice(t *testing.T, rt *qd.Runtime, arg any) (device any, compare func(want any), closed func()) {
	switch x := arg.(type) {
	case []int32:
		return arrayOf(t, rt, x)
	case []int64:
		return arrayOf(t, rt, x)
	case []uint64:
		return arrayOf(t, rt, x)
	case []float32:
		return arrayOf(t, rt, x)
	case []float64:
		return arrayOf(t, rt, x)
	}
	return arg, nil, nil
}

func arrayOf[T any](t *testing.T, rt *qd.Runtime, x []T) (any, func(any), func()) {
	a := qd.MustNDArray[T](rt, len(x))
	require.NoError(t, a.CopyFrom(x))
	return a, func(want any) { require.Equal(t, want, a.MustSlice()) }, func() { require.NoError(t, a.Close()) }
}

// queuedCases are those without slices of slices, which are copied for each launch.
func queuedCases(t *testing.T, rt *qd.Runtime) []queuedCase {
	var queued []queuedCase
	for i := range cases {
		c := &cases[i]
		args := c.args()
		if nested(args) {
			continue
		}
		in := make([]reflect.Value, len(args))
		for launch := range launchesInARow {
			if c.change != nil && launch == 0 {
				c.change(args, 3)
			}
			for j, a := range args {
				in[j] = reflect.ValueOf(a)
			}
			reflect.ValueOf(c.kernel).Call(in)
		}
		queued = append(queued, queuedCase{c, qd.MustKernel(rt, c.kernel), args})
	}
	return queued
}

func nested(args []any) bool {
	for _, a := range args {
		typ := reflect.TypeOf(a)
		if typ.Kind() == reflect.Slice && (typ.Elem().Kind() == reflect.Slice || typ.Elem().Kind() == reflect.Struct) {
			return true
		}
	}
	return false
}

// All kernels of scopes with nothing waited for in between, and several streams, in many orders. After each round the simulated
// device has done everything, and goes on as with another seed.
func TestManySeeds(t *testing.T) {
	const perRuntime = 50
	left := seedCount(t)
	for seed := 0; left > 0; seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			rt := devices.Simulated(fmt.Sprintf("seed=%d streams=%d", seed, []int{4, 1, 16, 0}[seed%4])).MustOpen(t)
			queued := queuedCases(t, rt)
			changingK, failingK := qd.MustKernel(rt, changing), qd.MustKernel(rt, failing)
			s, err := rt.NewStream()
			require.NoError(t, err)
			for range min(perRuntime, left) {
				left--
				for _, c := range queued {
					c.round(t, rt, s)
				}
				pipeline(t, rt, changingK)
				failures(t, rt, failingK)
			}
			require.NoError(t, rt.Close())
			require.Equal(t, qd.Leaks{}, qd.ProcessLeaks())
		})
	}
}

// round launches on two streams that share nothing, and closes the arrays of one while it may still be at work.
func (c *queuedCase) round(t *testing.T, rt *qd.Runtime, s *qd.Stream) {
	for _, stream := range []*qd.Stream{rt.DefaultStream(), s} {
		args := c.args()
		if c.change != nil {
			c.change(args, 3)
		}
		var compares []func()
		var closes []func()
		for i, a := range args {
			device, compare, closed := onDevice(t, rt, a)
			args[i] = device
			if compare != nil {
				compares = append(compares, func() { compare(c.want[i]) })
				closes = append(closes, closed)
			}
		}
		for range launchesInARow {
			require.NoError(t, c.kernel.LaunchOn(stream, args...))
		}
		if stream != s {
			for _, compare := range compares { // each waits for the default stream
				compare()
			}
		}
		for _, closed := range closes {
			closed()
		}
	}
	require.NoError(t, rt.Sync(context.Background()))
}

// pipeline hands one array from stream to stream by events; each adds what the one before has left.
func pipeline(t *testing.T, rt *qd.Runtime, k *qd.Kernel) {
	wantX, wantBounds := upTo(2000), []int32{10, 950, 0, 0}
	x, bounds := qd.MustNDArray[int32](rt, len(wantX)), qd.MustNDArray[int32](rt, len(wantBounds))
	require.NoError(t, x.CopyFrom(wantX))
	require.NoError(t, bounds.CopyFrom(wantBounds))
	var streams [3]*qd.Stream
	var done [3]*qd.Event
	for i := range streams {
		var err error
		streams[i], err = rt.NewStream()
		require.NoError(t, err)
		done[i], err = rt.NewEvent()
		require.NoError(t, err)
	}
	for launch := range 9 {
		more, v := int32(launch*31), int32(launch)
		at := launch % 3
		require.NoError(t, streams[at].Wait(done[(launch+2)%3]))
		require.NoError(t, k.LaunchOn(streams[at], x, bounds, more, v))
		require.NoError(t, done[at].Record(streams[at]))
		changing(wantX, wantBounds, more, v)
	}
	require.NoError(t, rt.DefaultStream().Wait(done[2]))
	require.Equal(t, wantX, x.MustSlice())
	require.Equal(t, wantBounds, bounds.MustSlice())
	for i := range streams {
		require.NoError(t, streams[i].Close())
		require.NoError(t, done[i].Close())
	}
	require.NoError(t, x.Close())
	require.NoError(t, bounds.Close())
}

// failures fails the middle one of three launches, in one scope; the last one runs.
func failures(t *testing.T, rt *qd.Runtime, k *qd.Kernel) {
	const n = 500
	a, b := qd.MustNDArray[int32](rt, n), qd.MustNDArray[int32](rt, n)
	good, bad := qd.MustNDArray[int32](rt, 4), qd.MustNDArray[int32](rt, 4)
	require.NoError(t, bad.CopyFrom([]int32{0, 4, 0, 0}))
	require.NoError(t, k.Launch(a, b, good))
	require.NoError(t, k.Launch(a, b, bad))
	require.NoError(t, k.Launch(a, b, good))
	var fault *qd.KernelError
	require.ErrorAs(t, rt.Sync(context.Background()), &fault)
	require.Equal(t, "idx", fault.Array)
	require.NoError(t, rt.Sync(context.Background()))
	for _, array := range []*qd.NDArray[int32]{a, b, good, bad} {
		require.NoError(t, array.Close())
	}
}
