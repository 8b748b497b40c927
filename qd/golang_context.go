package qd

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// goLaunch is a launch on the Go arch. What a kernel calls (Print, Rand, StreamParallel) has no parameter to find it by, so it
// is found by the goroutine that runs the kernel.
type goLaunch struct {
	output io.Writer
	scopes *scopeGroup // nil where scopes run serially

	mu     sync.Mutex
	random *rand.PCG
}

var (
	goLaunches    sync.Map     // by goroutine
	goLaunchCount atomic.Int32 // so that direct calls of kernels need not ask which goroutine runs
)

// within calls f as a part of the launch.
func (g *goLaunch) within(f func()) {
	id := goroutine()
	goLaunches.Store(id, g)
	goLaunchCount.Add(1)
	defer func() {
		goLaunchCount.Add(-1)
		goLaunches.Delete(id)
	}()
	f()
}

// currentLaunch is the launch that the caller is part of; nil in a direct call of a kernel.
func currentLaunch() *goLaunch {
	if goLaunchCount.Load() == 0 {
		return nil
	}
	g, ok := goLaunches.Load(goroutine())
	if !ok {
		return nil
	}
	return g.(*goLaunch)
}

// goroutine is the number of the running goroutine, from the first line of its stack trace: "goroutine 18 [running]:".
func goroutine() uint64 {
	var buffer [64]byte
	trace := bytes.TrimPrefix(buffer[:runtime.Stack(buffer[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(trace, []byte(" "))
	id, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		panic("qd: no goroutine number in a stack trace: " + string(trace))
	}
	return id
}

// printOutput is where Print writes.
func printOutput() io.Writer {
	if g := currentLaunch(); g != nil {
		return g.output
	}
	return os.Stdout
}

// randomBits is what Rand draws from.
func randomBits() uint64 {
	g := currentLaunch()
	if g == nil {
		return rand.Uint64()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.random.Uint64()
}

// lockedWriter lets several scopes print.
type lockedWriter struct {
	mu sync.Locker
	w  io.Writer
}

func (l lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
