package qd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Runtime is a device and everything that lives on it. There may be many in a process. All methods may be called from any
// goroutine.
type Runtime struct {
	arch    Arch
	config  Config
	program *cgo.Program
	lease   lease // a use a call and an open thing of those below; the last one destroys the program
	done    chan struct{}

	mu      sync.Mutex // of the sets
	arrays  map[*memory]struct{}
	kernels map[*Kernel]struct{}
	streams map[*Stream]struct{} // without the default stream
	events  map[*Event]struct{}

	closings atomic.Uint64 // of arrays and kernels that were in use; see idle.go

	defaultStream *Stream
	stream        sync.Mutex    // the Go arch's default stream: one launch or copy at a time
	launches      atomic.Uint64 // on the Go arch, for random numbers

	outputMu     sync.Mutex // one writer of Config.Output at a time
	outputBuffer [4096]byte
}

// Open opens a device. The error is ErrNoDevice where there is none of the kind.
func Open(config Config) (*Runtime, error) {
	rt, err := open(config)
	if err != nil {
		return nil, fmt.Errorf("qd: open: %w", err)
	}
	return rt, nil
}

// MustOpen is Open, but panics on an error.
func MustOpen(config Config) *Runtime { return must(Open(config)) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func open(config Config) (*Runtime, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	arch, err := config.Arch.resolve()
	if err != nil {
		return nil, err
	}
	if arch == Auto {
		config.Arch = CUDA
		rt, err := open(config)
		if !errors.Is(err, ErrNoDevice) {
			return rt, err
		}
		arch, config.Arch = CPU, CPU
	}
	if have := cgo.ABIVersion(); have != cgo.WantABIVersion {
		return nil, fmt.Errorf("the core's ABI version is %d, want %d", have, cgo.WantABIVersion)
	}
	threads := config.Threads
	if arch == Go {
		threads = 1 // it compiles, but runs nothing
	}
	program, err := cgo.NewProgram(cgo.Config{
		Arch: arch.core(), Threads: threads, Unchecked: config.Unchecked, FastMath: config.FastMath, Seed: config.Seed,
	})
	if err != nil {
		if config.Arch == Auto {
			return nil, fmt.Errorf("%s=%s: %w", archVariable, arch, coreError(err))
		}
		return nil, coreError(err)
	}
	rt := &Runtime{
		arch: arch, config: config, program: program,
		done:   make(chan struct{}),
		arrays: map[*memory]struct{}{}, kernels: map[*Kernel]struct{}{},
		streams: map[*Stream]struct{}{}, events: map[*Event]struct{}{},
	}
	rt.lease.open()
	rt.lease.share()
	rt.defaultStream = &Stream{rt: rt, done: make(chan struct{})}
	rt.defaultStream.lease.open()
	return rt, nil
}

// Arch is the kind of device that was opened; never Auto or GPU.
func (rt *Runtime) Arch() Arch { return rt.arch }

// begin starts a use of the runtime; end must follow.
func (rt *Runtime) begin() error {
	if !rt.lease.begin() {
		return fmt.Errorf("the runtime is %w", ErrClosed)
	}
	return nil
}

func (rt *Runtime) end() {
	if rt.lease.end() {
		rt.destroy()
	}
}

// Sync waits for everything that this runtime launched before, on every stream, and returns the earliest failure of a launch on
// a stream that was not returned before. When ctx is done it gives up waiting, but not the work; then a failure stays for the
// next Sync.
func (rt *Runtime) Sync(ctx context.Context) error {
	err := rt.begin()
	if err == nil {
		rt.lease.share()
		err = waiting(ctx, func() error {
			defer rt.end()
			return rt.waitForAll()
		})
		if err == nil {
			err = rt.report()
		}
		rt.end()
	}
	return streamError("sync", err)
}

// waitForAll waits for everything launched.
func (rt *Runtime) waitForAll() error {
	if rt.arch != Go {
		return coreError(rt.program.Drain())
	}
	err := rt.defaultStream.drain()
	for _, s := range openOf(rt, rt.streams) {
		s.queue.drain()
	}
	return err
}

// report writes what was printed and returns the earliest failure that a stream kept.
func (rt *Runtime) report() error {
	var err error
	if rt.arch == Go {
		err = rt.takeFailureGo()
	} else {
		err = failureFromCore(rt.program.Failure())
	}
	if flushErr := rt.flush(); err == nil {
		err = flushErr
	}
	return err
}

// waiting calls f, in the background where ctx can be cancelled.
func waiting(ctx context.Context, f func() error) error {
	if ctx == nil || ctx.Done() == nil {
		return f()
	}
	result := make(chan error, 1)
	go func() { result <- f() }()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close closes what is still open of the runtime's streams, events, arrays and kernels, waits for what was launched and for calls
// that still run, and frees the device. It returns a failure of a launch on a stream that no Sync returned. What was left open is
// reported to Config.Logger. From then on everything of this runtime gives ErrClosed.
func (rt *Runtime) Close() error {
	ok, _ := rt.lease.close() // not the last use: the default stream has one
	if !ok {
		return fmt.Errorf("qd: close: the runtime is %w", ErrClosed)
	}
	var failed error
	streams, events := openOf(rt, rt.streams), openOf(rt, rt.events)
	for _, s := range streams {
		if s.close() {
			<-s.done
			if failed == nil {
				failed = s.failed
			}
		}
	}
	rt.defaultStream.close()
	if rt.arch.queues() {
		<-rt.defaultStream.done
		if failed == nil {
			failed = rt.defaultStream.failed
		}
	}
	for _, e := range events {
		e.close()
	}
	arrays, kernels := openOf(rt, rt.arrays), openOf(rt, rt.kernels)
	var bytes int64
	for _, a := range arrays {
		bytes += a.size
		a.close()
	}
	for _, k := range kernels {
		k.close()
	}
	if log := rt.config.Logger; log != nil && len(arrays)+len(kernels)+len(streams)+len(events) > 0 {
		log.Warn("qd: the runtime was closed before what is on it",
			slog.Int("arrays", len(arrays)), slog.Int64("bytes", bytes), slog.Int("kernels", len(kernels)),
			slog.Int("streams", len(streams)), slog.Int("events", len(events)))
	}
	<-rt.done
	return streamError("close", failed)
}

// openOf lists a set of the runtime.
func openOf[T comparable](rt *Runtime, set map[T]struct{}) []T {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return slices.Collect(maps.Keys(set))
}

// destroy runs once, after the last use.
func (rt *Runtime) destroy() {
	rt.flush()
	leaks, err := rt.program.Leaks()
	if log := rt.config.Logger; log != nil && (err != nil || leaks != cgo.Leaks{}) {
		log.Error("qd: the device did not get everything back", slog.Any("leaks", leaks), slog.Any("error", err))
	}
	rt.program.Destroy()
	close(rt.done)
}
