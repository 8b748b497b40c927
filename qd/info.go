package qd

import (
	"fmt"
	"runtime"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Info describes a runtime's device.
type Info struct {
	Arch        Arch
	Device      string
	Workers     int    // threads that run a kernel, the launching one included
	MemoryBytes int64  // 0 where unknown
	LLVM        string // version of the compiler
	Processor   string // that is compiled for
	// What computes sin, pow and their kin on a GPU: NVIDIA's libdevice or libclc, and where it was found. "" before the first
	// kernel is compiled, and where there is no choice.
	Math string
}

// Info describes the device.
func (rt *Runtime) Info() (Info, error) {
	if err := rt.begin(); err != nil {
		return Info{}, fmt.Errorf("qd: info: %w", err)
	}
	defer rt.end()
	i, err := rt.program.Info()
	if err != nil {
		return Info{}, fmt.Errorf("qd: info: %w", coreError(err))
	}
	info := Info{
		Arch: rt.arch, Device: i.Device, Workers: i.Workers, MemoryBytes: i.MemoryBytes, LLVM: i.LLVM, Processor: i.CPU,
		Math: i.Math,
	}
	if rt.arch == Go {
		info.Device, info.Workers = "plain Go ("+runtime.Version()+")", 1
	}
	return info, nil
}

// Leaks counts what is alive on a device.
type Leaks struct {
	Allocations, Bytes, Streams, Events, Kernels, Builders int64
}

// Leaks counts what of this runtime was not given back. On the Go arch arrays, streams and events are Go's own and do not
// count.
func (rt *Runtime) Leaks() (Leaks, error) {
	if err := rt.begin(); err != nil {
		return Leaks{}, fmt.Errorf("qd: leaks: %w", err)
	}
	defer rt.end()
	l, err := rt.program.Leaks()
	if err != nil {
		return Leaks{}, fmt.Errorf("qd: leaks: %w", coreError(err))
	}
	return Leaks(l), nil
}

// ProcessLeaks counts what of all runtimes was not given back: all zero once they are closed.
func ProcessLeaks() Leaks { return Leaks(cgo.ProcessLeaks()) }
