package cgo

// #include "capi/qd.h"
import "C"

import "time"

// Span is one worker's share of one task; see qd_span.
type Span struct {
	Kernel, Task          string
	Group, Stream, Worker int
	Launch                uint64
	Start, End            time.Duration
}

// StartTrace begins to note what workers do, and keeps at most the first mostSpans shares of tasks.
func (p *Program) StartTrace(mostSpans int64) error {
	var e C.qd_error
	return check(C.qd_trace_start(p.c, C.int64_t(mostSpans), &e), &e)
}

// StopTrace waits for everything launched before, and gives what was noted, by start, and the number of spans that were
// not kept.
func (p *Program) StopTrace() ([]Span, int64, error) {
	var e C.qd_error
	t := C.qd_trace_stop(p.c, &e)
	if t == nil {
		return nil, 0, failure(&e)
	}
	defer C.qd_trace_destroy(t)
	names := map[*C.char]string{} // few, and shared by many spans
	name := func(c *C.char) string {
		s, ok := names[c]
		if !ok {
			s = C.GoString(c)
			names[c] = s
		}
		return s
	}
	spans := make([]Span, C.qd_trace_spans(t))
	for i := range spans {
		var s C.qd_span
		if code := C.qd_trace_span(t, C.int64_t(i), &s); code != C.QD_OK {
			return nil, 0, &Error{Code: Code(code), Message: "a trace lacks one of its spans"}
		}
		spans[i] = Span{
			Kernel: name(s.kernel), Task: name(s.task),
			Group: int(s.group), Stream: int(s.stream), Worker: int(s.worker),
			Launch: uint64(s.launch),
			Start:  time.Duration(s.start), End: time.Duration(s.end),
		}
	}
	return spans, int64(C.qd_trace_dropped(t)), nil
}
