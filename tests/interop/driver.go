// Package interop is other CUDA code in a process that uses qd: it calls the driver by itself, as a library written by somebody else
// would. Its tests run where there is an NVIDIA GPU.
package interop

/*
#cgo LDFLAGS: -ldl
#include "driver.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// ErrNoDriver says that the machine has no driver for NVIDIA GPUs.
var ErrNoDriver = errors.New("no NVIDIA driver")

var start = sync.OnceValue(func() C.int { return C.interop_start() })

// Open starts using the first GPU's primary context, which qd uses too.
func Open() error {
	if code := start(); code == C.INTEROP_NO_DRIVER {
		return ErrNoDriver
	} else if code != 0 {
		return failed("opening the GPU", code)
	}
	return nil
}

// A Stream is a CUstream.
type Stream struct{ handle C.uintptr_t }

// NewStream makes a stream that waits for no other.
func NewStream() (Stream, error) {
	var s Stream
	return s, failed("making a stream", C.interop_new_stream(&s.handle))
}

// Handle is the stream's CUstream.
func (s Stream) Handle() uintptr { return uintptr(s.handle) }

// SlowStore lets the GPU wait for some of its cycles, and then store.
func (s Stream) SlowStore(address uintptr, cycles uint64, value int32) error {
	return failed("launching", C.interop_slow_store(s.handle, C.uint64_t(address), C.uint64_t(cycles), C.int32_t(value)))
}

// Load waits for the stream and gives what lies at the address then.
func (s Stream) Load(address uintptr) (int32, error) {
	var value int32
	err := failed("copying", C.interop_load(s.handle, C.uint64_t(address), (*C.int32_t)(unsafe.Pointer(&value))))
	return value, err
}

// Crash lets the GPU run into an error that it does not come back from, and waits for that.
func (s Stream) Crash() error { return failed("crashing", C.interop_crash(s.handle)) }

// Destroy waits for the stream and gives it back.
func (s Stream) Destroy() error { return failed("destroying a stream", C.interop_destroy(s.handle)) }

func failed(doing string, code C.int) error {
	if code == 0 {
		return nil
	}
	return fmt.Errorf("%s: CUDA error %d", doing, int(code))
}
