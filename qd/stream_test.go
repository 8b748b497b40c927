package qd_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

const slow = 5_000_000 // steps of spin: some milliseconds

// streamOf gives a stream.
func streamOf(t testing.TB, rt *qd.Runtime) *qd.Stream {
	t.Helper()
	s, err := rt.NewStream()
	require.NoError(t, err)
	return s
}

// gate holds streams up for as long as a test needs.
type gate struct {
	t            testing.TB
	open         *qd.NDArray[int32]
	hold, letGoK *qd.Kernel
}

func gateOf(t testing.TB, rt *qd.Runtime) *gate {
	t.Helper()
	if onGPU(rt) {
		t.Skip("no GPU promises that a kernel ends that waits for another, and the simulated one runs one at a time")
	}
	g := &gate{t, arrayOf[int32](t, rt, 0), kernelOf(t, rt, holdUntil), kernelOf(t, rt, letGo)}
	t.Cleanup(func() { _ = g.letGoK.Launch(g.open) }) // else a failed test would hang
	return g
}

// holds makes what is launched on the stream from now on wait for release.
func (g *gate) holds(s *qd.Stream) { require.NoError(g.t, g.hold.LaunchOn(s, g.open)) }

func (g *gate) release() { require.NoError(g.t, g.letGoK.Launch(g.open)) }

func TestStreamKeepsOrder(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, x, y := streamOf(t, rt), arrayOf(t, rt, make([]int32, 1000)...), arrayOf(t, rt, make([]int32, 1000)...)
		setK, addK := kernelOf(t, rt, set), kernelOf(t, rt, addTo)
		want := int32(0)
		for i := range int32(500) {
			require.NoError(t, setK.LaunchOn(s, x, i))
			require.NoError(t, addK.LaunchOn(s, y, x))
			want += i
		}
		require.NoError(t, s.Sync(context.Background()))
		for _, v := range y.MustSlice() {
			require.Equal(t, want, v)
		}
	})
}

func TestLaunchOnReturnsBeforeTheKernelRan(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, waiter, e, y, gate := streamOf(t, rt), streamOf(t, rt), eventOf(t, rt), arrayOf[int32](t, rt, 0), gateOf(t, rt)
		gate.holds(s)
		require.NoError(t, e.Record(s))
		require.NoError(t, waiter.Wait(e))
		require.NoError(t, kernelOf(t, rt, set).LaunchOn(waiter, y, int32(7)))
		require.Equal(t, []int32{0}, y.MustSlice(), "the stream waits for the event, this goroutine does not")
		gate.release()
		require.NoError(t, rt.Sync(context.Background()))
		require.Equal(t, []int32{7}, y.MustSlice())
	})
}

func TestFailureSurfacesAtSync(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		s, dst, src := streamOf(t, rt), arrayOf(t, rt, make([]int32, 100)...), arrayOf(t, rt, make([]int32, 100)...)
		k, setK := kernelOf(t, rt, shift), kernelOf(t, rt, set)
		for range 3 {
			require.NoError(t, k.LaunchOn(s, dst, src, 3))
			require.NoError(t, k.LaunchOn(s, dst, src, 50), "a later failure is not the first")
			require.NoError(t, setK.LaunchOn(s, dst, int32(9)), "launches go on after a failure")
			fault := requireFault(t, s.Sync(ctx), lineOf(t, "dst[i] = src[i+by]"), 12, "index out of range [100] with length 100")
			require.Equal(t, "shift", fault.Kernel)
			require.Equal(t, "src", fault.Array)
			require.Equal(t, []int{100, 100, 0}, []int{fault.Index, fault.Length, fault.Axis})
			require.NoError(t, s.Sync(ctx), "a failure is returned once")
			require.Equal(t, int32(9), dst.MustSlice()[0])
		}
	})
}

func TestRuntimeSyncReturnsTheEarliestFailure(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		first, second, third := streamOf(t, rt), streamOf(t, rt), streamOf(t, rt)
		dst, out := arrayOf(t, rt, make([]int32, 10)...), arrayOf[int32](t, rt, 0)
		require.NoError(t, kernelOf(t, rt, mustBePositive).LaunchOn(third, dst))
		require.NoError(t, kernelOf(t, rt, shift).LaunchOn(first, dst, dst, 1))
		require.NoError(t, kernelOf(t, rt, divide).LaunchOn(second, out, int32(0)))
		for _, message := range []string{"] is 0 (kernel mustBePositive)", "index out of range [10]", "divide by zero"} {
			require.ErrorContains(t, rt.Sync(ctx), message)
		}
		require.NoError(t, rt.Sync(ctx))
		for _, s := range []*qd.Stream{first, second, third} {
			require.NoError(t, s.Sync(ctx))
		}
	})
}

