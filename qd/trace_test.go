package qd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func spinInScopes(a []int32) {
	qd.StreamParallel(func() {
		qd.LoopConfig(qd.Name("left"))
		for i := range 1 {
			for range 5_000_000 {
				a[i] = int32((1664525*int64(a[i]) + 1013904223) % 2147483647)
			}
		}
	})
	qd.StreamParallel(func() {
		qd.LoopConfig(qd.Name("right"))
		for i := range 1 {
			for range 5_000_000 {
				a[i+1] = int32((1664525*int64(a[i+1]) + 1013904223) % 2147483647)
			}
		}
	})
}

func threeTasks(a, b []float32) {
	b[0] = 1
	qd.LoopConfig(qd.Name("double"))
	for i := range a {
		a[i] *= 2
	}
	for i := range b {
		b[i]++
	}
}

func unequalScopes(a, b []float32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i]++
		}
	})
	qd.StreamParallel(func() {
		for i := range b {
			b[i]++
		}
		for i := range b {
			b[i] *= 2
		}
	})
}

// traced is what f did.
func traced(t *testing.T, rt *qd.Runtime, f func()) *qd.Trace {
	t.Helper()
	require.NoError(t, rt.StartTrace())
	f()
	trace, err := rt.StopTrace()
	require.NoError(t, err)
	return trace
}

func overlap(a, b qd.Span) bool { return a.Start < b.End && b.Start < a.End }

func TestTraceShowsScopesThatOverlap(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("one core: two scopes run in turn")
	}
	rt := open(t, qd.Config{Arch: qd.CPU, Threads: 2})
	k := kernelOf(t, rt, spinInScopes)
	a := arrayOf[int32](t, rt, 1, 2)
	// On a machine that is busy with other things the second thread may come too late, but not every time.
	for range 50 {
		trace := traced(t, rt, func() { require.NoError(t, k.Launch(a)) })
		require.Len(t, trace.Spans, 2)
		x, y := trace.Spans[0], trace.Spans[1]
		require.ElementsMatch(t, []string{"left", "right"}, []string{x.Task, y.Task})
		require.ElementsMatch(t, []int{1, 2}, []int{x.Group, y.Group})
		if overlap(x, y) {
			require.NotEqual(t, x.Worker, y.Worker, "two spans of one worker overlap")
			return
		}
	}
	t.Fatal("in 50 launches, the scopes never ran at the same time")
}

func TestTraceNamesTasks(t *testing.T) {
	rt := open(t, qd.Config{Arch: qd.CPU, Threads: 1})
	tasks, scopes := kernelOf(t, rt, threeTasks), kernelOf(t, rt, unequalScopes)
	a, b := arrayOf[float32](t, rt, 1, 2, 3), arrayOf[float32](t, rt, 1, 2, 3)
	trace := traced(t, rt, func() {
		require.NoError(t, tasks.Launch(a, b))
		require.NoError(t, scopes.Launch(a, b))
		require.NoError(t, tasks.Launch(a, b))
	})
	type named struct {
		kernel, task string
		group        int
		launch       uint64
	}
	var got []named
	var last time.Duration
	first := trace.Spans[0].Launch
	for _, s := range trace.Spans {
		got = append(got, named{s.Kernel, s.Task, s.Group, s.Launch - first})
		require.Zero(t, s.Worker)
		require.Zero(t, s.Stream)
		require.GreaterOrEqual(t, s.Start, last) // one thread does one thing after the other
		require.GreaterOrEqual(t, s.End, s.Start)
		last = s.End
	}
	require.Equal(t, []named{
		{"threeTasks", "threeTasks_0_serial", 0, 0},
		{"threeTasks", "double", 0, 0},
		{"threeTasks", "threeTasks_2_range", 0, 0},
		{"unequalScopes", "unequalScopes_0_range", 1, 1},
		{"unequalScopes", "unequalScopes_1_range", 2, 1},
		{"unequalScopes", "unequalScopes_2_range", 2, 1},
		{"threeTasks", "threeTasks_0_serial", 0, 2},
		{"threeTasks", "double", 0, 2},
		{"threeTasks", "threeTasks_2_range", 0, 2},
	}, got)
	for _, s := range trace.Spans[3:6] {
		require.Contains(t, scopes.Plan().String(), s.Task)
	}
}

