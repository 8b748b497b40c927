// Package cgo is the one Go package that speaks C: the core's ABI (capi/qd.h) in Go types. No C type leaves it.
//
// # Lifetimes
//
// The core knows nothing of Go's garbage collector, so every object of it is freed by an explicit call and by nothing
// else: there are no finalizers here. A finalizer would run on a thread and at a time of its own choosing, in the middle
// of a launch that still uses the object, and a forgotten Destroy would show only as memory that sometimes comes back.
// Instead the core counts what is alive (Program.Leaks, ProcessLeaks), tests read the counts, and package qd, which
// knows which kernels and arrays belong to a runtime, destroys what the user forgot when the runtime is closed.
//
// The owners are these. A Program is the root: destroying it waits for its work. Kernels and memory may outlive it; the
// core keeps alive what they need, and after the program's end they may only be destroyed and freed. A Builder belongs to
// one goroutine from NewBuilder to Destroy; Finish makes it useless but does not free it, so `defer b.Destroy()` right
// after NewBuilder is always right. A Kernel is independent of the builder it came from. None of these types guards
// against use after Destroy; package qd does, with its own locks, and turns such use into qd.ErrClosed.
//
// Memory of the core crosses as an address in a uint64, never as a Go pointer, so that neither the garbage collector nor
// the pointer checks of cgo look at it. In the other direction, Go memory is lent to C only for the duration of a call:
// the strings and slices passed to a Builder are read before the call returns. A Go slice that is a kernel's argument is
// lent to a launch the same way. Its address belongs inside the packed arguments, where cgo could not see it, and the
// slice may even lie on the caller's stack, which moves when it grows. So the address crosses as a pointer argument of the
// call, and C puts it into the packed arguments (Hosts); during a call no stack moves.
//
// Strings go to C as NUL-terminated copies in Go memory, which costs no malloc; a string that itself holds a NUL is an
// error, since C would silently use half of it.
//
// # Errors
//
// A failing C call fills a qd_error that the caller owns; nothing is kept in thread-local state, so a goroutine may
// move to another thread between two calls. That struct is large (positions and call chains are inline arrays), therefore
// it is kept with the object that makes many calls (Builder) or pooled (launches), and read only after a failure.
package cgo

// #cgo CFLAGS: -I${SRCDIR}/../../..
// #include "capi/qd.h"
import "C"

import (
	"fmt"
	"strings"

	_ "github.com/quadrants-go/quadrants/capi" // links the core
)

// ABIVersion is the version of the ABI that the core was compiled with.
func ABIVersion() int { return int(C.qd_abi_version()) }

// WantABIVersion is the version of the ABI that this package was compiled against.
const WantABIVersion = int(C.QD_ABI_VERSION)

// text returns s as a NUL-terminated string in Go memory.
func text(s string) ([]byte, *Error) {
	if strings.IndexByte(s, 0) >= 0 {
		return nil, &Error{Code: CodeInvalid, Message: fmt.Sprintf("the string %q contains a NUL byte", s)}
	}
	buffer := make([]byte, len(s)+1)
	copy(buffer, s)
	return buffer, nil
}

// characters is the C pointer to a string made by text.
func characters(buffer []byte) *C.char { return (*C.char)(pointer(buffer)) }

func flag(b bool) C.int32_t {
	if b {
		return 1
	}
	return 0
}
