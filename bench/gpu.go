package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/quadrants-go/quadrants/qd"
)

// Arrays that do not fit a GPU's caches, and work for all of its threads.
func sizesOnGPU() {
	nVector, nHistogram, nGrid, nMatrix, nBodies = 1<<28, 1<<26, 16384, 1024, 32768
}

// benchGPU prints the name of each workload and its median time by the GPU's event clock.
func benchGPU(w io.Writer) error {
	if *format != "text" {
		return fmt.Errorf("there is no format %q", *format)
	}
	config := qd.Config{Arch: qd.CUDA}
	if *arch == "auto" { // what QD_ARCH says, to try this without a GPU, with small sizes
		config.Arch = qd.Auto
	} else if *arch != "cuda" {
		return fmt.Errorf("there is no arch %q here", *arch)
	} else {
		sizesOnGPU()
	}
	rt, err := qd.Open(config)
	if err != nil {
		return err
	}
	defer rt.Close()
	clock, err := newGPUClock(rt)
	if err != nil {
		return err
	}
	defer clock.close()
	for _, work := range append(workloads, gpuWorkloads()...) {
		if !wanted(work.name) {
			continue
		}
		if err := clock.report(w, work); err != nil {
			return fmt.Errorf("%s: %w", work.name, err)
		}
	}
	if wanted("launch-host") {
		return hostSide(w, rt)
	}
	return nil
}

func gpuWorkloads() []workload {
	array := func(rt *qd.Runtime) any { return numbers(rt, func(i int) int32 { return int32(i) }, 64) }
	on := func(name string, fn any) workload {
		return workload{name, func(rt *qd.Runtime) (func() error, error) { return launch(rt, fn, array(rt)) }}
	}
	anew := func(name string, fn any) workload {
		return workload{name, func(rt *qd.Runtime) (func() error, error) {
			return launchAnew(rt, fn, []any{array(rt)}, []any{array(rt)})
		}}
	}
	return []workload{
		anew("region-2", region2), anew("region-8", region8),
		{"launch", func(rt *qd.Runtime) (func() error, error) { return launchTouch(rt) }},
		on("spin", spin1), on("spin-2", spin2), on("spin-4", spin4),
		on("spin-8", spin8), on("spin-16", spin16), on("spin-32", spin32),
	}
}

func launchTouch(rt *qd.Runtime) (func() error, error) {
	arrays := func() []any {
		return []any{qd.MustNDArray[float32](rt, 16), qd.MustNDArray[float32](rt, 16), qd.MustNDArray[float32](rt, 16)}
	}
	return launchAnew(rt, touch, arrays(), arrays())
}

// launchAnew compiles a kernel and returns what launches it, each time with the other arguments.
func launchAnew(rt *qd.Runtime, fn any, args, other []any) (func() error, error) {
	k, err := qd.NewKernel(rt, fn)
	if err != nil {
		return nil, err
	}
	return func() error {
		args, other = other, args
		return k.Launch(args...)
	}, nil
}

// hostSide prints the host's time to queue a launch.
func hostSide(w io.Writer, rt *qd.Runtime) error {
	run, err := launchTouch(rt)
	if err != nil {
		return err
	}
	const many = 500 // fewer than a stream takes before the host waits
	var times []float64
	for range 41 {
		start := time.Now()
		for range many {
			if err := run(); err != nil {
				return err
			}
		}
		times = append(times, float64(time.Since(start).Nanoseconds())/many)
		if err := rt.Sync(context.Background()); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "launch-host %.1f\n", median(times))
	return nil
}

// A gpuClock measures by two events on the default stream.
type gpuClock struct {
	rt       *qd.Runtime
	from, to *qd.Event
}

func newGPUClock(rt *qd.Runtime) (*gpuClock, error) {
	from, err := rt.NewEvent()
	if err != nil {
		return nil, err
	}
	to, err := rt.NewEvent()
	if err != nil {
		return nil, err
	}
	return &gpuClock{rt, from, to}, nil
}

func (c *gpuClock) close() {
	c.from.Close()
	c.to.Close()
}

// time is the nanoseconds that each of n runs in a row takes.
func (c *gpuClock) time(run func() error, n int) (float64, error) {
	s := c.rt.DefaultStream()
	if err := c.from.Record(s); err != nil {
		return 0, err
	}
	for range n {
		if err := run(); err != nil {
			return 0, err
		}
	}
	if err := c.to.Record(s); err != nil {
		return 0, err
	}
	d, err := c.to.Elapsed(c.from)
	return float64(d.Nanoseconds()) / float64(n), err
}

// report prints the median of some rounds, each of about ten milliseconds or one run.
func (c *gpuClock) report(w io.Writer, work workload) error {
	run, err := work.start(c.rt)
	if err != nil {
		return err
	}
	for range 3 { // the first compiles, the second makes a graph
		if err := run(); err != nil {
			return err
		}
	}
	if err := c.rt.Sync(context.Background()); err != nil {
		return err
	}
	once, err := c.time(run, 5)
	if err != nil {
		return err
	}
	n := min(max(int(10e6/max(once, 1)), 1), 500)
	var times []float64
	for range 15 {
		t, err := c.time(run, n)
		if err != nil {
			return err
		}
		times = append(times, t)
	}
	fmt.Fprintf(w, "%s %.1f\n", work.name, median(times))
	return c.rt.Sync(context.Background())
}
