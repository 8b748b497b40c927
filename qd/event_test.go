package qd_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// eventOf gives an event.
func eventOf(t testing.TB, rt *qd.Runtime) *qd.Event {
	t.Helper()
	e, err := rt.NewEvent()
	require.NoError(t, err)
	return e
}

// Each edge is needed: without ready the sum reads too early, without done the next set comes too early.
func TestEventsOrderStreams(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s1, s2, ready, done := streamOf(t, rt), streamOf(t, rt), eventOf(t, rt), eventOf(t, rt)
		x, y := arrayOf(t, rt, make([]int32, 5000)...), arrayOf(t, rt, make([]int32, 5000)...)
		setK, addK := kernelOf(t, rt, set), kernelOf(t, rt, addTo)
		want := int32(0)
		for i := range int32(1000) {
			require.NoError(t, setK.LaunchOn(s1, x, i))
			require.NoError(t, ready.Record(s1))
			require.NoError(t, s2.Wait(ready))
			require.NoError(t, addK.LaunchOn(s2, y, x))
			require.NoError(t, done.Record(s2))
			require.NoError(t, s1.Wait(done))
			want += i
		}
		require.NoError(t, s2.Sync(context.Background()))
		for _, v := range y.MustSlice() {
			require.Equal(t, want, v)
		}
	})
}

// A chain over many streams, in which every link waits for the one before.
func TestEventsInAChain(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		const n = 16
		x, k := arrayOf(t, rt, int64(1)), kernelOf(t, rt, spin)
		event := eventOf(t, rt)
		streams := make([]*qd.Stream, n)
		for i := range streams {
			streams[i] = streamOf(t, rt)
		}
		for range 20 {
			for _, s := range streams {
				require.NoError(t, s.Wait(event))
				require.NoError(t, k.LaunchOn(s, x, 1000))
				require.NoError(t, event.Record(s))
			}
		}
		require.NoError(t, event.Sync(context.Background()))
		want := []int64{1}
		spin(want, 20*n*1000)
		require.Equal(t, want, x.MustSlice())
	})
}

func TestElapsed(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, from, to, x := streamOf(t, rt), eventOf(t, rt), eventOf(t, rt), arrayOf(t, rt, int64(1))
		_, err := to.Elapsed(from)
		require.EqualError(t, err, "qd: elapsed: the event was never recorded")
		begin := time.Now()
		require.NoError(t, from.Record(s))
		require.NoError(t, kernelOf(t, rt, spin).LaunchOn(s, x, slow))
		require.NoError(t, to.Record(s))
		d, err := to.Elapsed(from)
		require.NoError(t, err)
		require.Greater(t, d, time.Duration(0))
		require.LessOrEqual(t, d, time.Since(begin))
		back, err := from.Elapsed(to)
		require.NoError(t, err)
		require.InDelta(t, float64(-d), float64(back), 1)
	})
}

func TestEventNeverRecordedIsReached(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		s, e := streamOf(t, rt), eventOf(t, rt)
		require.NoError(t, s.Wait(e))
		require.NoError(t, rt.DefaultStream().Wait(e))
		require.NoError(t, e.Sync(context.Background()))
		require.NoError(t, s.Sync(context.Background()))
	})
}

// Recording again moves the event, but not for those who wait for where it was.
func TestEventRecordedAgain(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		fast, held, waiter, e := streamOf(t, rt), streamOf(t, rt), streamOf(t, rt), eventOf(t, rt)
		x, y, gate := arrayOf[int32](t, rt, 0), arrayOf[int32](t, rt, 0), gateOf(t, rt)
		setK := kernelOf(t, rt, set)
		require.NoError(t, e.Record(fast))
		require.NoError(t, waiter.Wait(e))
		gate.holds(held)
		require.NoError(t, setK.LaunchOn(held, x, int32(1)))
		require.NoError(t, e.Record(held))
		require.NoError(t, setK.LaunchOn(waiter, y, int32(1)))
		require.NoError(t, waiter.Sync(ctx))
		require.Equal(t, []int32{1}, y.MustSlice())
		require.ErrorIs(t, e.Sync(canceled()), context.Canceled)
		gate.release()
		require.NoError(t, e.Sync(ctx))
		require.Equal(t, []int32{1}, x.MustSlice())
	})
}

func TestClosedEvents(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		ctx := context.Background()
		s, held, e, other := streamOf(t, rt), streamOf(t, rt), eventOf(t, rt), eventOf(t, rt)
		x, k, gate := arrayOf(t, rt, int64(1)), kernelOf(t, rt, spin), gateOf(t, rt)
		gate.holds(held)
		require.NoError(t, k.LaunchOn(held, x, 100))
		require.NoError(t, e.Record(held))
		require.NoError(t, s.Wait(e))
		require.NoError(t, k.LaunchOn(s, x, 3))
		require.NoError(t, e.Close(), "s still waits for it")
		refuses := func(e *qd.Event) {
			require.ErrorIs(t, e.Close(), qd.ErrClosed)
			require.ErrorIs(t, e.Sync(ctx), qd.ErrClosed)
			require.ErrorIs(t, e.Record(rt.DefaultStream()), qd.ErrClosed)
			require.ErrorIs(t, s.Wait(e), qd.ErrClosed)
			_, err := e.Elapsed(other)
			require.ErrorIs(t, err, qd.ErrClosed)
			_, err = other.Elapsed(e)
			require.ErrorIs(t, err, qd.ErrClosed)
		}
		refuses(e)
		gate.release()
		require.NoError(t, s.Sync(ctx))
		want := []int64{1}
		spin(want, 103)
		require.Equal(t, want, x.MustSlice())

		foreign := eventOf(t, open(t, qd.Config{Arch: qd.Go}))
		_, err := other.Elapsed(foreign)
		require.ErrorContains(t, err, "different runtimes")
		require.ErrorContains(t, (*qd.Event)(nil).Sync(ctx), "the event is nil")
		require.ErrorContains(t, new(qd.Event).Close(), "not made by NewEvent")
		require.NoError(t, rt.Close())
		refuses(other)
		_, err = rt.NewEvent()
		require.ErrorIs(t, err, qd.ErrClosed)
	})
}

// However records and waits of one event interleave, no stream may wait for what is queued behind its wait.
func TestEventsFromManyGoroutines(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		streams := []*qd.Stream{streamOf(t, rt), streamOf(t, rt), rt.DefaultStream()}
		events := []*qd.Event{eventOf(t, rt), eventOf(t, rt)}
		var running sync.WaitGroup
		for g := range 12 {
			running.Go(func() {
				for i := range 300 {
					s, e := streams[(g+i)%3], events[(g+i/2)%2]
					if g%2 == 0 {
						if err := e.Record(s); err != nil {
							t.Error(err)
						}
					} else if err := s.Wait(e); err != nil {
						t.Error(err)
					}
				}
			})
		}
		running.Wait()
		require.NoError(t, rt.Sync(context.Background()))
	})
}