func TestCloseWaitsAndReturnsAFailure(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, x, gate := streamOf(t, rt), arrayOf[int32](t, rt, 0), gateOf(t, rt)
		gate.holds(s)
		require.NoError(t, kernelOf(t, rt, set).LaunchOn(s, x, int32(1)))
		closed := make(chan error)
		go func() { closed <- s.Close() }()
		for !errors.Is(s.Sync(canceled()), qd.ErrClosed) { // until Close has begun
			runtime.Gosched()
		}
		select {
		case err := <-closed:
			t.Fatal("Close did not wait:", err)
		default:
		}
		gate.release()
		require.NoError(t, <-closed)
		require.Equal(t, []int32{1}, x.MustSlice())

		s = streamOf(t, rt)
		require.NoError(t, kernelOf(t, rt, divide).LaunchOn(s, arrayOf[int32](t, rt, 0), int32(0)))
		requireFault(t, s.Close(), lineOf(t, "100 / by"), 16, "integer divide by zero")
		require.NoError(t, rt.Sync(context.Background()), "it was returned")
	})
}

func TestRuntimeCloseWaitsAndReturnsAFailure(t *testing.T) {
	for _, arch := range []qd.Arch{qd.CPU, qd.Go} {
		var log bytes.Buffer
		rt := open(t, qd.Config{Arch: arch, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		s, other := streamOf(t, rt), streamOf(t, rt)
		_, err := rt.NewEvent()
		require.NoError(t, err)
		require.NoError(t, kernelOf(t, rt, spin).LaunchOn(other, arrayOf(t, rt, int64(1)), slow))
		require.NoError(t, kernelOf(t, rt, divide).LaunchOn(s, arrayOf[int32](t, rt, 0), int32(0)))
		requireFault(t, rt.Close(), lineOf(t, "100 / by"), 16, "integer divide by zero")
		require.Contains(t, log.String(), "streams=2 events=1")
		require.NotContains(t, log.String(), "did not get everything back")
		require.ErrorIs(t, s.Close(), qd.ErrClosed)
		require.Equal(t, qd.Leaks{}, qd.ProcessLeaks())
	}
}

func TestClosedStreamSaysSo(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		e, err := rt.NewEvent()
		require.NoError(t, err)
		k, x := kernelOf(t, rt, set), arrayOf[int32](t, rt, 0)
		refuses := func(s *qd.Stream, e *qd.Event) {
			require.ErrorIs(t, s.Sync(ctx), qd.ErrClosed)
			require.ErrorIs(t, s.Wait(e), qd.ErrClosed)
			require.ErrorIs(t, e.Record(s), qd.ErrClosed)
			require.ErrorIs(t, k.LaunchOn(s, x, int32(1)), qd.ErrClosed)
			require.ErrorContains(t, s.Sync(ctx), "the stream is already closed")
		}
		s, left := streamOf(t, rt), streamOf(t, rt)
		require.NoError(t, s.Close())
		require.ErrorIs(t, s.Close(), qd.ErrClosed)
		refuses(s, e)
		require.ErrorContains(t, rt.DefaultStream().Close(), "closed with its runtime")
		require.NoError(t, rt.Close())
		refuses(left, e)
		require.ErrorIs(t, rt.DefaultStream().Sync(ctx), qd.ErrClosed)
		_, err = rt.NewStream()
		require.ErrorIs(t, err, qd.ErrClosed)
	})
}

func TestWrongStreams(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		other := open(t, qd.Config{Arch: qd.Go})
		foreign := streamOf(t, other)
		e, err := rt.NewEvent()
		require.NoError(t, err)
		k, x := kernelOf(t, rt, set), arrayOf[int32](t, rt, 0)
		require.EqualError(t, k.LaunchOn(foreign, x, int32(1)),
			"qd: launch set: the stream belongs to another runtime (go) than the kernel ("+rt.Arch().String()+")")
		require.ErrorContains(t, foreign.Wait(e), "another runtime")
		require.ErrorContains(t, e.Record(foreign), "another runtime")
		require.ErrorContains(t, k.LaunchOn(other.DefaultStream(), x, int32(1)), "another runtime")
		require.EqualError(t, k.LaunchOn(nil, x, int32(1)), "qd: launch set: the stream is nil")
		require.ErrorContains(t, (*qd.Stream)(nil).Close(), "the stream is nil")
		require.ErrorContains(t, new(qd.Stream).Sync(context.Background()), "not made by NewStream")
		require.Equal(t, []int32{0}, x.MustSlice())
	})
}

