package cgo

// #include <stdint.h>
// #include "capi/qd.h"
//
// // As launch_kernel, on a stream; the launch is queued when it returns.
// static qd_code launch_kernel_on(uintptr_t kernel, uintptr_t stream, const uint8_t *args, int64_t args_size,
//                                 qd_error *error) {
//   return qd_kernel_launch_on((qd_kernel *)kernel, (qd_stream *)stream, args, args_size, NULL, error);
// }
//
// // As launch_kernel_on_host, on a stream. Go lends its memory for the duration of a call, so this one waits.
// static qd_code launch_kernel_on_host_on(uintptr_t kernel, uintptr_t stream, uint8_t *args, int64_t args_size,
//                                         qd_error *error, int32_t count, const int64_t *at, const uint8_t *h0,
//                                         const uint8_t *h1, const uint8_t *h2, const uint8_t *h3, const uint8_t *h4,
//                                         const uint8_t *h5, const uint8_t *h6, const uint8_t *h7) {
//   const uint8_t *hosts[] = {h0, h1, h2, h3, h4, h5, h6, h7};
//   for (int32_t i = 0; i < count; i++) {
//     *(uint64_t *)(args + at[i]) = (uint64_t)(uintptr_t)hosts[i];
//   }
//   return qd_kernel_launch_on_host((qd_kernel *)kernel, (qd_stream *)stream, args, args_size, count, at, NULL, error);
// }
//
// #cgo noescape launch_kernel_on
// #cgo nocallback launch_kernel_on
// #cgo noescape launch_kernel_on_host_on
// #cgo nocallback launch_kernel_on_host_on
import "C"

import "unsafe"

// Stream is a queue of work that is done in order, beside other streams. Its methods may be called from any goroutine;
// Destroy only when no other call runs.
type Stream struct{ c *C.qd_stream }

// NewStream makes a stream.
func (p *Program) NewStream() (*Stream, error) {
	var e C.qd_error
	c := C.qd_stream_create(p.c, &e)
	if c == nil {
		return nil, failure(&e)
	}
	return &Stream{c}, nil
}

// WrapStream makes a stream of one that other code made.
func (p *Program) WrapStream(handle uintptr) (*Stream, error) {
	var e C.qd_error
	c := C.qd_stream_wrap(p.c, C.uint64_t(handle), &e)
	if c == nil {
		return nil, failure(&e)
	}
	return &Stream{c}, nil
}

// Destroy waits for the stream's work and frees it.
func (s *Stream) Destroy() {
	C.qd_stream_destroy(s.c)
	s.c = nil
}

// Drain waits for what is queued.
func (s *Stream) Drain() error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_stream_drain(s.c, &c.err), &c.err)
}

// Failure is the first failure of a launch on the stream since it was asked last.
func (s *Stream) Failure() error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_stream_failure(s.c, &c.err), &c.err)
}

// Drain waits for everything launched.
func (p *Program) Drain() error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_program_drain(p.c, &c.err), &c.err)
}

// DrainDefault waits for what was launched on the default stream.
func (p *Program) DrainDefault() error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_program_drain_default(p.c, &c.err), &c.err)
}

// Failure is the earliest failure of a launch on a stream that was not reported yet.
func (p *Program) Failure() error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_program_failure(p.c, &c.err), &c.err)
}

// FailureDefault is the first failure of a launch on the default stream since it was asked last.
func (p *Program) FailureDefault() error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_program_failure_default(p.c, &c.err), &c.err)
}

// LaunchOn queues the kernel on a stream.
func (k *Kernel) LaunchOn(s *Stream, args unsafe.Pointer, size int64, c *Call) error {
	kernel, stream := C.uintptr_t(uintptr(unsafe.Pointer(k.c))), C.uintptr_t(uintptr(unsafe.Pointer(s.c)))
	return check(C.launch_kernel_on(kernel, stream, (*C.uint8_t)(args), C.int64_t(size), &c.err), &c.err)
}

// LaunchOnHostOn is LaunchOn with host memory among the arguments, if there is any. Then it waits for the stream, and its error
// may be the failure of an earlier launch on it.
func (k *Kernel) LaunchOnHostOn(s *Stream, args unsafe.Pointer, size int64, hosts *Hosts, c *Call) error {
	if hosts.count == 0 {
		return k.LaunchOn(s, args, size, c)
	}
	kernel, stream := C.uintptr_t(uintptr(unsafe.Pointer(k.c))), C.uintptr_t(uintptr(unsafe.Pointer(s.c)))
	p := &hosts.pointers
	code := C.launch_kernel_on_host_on(kernel, stream, (*C.uint8_t)(args), C.int64_t(size), &c.err,
		C.int32_t(hosts.count), (*C.int64_t)(&hosts.at[0]), (*C.uint8_t)(p[0]), (*C.uint8_t)(p[1]), (*C.uint8_t)(p[2]),
		(*C.uint8_t)(p[3]), (*C.uint8_t)(p[4]), (*C.uint8_t)(p[5]), (*C.uint8_t)(p[6]), (*C.uint8_t)(p[7]))
	return check(code, &c.err)
}

// Event is a point in a stream's work. Its methods may be called from any goroutine; Destroy only when no other call runs.
type Event struct{ c *C.qd_event }

// NewEvent makes an event.
func (p *Program) NewEvent() (*Event, error) {
	var e C.qd_error
	c := C.qd_event_create(p.c, &e)
	if c == nil {
		return nil, failure(&e)
	}
	return &Event{c}, nil
}

// Destroy frees the event; streams that wait for it go on waiting.
func (v *Event) Destroy() {
	C.qd_event_destroy(v.c)
	v.c = nil
}

// Record makes the event the end of what is queued on s; nil is the default stream.
func (v *Event) Record(s *Stream) error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_event_record(v.c, s.handle(), &c.err), &c.err)
}

// Wait makes what is queued on s from now on wait for the event; nil is the default stream.
func (s *Stream) Wait(v *Event) error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_event_wait(s.handle(), v.c, &c.err), &c.err)
}

// Sync waits for the event.
func (v *Event) Sync() error {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	return check(C.qd_event_sync(v.c, &c.err), &c.err)
}

// Elapsed is the time from an event to this one in seconds, after both.
func (v *Event) Elapsed(from *Event) (float64, error) {
	c := calls.Get().(*Call)
	defer calls.Put(c)
	var seconds C.double
	err := check(C.qd_event_elapsed(from.c, v.c, &seconds, &c.err), &c.err)
	return float64(seconds), err
}

func (s *Stream) handle() *C.qd_stream {
	if s == nil {
		return nil
	}
	return s.c
}

// check is the error of a call that filled e.
func check(code C.qd_code, e *C.qd_error) error {
	if code == C.QD_OK {
		return nil
	}
	return failure(e)
}