func TestTraceTellsStreamsApart(t *testing.T) {
	rt := open(t, qd.Config{Arch: qd.CPU, Threads: 1})
	k := kernelOf(t, rt, fillWith)
	x := arrayOf[float32](t, rt, 1)
	one, err := rt.NewStream()
	require.NoError(t, err)
	two, err := rt.NewStream()
	require.NoError(t, err)
	trace := traced(t, rt, func() {
		for _, s := range []*qd.Stream{two, rt.DefaultStream(), one} {
			require.NoError(t, k.LaunchOn(s, x, float32(1)))
			require.NoError(t, s.Sync(context.Background()))
		}
		require.NoError(t, k.LaunchOn(two, x, float32(1))) // StopTrace waits for it
	})
	var streams []int
	for _, s := range trace.Spans {
		streams = append(streams, s.Stream)
	}
	require.Equal(t, []int{2, 0, 1, 2}, streams)
}

func TestTraceIsEmptyWhenOff(t *testing.T) {
	rt := open(t, qd.Config{Arch: qd.CPU})
	k := kernelOf(t, rt, fillWith)
	x := arrayOf[float32](t, rt, 1)
	require.NoError(t, k.Launch(x, float32(1)))
	require.Empty(t, traced(t, rt, func() {}).Spans)
	require.NoError(t, k.Launch(x, float32(1)))
	require.Len(t, traced(t, rt, func() { require.NoError(t, k.Launch(x, float32(1))) }).Spans, 1)
}

func TestTraceOutOfTurn(t *testing.T) {
	rt := open(t, qd.Config{Arch: qd.CPU})
	_, err := rt.StopTrace()
	require.EqualError(t, err, "qd: stop trace: the trace was not started")
	require.NoError(t, rt.StartTrace())
	require.EqualError(t, rt.StartTrace(), "qd: start trace: the trace was started already")
	require.NoError(t, rt.Close())
	require.ErrorIs(t, rt.StartTrace(), qd.ErrClosed)
	_, err = rt.StopTrace()
	require.ErrorIs(t, err, qd.ErrClosed)

	plain := open(t, qd.Config{Arch: qd.Go})
	require.ErrorContains(t, plain.StartTrace(), "plain Go")
	_, err = plain.StopTrace()
	require.ErrorContains(t, err, "plain Go")
}

func TestTraceIsBounded(t *testing.T) {
	rt := open(t, qd.Config{Arch: qd.CPU, Threads: 1})
	k := kernelOf(t, rt, fillWith)
	x := arrayOf[float32](t, rt, 1)
	const kept, more = 1 << 16, 100
	trace := traced(t, rt, func() {
		for range kept + more {
			if err := k.Launch(x, float32(1)); err != nil {
				t.Fatal(err)
			}
		}
	})
	require.Len(t, trace.Spans, kept)
	require.Equal(t, more, trace.Dropped)
	require.Equal(t, uint64(kept-1), trace.Spans[kept-1].Launch-trace.Spans[0].Launch) // the first ones are kept
}

func TestTraceWhileManyLaunch(t *testing.T) {
	rt := open(t, qd.Config{Arch: qd.CPU, Threads: 2})
	k := kernelOf(t, rt, unequalScopes)
	var launching sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		a, b := arrayOf[float32](t, rt, 1, 2), arrayOf[float32](t, rt, 1, 2)
		s, err := rt.NewStream()
		require.NoError(t, err)
		launching.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if err := k.LaunchOn(s, a, b); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	for range 20 {
		trace := traced(t, rt, func() { time.Sleep(time.Millisecond) })
		for _, s := range trace.Spans { // very many
			if s.Kernel != "unequalScopes" || s.Stream < 1 || s.Stream > 3 || s.End < s.Start {
				t.Fatalf("a span that nobody made: %+v", s)
			}
		}
	}
	close(stop)
	launching.Wait()
}