func TestDefaultStream(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		d, s, x := rt.DefaultStream(), streamOf(t, rt), arrayOf(t, rt, int64(1))
		k, setK, y := kernelOf(t, rt, spin), kernelOf(t, rt, set), arrayOf[int32](t, rt, 0)
		e, err := rt.NewEvent()
		require.NoError(t, err)
		require.NoError(t, k.LaunchOn(s, x, slow))
		require.NoError(t, e.Record(s))
		require.NoError(t, d.Wait(e))
		require.NoError(t, k.LaunchOn(d, x, 5), "after the launch on s")
		require.NoError(t, setK.LaunchOn(d, y, int32(3)))
		require.NoError(t, d.Sync(ctx))
		require.NoError(t, e.Record(d))
		require.NoError(t, e.Sync(ctx))
		want := []int64{1}
		spin(want, slow+5)
		require.Equal(t, want, x.MustSlice())
		require.Equal(t, []int32{3}, y.MustSlice())
		requireFault(t, kernelOf(t, rt, divide).LaunchOn(d, []int32{1}, int32(0)), lineOf(t, "100 / by"), 16, "divide by zero")
		require.NoError(t, d.Sync(ctx), "LaunchOn returned it")
	})
}

// A Sync that gives up must neither stop the work nor lose what it would have returned.
func TestSyncGivesUpWaitingOnly(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, e, out, gate := streamOf(t, rt), eventOf(t, rt), arrayOf[int32](t, rt, 0), gateOf(t, rt)
		gate.holds(s)
		require.NoError(t, kernelOf(t, rt, divide).LaunchOn(s, out, int32(0)))
		require.NoError(t, e.Record(s))
		ctx := canceled()
		require.ErrorIs(t, s.Sync(ctx), context.Canceled)
		require.ErrorIs(t, rt.Sync(ctx), context.Canceled)
		require.ErrorIs(t, e.Sync(ctx), context.Canceled)
		gate.release()
		require.ErrorContains(t, s.Sync(context.Background()), "divide by zero")
	})
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestManyGoroutinesOnManyStreams(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		const goroutines, launches = 50, 40
		streams := make([]*qd.Stream, 8)
		sums := make([]*qd.NDArray[int64], len(streams))
		for i := range streams {
			streams[i], sums[i] = streamOf(t, rt), arrayOf[int64](t, rt, 0)
		}
		k, own := kernelOf(t, rt, count), kernelOf(t, rt, addUpTo)
		var running sync.WaitGroup
		for g := range goroutines {
			running.Go(func() {
				x, bound := qd.MustNDArray[int32](rt, 100), qd.MustNDArray[int32](rt, 1)
				err := bound.Fill(int32(g))
				for i := range launches {
					s := streams[(g+i)%len(streams)]
					err = errors.Join(err, k.LaunchOn(s, sums[(g+i)%len(streams)], 10), own.LaunchOn(streams[g%8], x, bound, int32(1)))
					if i%10 == 0 {
						err = errors.Join(err, s.Sync(context.Background()))
					}
				}
				err = errors.Join(err, streams[g%8].Sync(context.Background()))
				for i, v := range x.MustSlice() {
					if want := int32(0); i < g {
						want = launches
						if v != want {
							err = errors.Join(err, errors.New("a bound of another launch was used"))
						}
					} else if v != want {
						err = errors.Join(err, errors.New("written past the bound"))
					}
				}
				if err = errors.Join(err, x.Close(), bound.Close()); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		require.NoError(t, rt.Sync(context.Background()))
		total := int64(0)
		for _, sum := range sums {
			total += sum.MustSlice()[0]
		}
		require.Equal(t, int64(goroutines*launches*10), total)
	})
}

func TestStreamsCloseWhileInUse(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		k := kernelOf(t, rt, double)
		for range 20 {
			s, a := streamOf(t, rt), arrayOf(t, rt, make([]int, 1000)...)
			var running sync.WaitGroup
			for range 4 {
				running.Go(func() {
					for range 10 {
						if err := errors.Join(k.LaunchOn(s, a), s.Sync(context.Background())); err != nil {
							require.ErrorIs(t, err, qd.ErrClosed)
						}
					}
				})
			}
			require.NoError(t, s.Close())
			running.Wait()
		}
		var running sync.WaitGroup
		for range 8 {
			running.Go(func() {
				for {
					s, err := rt.NewStream()
					var a *qd.NDArray[int]
					if err == nil {
						a, err = qd.NewNDArray[int](rt, 100)
					}
					if err == nil {
						err = k.LaunchOn(s, a)
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
