package qd

import (
	"context"
	"errors"
	"fmt"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Stream is a queue of launches. The device does them in order, one after the other, and beside those of other streams;
// events order streams among each other. Its methods may be called from any goroutine.
//
// A launch on a stream that fails while it runs does not stop the launches after it. The first failure is kept and returned by
// the next Sync of the stream or of the runtime, or by Close, and by nothing else.
type Stream struct {
	rt     *Runtime
	lease  lease
	core   *cgo.Stream // nil for the default stream, and on the Go arch
	queue  *goQueue    // on the Go arch; nil for the default stream
	failed error       // what Close reports; set before done is closed
	done   chan struct{}
}

// NewStream makes a stream.
func (rt *Runtime) NewStream() (*Stream, error) {
	s, err := rt.newStream(rt.program.NewStream)
	if err != nil {
		return nil, fmt.Errorf("qd: new stream: %w", err)
	}
	return s, nil
}

// WrapStream makes a stream of one that other code of the process made on the same GPU: a CUstream or cudaStream_t. Launches on it
// are in order with that code's work. Close does not destroy it; it must live until then.
func (rt *Runtime) WrapStream(handle uintptr) (*Stream, error) {
	if !rt.arch.queues() {
		return nil, fmt.Errorf("qd: wrap stream: on %s no other code has streams", rt.arch)
	}
	s, err := rt.newStream(func() (*cgo.Stream, error) { return rt.program.WrapStream(handle) })
	if err != nil {
		return nil, fmt.Errorf("qd: wrap stream: %w", err)
	}
	return s, nil
}

// newStream makes a stream; open does so on a compiled device.
func (rt *Runtime) newStream(open func() (*cgo.Stream, error)) (*Stream, error) {
	if err := rt.begin(); err != nil {
		return nil, err
	}
	s := &Stream{rt: rt, done: make(chan struct{})}
	if rt.arch == Go {
		s.queue = newGoQueue()
	} else {
		core, err := open()
		if err != nil {
			rt.end()
			return nil, coreError(err)
		}
		s.core = core
	}
	s.lease.open() // from here on close ends the use of the runtime
	rt.mu.Lock()
	rt.streams[s] = struct{}{}
	rt.mu.Unlock()
	if rt.lease.closed.Load() { // Close may have taken the set before this stream was in it
		s.close()
		return nil, fmt.Errorf("the runtime is %w", ErrClosed)
	}
	return s, nil
}

// DefaultStream is the stream of Launch and of copies. On the CPU it is the calling goroutine: what is done on it is done when
// the call returns. It is closed with its runtime.
func (rt *Runtime) DefaultStream() *Stream { return rt.defaultStream }

func (s *Stream) isDefault() bool { return s.core == nil && s.queue == nil }

// begin starts a use of the stream; end must follow.
func (s *Stream) begin() error {
	switch {
	case s == nil:
		return errors.New("the stream is nil")
	case s.rt == nil:
		return errors.New("the stream was not made by NewStream")
	case !s.lease.begin():
		return fmt.Errorf("the stream is %w", ErrClosed)
	}
	return nil
}

func (s *Stream) end() {
	if s.lease.end() {
		s.free()
	}
}

// Sync waits for what was launched on the stream before, and returns the first failure of such a launch that was not returned
// before. When ctx is done it gives up waiting, but not the work; then a failure stays for the next Sync.
func (s *Stream) Sync(ctx context.Context) error {
	err := s.begin()
	if err == nil {
		s.lease.share()
		err = waiting(ctx, func() error {
			defer s.end()
			return s.drain()
		})
		if err == nil {
			err = s.report()
		}
		s.end()
	}
	return streamError("sync stream", err)
}

// drain waits for what is queued.
func (s *Stream) drain() error {
	switch {
	case s.core != nil:
		return coreError(s.core.Drain())
	case s.queue != nil:
		s.queue.drain()
	case s.rt.arch == Go:
		s.rt.stream.Lock() // every launch is over once it is free
		defer s.rt.stream.Unlock()
	default:
		return coreError(s.rt.program.DrainDefault())
	}
	return nil
}

// report writes what was printed and returns the failure that was kept.
func (s *Stream) report() error {
	var err error
	switch {
	case s.core != nil:
		err = failureFromCore(s.core.Failure())
	case s.queue != nil:
		err = s.queue.take()
	case s.rt.arch.queues():
		err = failureFromCore(s.rt.program.FailureDefault())
	}
	if flushErr := s.rt.flush(); err == nil {
		err = flushErr
	}
	return err
}

// Wait makes what is launched on the stream from now on start after the event, as it was recorded last. The default stream
// waits before Wait returns.
func (s *Stream) Wait(e *Event) error {
	return streamError("wait", withBoth(s, e, func() error {
		switch {
		case s.rt.arch == Go:
			e.state.wait(s)
			return nil
		default:
			return coreError(s.core.Wait(e.core))
		}
	}))
}

// withBoth calls f while a stream and an event, which must be of one runtime, are safe from being freed.
func withBoth(s *Stream, e *Event, f func() error) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if err := e.begin(); err != nil {
		return err
	}
	defer e.end()
	if s.rt != e.rt {
		return fmt.Errorf("the stream belongs to another runtime (%s) than the event (%s)", s.rt.arch, e.rt.arch)
	}
	return f()
}

// Close waits for the stream's work and ends it. It returns a failure that no Sync returned. A second call returns ErrClosed.
func (s *Stream) Close() error {
	switch {
	case s == nil || s.rt == nil:
		return streamError("close stream", s.begin())
	case s.isDefault():
		return errors.New("qd: close stream: the default stream is closed with its runtime")
	case !s.close():
		return fmt.Errorf("qd: close stream: the stream is %w", ErrClosed)
	}
	<-s.done
	return streamError("close stream", s.failed)
}

// close marks the stream closed; false if it was before.
func (s *Stream) close() bool {
	ok, last := s.lease.close()
	if !ok {
		return false
	}
	s.rt.mu.Lock()
	delete(s.rt.streams, s)
	s.rt.mu.Unlock()
	if last {
		s.free()
	}
	return true
}

func (s *Stream) free() {
	if !s.isDefault() || s.rt.arch.queues() {
		err := s.drain()
		if err == nil {
			err = s.report()
		}
		s.failed = err
	}
	if s.core != nil {
		s.core.Destroy()
	}
	if s.queue != nil {
		s.queue.close()
	}
	close(s.done)
	s.rt.end()
}

// streamError says what was being done, except where a kernel failed: that says where and in which kernel.
func streamError(doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := err.(*KernelError); ok {
		return err
	}
	return fmt.Errorf("qd: %s: %w", doing, err)
}

// failureFromCore is what the core kept of a launch on a stream.
func failureFromCore(err error) error {
	if err == nil {
		return nil
	}
	var e *cgo.Error
	if errors.As(err, &e) && e.Code == cgo.CodeKernel {
		return faultFromCore(e.Kernel, e)
	}
	return coreError(err)
}
