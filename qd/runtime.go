package qd

import (
	"context"
	"fmt"
	"log/slog"
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
	lease   lease // a use a call, an open array and an open kernel; the last one destroys the program
	done    chan struct{}

	mu      sync.Mutex // of the two sets
	arrays  map[*memory]struct{}
	kernels map[*Kernel]struct{}

	outputMu sync.Mutex    // one writer of Config.Output at a time
	stream   sync.Mutex    // the Go arch's default stream: one launch or copy at a time
	launches atomic.Uint64 // on the Go arch, for random numbers
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
		return nil, coreError(err)
	}
	rt := &Runtime{
		arch: arch, config: config, program: program,
		done:   make(chan struct{}),
		arrays: map[*memory]struct{}{}, kernels: map[*Kernel]struct{}{},
	}
	rt.lease.open()
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

// Sync waits for everything that this runtime launched. It gives up waiting, but not the work, when ctx is done.
func (rt *Runtime) Sync(ctx context.Context) error {
	if err := rt.begin(); err != nil {
		return fmt.Errorf("qd: sync: %w", err)
	}
	err := waiting(ctx, func() error {
		defer rt.end()
		if rt.arch == Go {
			rt.stream.Lock() // every launch is over once it is free
			defer rt.stream.Unlock()
			return nil
		}
		return coreError(rt.program.Sync())
	})
	if err != nil {
		return fmt.Errorf("qd: sync: %w", err)
	}
	return nil
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

// Close closes what is still open of the runtime's arrays and kernels, waits for calls that still run, and frees the device.
// What was left open is reported to Config.Logger. From then on everything of this runtime gives ErrClosed.
func (rt *Runtime) Close() error {
	ok, last := rt.lease.close()
	if !ok {
		return fmt.Errorf("qd: close: the runtime is %w", ErrClosed)
	}
	arrays, kernels := rt.takeOpen()
	var bytes int64
	for _, a := range arrays {
		bytes += a.size
		a.close()
	}
	for _, k := range kernels {
		k.close()
	}
	if log := rt.config.Logger; log != nil && len(arrays)+len(kernels) > 0 {
		log.Warn("qd: the runtime was closed before its arrays and kernels",
			slog.Int("arrays", len(arrays)), slog.Int64("bytes", bytes), slog.Int("kernels", len(kernels)))
	}
	if last {
		rt.destroy()
	}
	<-rt.done
	return nil
}

func (rt *Runtime) takeOpen() ([]*memory, []*Kernel) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	var arrays []*memory
	var kernels []*Kernel
	for a := range rt.arrays {
		arrays = append(arrays, a)
	}
	for k := range rt.kernels {
		kernels = append(kernels, k)
	}
	return arrays, kernels
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
