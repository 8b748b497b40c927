package cgo

// #include "capi/qd.h"
//
// #cgo noescape qd_memory_write
// #cgo nocallback qd_memory_write
// #cgo noescape qd_memory_read
// #cgo nocallback qd_memory_read
// #cgo noescape qd_memory_fill
// #cgo nocallback qd_memory_fill
// #cgo noescape qd_program_take_output
// #cgo nocallback qd_program_take_output
import "C"

import "unsafe"

// Arch is a kind of device.
type Arch int32

// The kinds of device.
const (
	CPU    = Arch(C.QD_ARCH_CPU)
	Sim    = Arch(C.QD_ARCH_SIM)
	CUDA   = Arch(C.QD_ARCH_CUDA)
	AMDGPU = Arch(C.QD_ARCH_AMDGPU)
)

// The streams of a kernel's output.
const (
	Stdout = 1
	Stderr = 2
)

// Config says how to open a Program.
type Config struct {
	Arch      Arch
	Threads   int // CPU threads, the launching one included; 0: one a core
	Unchecked bool
	FastMath  bool
	Seed      uint64
}

// Info describes a program's device.
type Info struct {
	Device      string
	Workers     int
	MemoryBytes int64 // 0: unknown
	LLVM, CPU   string
	Math        string // what computes sin, pow, …; "" where there is no choice, or none was made yet
}

// Leaks counts what was not given back.
type Leaks struct {
	Allocations, Bytes, Streams, Events, Kernels, Builders int64
}

// Program is one device and everything that lives on it. Its methods may be called from any goroutine.
type Program struct{ c *C.qd_program }

// NewProgram opens a device.
func NewProgram(config Config) (*Program, error) {
	cc := C.qd_program_config{
		arch:      C.qd_arch(config.Arch),
		threads:   C.int32_t(config.Threads),
		unchecked: flag(config.Unchecked),
		fast_math: flag(config.FastMath),
		seed:      C.uint64_t(config.Seed),
	}
	var e C.qd_error
	c := C.qd_program_create(&cc, &e)
	if c == nil {
		return nil, failure(&e)
	}
	return &Program{c}, nil
}

// Destroy waits for all work and frees the program.
func (p *Program) Destroy() {
	C.qd_program_destroy(p.c)
	p.c = nil
}

// Info describes the device.
func (p *Program) Info() (Info, error) {
	var i C.qd_info
	var e C.qd_error
	if C.qd_program_info(p.c, &i, &e) != C.QD_OK {
		return Info{}, failure(&e)
	}
	return Info{
		Device:      array(i.device[:]),
		Workers:     int(i.workers),
		MemoryBytes: int64(i.memory_bytes),
		LLVM:        array(i.llvm[:]),
		CPU:         array(i.cpu[:]),
		Math:        array(i.math[:]),
	}, nil
}

// Leaks counts what of this program is alive.
func (p *Program) Leaks() (Leaks, error) {
	var l C.qd_leaks
	var e C.qd_error
	if C.qd_program_leaks(p.c, &l, &e) != C.QD_OK {
		return Leaks{}, failure(&e)
	}
	return leaks(&l), nil
}

// ProcessLeaks counts what of all programs is alive.
func ProcessLeaks() Leaks {
	var l C.qd_leaks
	C.qd_process_leaks(&l)
	return leaks(&l)
}

func leaks(l *C.qd_leaks) Leaks {
	return Leaks{
		Allocations: int64(l.allocations),
		Bytes:       int64(l.bytes),
		Streams:     int64(l.streams),
		Events:      int64(l.events),
		Kernels:     int64(l.kernels),
		Builders:    int64(l.builders),
	}
}

// TakeOutput moves what kernels printed to a stream (Stdout, Stderr) into buffer and returns the number of bytes.
func (p *Program) TakeOutput(stream int, buffer []byte) int {
	return int(C.qd_program_take_output(p.c, C.int32_t(stream), (*C.char)(pointer(buffer)), C.int64_t(len(buffer))))
}

// Allocate gives zeroed memory, 64-byte aligned; on the CPU its address is a host address.
func (p *Program) Allocate(size int64) (uint64, error) {
	var e C.qd_error
	memory := C.qd_memory_allocate(p.c, C.int64_t(size), &e)
	if memory == 0 {
		return 0, failure(&e)
	}
	return uint64(memory), nil
}

// Free gives memory of the given size back.
func (p *Program) Free(memory uint64, size int64) {
	C.qd_memory_free(p.c, C.uint64_t(memory), C.int64_t(size))
}

// Write copies size bytes from the host, in order with launches, and returns when done.
func (p *Program) Write(memory uint64, host unsafe.Pointer, size int64) error {
	var e C.qd_error
	if C.qd_memory_write(p.c, C.uint64_t(memory), host, C.int64_t(size), &e) != C.QD_OK {
		return failure(&e)
	}
	return nil
}

// Read copies size bytes to the host, in order with launches, and returns when done.
func (p *Program) Read(host unsafe.Pointer, memory uint64, size int64) error {
	var e C.qd_error
	if C.qd_memory_read(p.c, host, C.uint64_t(memory), C.int64_t(size), &e) != C.QD_OK {
		return failure(&e)
	}
	return nil
}

// Fill repeats a pattern of 1 to 4096 bytes over size bytes.
func (p *Program) Fill(memory uint64, size int64, pattern unsafe.Pointer, patternSize int64) error {
	var e C.qd_error
	if C.qd_memory_fill(p.c, C.uint64_t(memory), C.int64_t(size), pattern, C.int64_t(patternSize), &e) != C.QD_OK {
		return failure(&e)
	}
	return nil
}
