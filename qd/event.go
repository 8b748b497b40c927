package qd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Event is a point in a stream's work, once Record has put it there. One that was never recorded counts as reached. Its
// methods may be called from any goroutine.
type Event struct {
	rt    *Runtime
	lease lease
	core  *cgo.Event
	state *goEvent // on the Go arch
}

// NewEvent makes an event.
func (rt *Runtime) NewEvent() (*Event, error) {
	e, err := rt.newEvent()
	if err != nil {
		return nil, fmt.Errorf("qd: new event: %w", err)
	}
	return e, nil
}

func (rt *Runtime) newEvent() (*Event, error) {
	if err := rt.begin(); err != nil {
		return nil, err
	}
	e := &Event{rt: rt}
	if rt.arch == Go {
		e.state = new(goEvent)
	} else {
		core, err := rt.program.NewEvent()
		if err != nil {
			rt.end()
			return nil, coreError(err)
		}
		e.core = core
	}
	e.lease.open() // from here on close ends the use of the runtime
	rt.mu.Lock()
	rt.events[e] = struct{}{}
	rt.mu.Unlock()
	if rt.lease.closed.Load() { // Close may have taken the set before this event was in it
		e.close()
		return nil, fmt.Errorf("the runtime is %w", ErrClosed)
	}
	return e, nil
}

// begin starts a use of the event; end must follow.
func (e *Event) begin() error {
	switch {
	case e == nil:
		return errors.New("the event is nil")
	case e.rt == nil:
		return errors.New("the event was not made by NewEvent")
	case !e.lease.begin():
		return fmt.Errorf("the event is %w", ErrClosed)
	}
	return nil
}

func (e *Event) end() {
	if e.lease.end() {
		e.free()
	}
}

// Record makes the event the point where everything launched on the stream so far is done. Recording again moves it; whoever
// waits already goes on waiting for the point before.
func (e *Event) Record(s *Stream) error {
	return streamError("record", withBoth(s, e, func() error {
		if s.rt.arch == Go {
			e.state.record(s)
			return nil
		}
		return coreError(e.core.Record(s.core))
	}))
}

// Sync waits until the event, as it was recorded last, is reached. It reports no failures of launches; Stream.Sync does. When
// ctx is done it stops waiting.
func (e *Event) Sync(ctx context.Context) error {
	err := e.begin()
	if err == nil {
		err = waiting(ctx, func() error {
			defer e.end()
			if e.rt.arch == Go {
				e.state.sync()
				return nil
			}
			return coreError(e.core.Sync())
		})
	}
	return streamError("sync event", err)
}

// Elapsed is the time from one event to this one. It waits for both. An event that was never recorded is an error.
func (e *Event) Elapsed(from *Event) (time.Duration, error) {
	d, err := e.elapsed(from)
	if err != nil {
		return 0, fmt.Errorf("qd: elapsed: %w", err)
	}
	return d, nil
}

func (e *Event) elapsed(from *Event) (time.Duration, error) {
	if err := e.begin(); err != nil {
		return 0, err
	}
	defer e.end()
	if err := from.begin(); err != nil {
		return 0, err
	}
	defer from.end()
	switch {
	case e.rt != from.rt:
		return 0, fmt.Errorf("the events belong to different runtimes (%s and %s)", from.rt.arch, e.rt.arch)
	case e.rt.arch == Go:
		return e.state.elapsed(from.state)
	}
	seconds, err := e.core.Elapsed(from.core)
	return time.Duration(seconds * float64(time.Second)), coreError(err)
}

// Close gives the event back at once, even if streams still wait for it. A second call returns ErrClosed.
func (e *Event) Close() error {
	switch {
	case e == nil || e.rt == nil:
		return streamError("close event", e.begin())
	case !e.close():
		return fmt.Errorf("qd: close event: the event is %w", ErrClosed)
	}
	return nil
}

// close marks the event closed; false if it was before.
func (e *Event) close() bool {
	ok, last := e.lease.close()
	if !ok {
		return false
	}
	e.rt.mu.Lock()
	delete(e.rt.events, e)
	e.rt.mu.Unlock()
	if last {
		e.free()
	}
	return true
}

func (e *Event) free() {
	if e.core != nil {
		e.core.Destroy()
	}
	e.rt.end()
}