// fixedTrace has two workers, a stream, scopes and none, names that need escaping, and a span too short to be seen.
func fixedTrace() *qd.Trace {
	us := func(n int) time.Duration { return time.Duration(n) * time.Microsecond }
	return &qd.Trace{
		Spans: []qd.Span{
			{Kernel: "parts", Task: "parts_0_range", Group: 1, Launch: 7, Start: us(100), End: us(900)},
			{Kernel: "parts", Task: "a < b & \"c\"", Group: 2, Worker: 1, Launch: 7, Start: us(110), End: us(500)},
			{Kernel: "parts", Task: "parts_0_range", Group: 1, Worker: 1, Launch: 7, Start: us(505), End: us(890)},
			{Kernel: "after", Task: "after_0_serial", Stream: 2, Launch: 8, Start: us(900), End: us(901)},
			{Kernel: "after", Task: "after_1_range", Stream: 2, Launch: 8, Start: us(901), End: us(1200)},
			{Kernel: "parts", Task: "parts_3_range", Group: 10, Launch: 9, Start: us(1000), End: us(1350)},
		},
		Dropped: 3,
	}
}

func TestTraceSVG(t *testing.T) {
	for name, trace := range map[string]*qd.Trace{"trace": fixedTrace(), "trace_empty": {}} {
		var svg, again bytes.Buffer
		require.NoError(t, trace.WriteSVG(&svg))
		require.NoError(t, trace.WriteSVG(&again))
		require.Equal(t, svg.String(), again.String())
		decoder := xml.NewDecoder(bytes.NewReader(svg.Bytes()))
		for {
			_, err := decoder.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
		}
		file := filepath.Join("testdata", name+".svg")
		if *update {
			require.NoError(t, os.WriteFile(file, svg.Bytes(), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), svg.String(), "look at the picture, and run with -update if this is meant")
	}
}

func TestTraceChrome(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, fixedTrace().WriteChrome(&out))
	type event struct {
		Name string   `json:"name"`
		Cat  string   `json:"cat"`
		Ph   string   `json:"ph"`
		Ts   *float64 `json:"ts"`
		Dur  *float64 `json:"dur"`
		Pid  *int     `json:"pid"`
		Tid  *int     `json:"tid"`
		Args map[string]any
	}
	var file struct {
		TraceEvents []event `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &file))
	threads := map[int]string{}
	var spans []event
	for _, e := range file.TraceEvents {
		require.NotNil(t, e.Pid)
		require.NotNil(t, e.Tid)
		if e.Ph == "M" {
			threads[*e.Tid] = e.Args["name"].(string)
			continue
		}
		require.Equal(t, "X", e.Ph)
		spans = append(spans, e)
	}
	require.Equal(t, map[int]string{0: "caller", 1: "stream 2", 2: "worker 1"}, threads)
	require.Len(t, spans, 6)
	second := spans[1]
	require.Equal(t, `a < b & "c"`, second.Name)
	require.Equal(t, "parts", second.Cat)
	require.Equal(t, 110.0, *second.Ts)
	require.Equal(t, 390.0, *second.Dur)
	require.Equal(t, 2, *second.Tid)
	require.Equal(t, map[string]any{"group": 2.0, "stream": 0.0, "launch": 7.0}, second.Args)

	out.Reset()
	require.NoError(t, new(qd.Trace).WriteChrome(&out))
	require.JSONEq(t, `{"traceEvents": [], "displayTimeUnit": "ns"}`, out.String())
}

type failingWriter struct{}

var errFull = errors.New("no room")

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestTraceReportsWriteErrors(t *testing.T) {
	require.ErrorIs(t, fixedTrace().WriteSVG(failingWriter{}), errFull)
	require.ErrorIs(t, fixedTrace().WriteChrome(failingWriter{}), errFull)
}
