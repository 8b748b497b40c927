package qd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Trace is what a runtime's workers did between StartTrace and StopTrace.
type Trace struct {
	Spans   []Span // by start
	Dropped int    // spans after the first 65536, which are not kept
}

// Span is one worker's share of one task: a parallel loop that two workers shared has two of them. It reaches from the worker's
// first iteration to its last, by the clock of the device.
type Span struct {
	Kernel string
	Task   string // as in Kernel.Plan
	Group  int    // the StreamParallel scope in its kernel, from 1 on; 0: outside of scopes
	Stream int    // 0: the default stream; else streams in the order in which they were made
	Worker int    // 0: the stream itself, on the CPU its thread; above: a worker of the pool that all streams share
	Launch uint64 // equal for what one launch did; a later launch has a larger one

	Start, End time.Duration // since StartTrace
}

// mostSpans bounds the memory of a trace.
const mostSpans = 1 << 16

// StartTrace begins to note which worker runs which task and when, which costs a launch some hundred nanoseconds; without it a
// launch pays nothing. There is one trace at a time. Plain Go (the Go arch) has no tasks, and so no traces.
func (rt *Runtime) StartTrace() error {
	err := rt.begin()
	if err == nil {
		if err = rt.canTrace(); err == nil {
			err = coreError(rt.program.StartTrace(mostSpans))
		}
		rt.end()
	}
	return streamError("start trace", err)
}

// StopTrace waits for everything launched before and returns what was noted. Failures of launches are left to Sync.
func (rt *Runtime) StopTrace() (*Trace, error) {
	t, err := rt.stopTrace()
	return t, streamError("stop trace", err)
}

func (rt *Runtime) stopTrace() (*Trace, error) {
	if err := rt.begin(); err != nil {
		return nil, err
	}
	defer rt.end()
	if err := rt.canTrace(); err != nil {
		return nil, err
	}
	spans, dropped, err := rt.program.StopTrace()
	if err != nil {
		return nil, coreError(err)
	}
	t := &Trace{Spans: make([]Span, len(spans)), Dropped: int(dropped)}
	for i, s := range spans {
		t.Spans[i] = Span(s)
	}
	return t, nil
}

func (rt *Runtime) canTrace() error {
	if rt.arch == Go {
		return errors.New("plain Go runs a kernel as one function, without tasks to trace; open the runtime with Arch: qd.CPU")
	}
	return nil
}

// lane is where spans are drawn that cannot overlap: a worker of the pool, or a stream's own thread.
type lane struct{ worker, stream int }

func laneOf(s Span) lane {
	if s.Worker > 0 {
		return lane{worker: s.Worker}
	}
	return lane{stream: s.Stream}
}

func (l lane) String() string {
	switch {
	case l.worker > 0:
		return fmt.Sprintf("worker %d", l.worker)
	case l.stream > 0:
		return fmt.Sprintf("stream %d", l.stream)
	}
	return "caller"
}

// lanes are those with a span: the caller, the streams, the workers.
func (t *Trace) lanes() []lane {
	var all []lane
	for _, s := range t.Spans {
		if l := laneOf(s); !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b lane) int {
		return cmp.Or(cmp.Compare(a.worker, b.worker), cmp.Compare(a.stream, b.stream))
	})
	return all
}

// chromeEvent is an entry of the Trace Event Format.
type chromeEvent struct {
	Name     string     `json:"name"`
	Category string     `json:"cat,omitempty"`
	Phase    string     `json:"ph"`
	Start    float64    `json:"ts"` // microseconds
	Duration float64    `json:"dur"`
	Process  int        `json:"pid"`
	Thread   int        `json:"tid"`
	Args     chromeArgs `json:"args"`
}

type chromeArgs struct {
	Name   string  `json:"name,omitempty"`
	Group  *int    `json:"group,omitempty"`
	Stream *int    `json:"stream,omitempty"`
	Launch *uint64 `json:"launch,omitempty"`
}

// WriteChrome writes the trace as JSON that Perfetto (ui.perfetto.dev) and chrome://tracing show.
func (t *Trace) WriteChrome(w io.Writer) error {
	const process = 1
	events := []chromeEvent{}
	lanes := t.lanes()
	for thread, l := range lanes {
		events = append(events, chromeEvent{
			Name: "thread_name", Phase: "M", Process: process, Thread: thread, Args: chromeArgs{Name: l.String()},
		})
	}
	for i := range t.Spans {
		s := &t.Spans[i]
		events = append(events, chromeEvent{
			Name: s.Task, Category: s.Kernel, Phase: "X",
			Start: microseconds(s.Start), Duration: microseconds(s.End - s.Start),
			Process: process, Thread: slices.Index(lanes, laneOf(*s)),
			Args: chromeArgs{Group: &s.Group, Stream: &s.Stream, Launch: &s.Launch},
		})
	}
	return json.NewEncoder(w).Encode(struct {
		Events []chromeEvent `json:"traceEvents"`
		Unit   string        `json:"displayTimeUnit"`
	}{events, "ns"})
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
