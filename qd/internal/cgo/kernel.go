package cgo

// #include <stdint.h>
// #include "capi/qd.h"
//
// // The kernel crosses as an integer and the arguments as plain bytes, so that cgo has no pointers to check.
// static qd_code launch_kernel(uintptr_t kernel, const uint8_t *args, int64_t args_size, qd_launch_result *result,
//                              qd_error *error) {
//   return qd_kernel_launch((qd_kernel *)kernel, args, args_size, result, error);
// }
//
// // The same with host memory among the arguments. Its addresses cross as pointers of their own, because the memory may
// // lie on a Go stack, which can move until the call is made but not during it.
// static qd_code launch_kernel_on_host(uintptr_t kernel, uint8_t *args, int64_t args_size, qd_launch_result *result,
//                                      qd_error *error, int32_t count, const int64_t *at, const uint8_t *h0,
//                                      const uint8_t *h1, const uint8_t *h2, const uint8_t *h3, const uint8_t *h4,
//                                      const uint8_t *h5, const uint8_t *h6, const uint8_t *h7) {
//   const uint8_t *hosts[] = {h0, h1, h2, h3, h4, h5, h6, h7};
//   for (int32_t i = 0; i < count; i++) {
//     *(uint64_t *)(args + at[i]) = (uint64_t)(uintptr_t)hosts[i];
//   }
//   return qd_kernel_launch_on_host((qd_kernel *)kernel, NULL, args, args_size, count, at, result, error);
// }
//
// #cgo noescape launch_kernel
// #cgo nocallback launch_kernel
// #cgo noescape launch_kernel_on_host
// #cgo nocallback launch_kernel_on_host
import "C"

import (
	"sync"
	"unsafe"
)

// Kernel is a lowered kernel. Its methods may be called from any goroutine; Destroy only when no other call runs.
type Kernel struct{ c *C.qd_kernel }

// Destroy frees the kernel.
func (k *Kernel) Destroy() {
	C.qd_kernel_destroy(k.c)
	k.c = nil
}

// Compile generates machine code.
func (k *Kernel) Compile() error {
	var e C.qd_error
	if C.qd_kernel_compile(k.c, &e) != C.QD_OK {
		return failure(&e)
	}
	return nil
}

// Diagnostic is something said about a kernel's source. With one that is no warning, the kernel neither compiles nor launches.
type Diagnostic struct {
	Warning  bool
	Message  string // one sentence, without position
	Hint     string // how to fix it; may be empty
	Position Position
	Chain    []Position // callers of Position.Function, innermost first
}

// Diagnostics are what the core says about the kernel's source, in the order of the source's scopes.
func (k *Kernel) Diagnostics() []Diagnostic {
	var said []Diagnostic
	for i := range C.qd_kernel_diagnostic_count(k.c) {
		var warning C.int32_t
		var e C.qd_error
		if C.qd_kernel_diagnostic(k.c, i, &warning, &e) != C.QD_OK {
			break
		}
		f := failure(&e)
		said = append(said, Diagnostic{
			Warning: warning != 0, Message: f.Message, Hint: C.GoString(C.qd_kernel_diagnostic_hint(k.c, i)),
			Position: f.Position, Chain: f.Chain,
		})
	}
	return said
}

// Apart is what a launch says where two array parameters share memory but must not; "" if they may.
func (k *Kernel) Apart(a, b Param) string {
	n := C.qd_kernel_apart(k.c, C.qd_param(a), C.qd_param(b), nil, 0)
	if n <= 0 {
		return ""
	}
	buffer := make([]byte, n+1)
	C.qd_kernel_apart(k.c, C.qd_param(a), C.qd_param(b), (*C.char)(pointer(buffer)), C.int64_t(len(buffer)))
	return string(buffer[:n])
}

// ArgsSize is the size of the packed arguments in bytes.
func (k *Kernel) ArgsSize() int64 { return int64(C.qd_kernel_args_size(k.c)) }

// ArgOffset says where a parameter lies in the packed arguments. An array is {uint64 data; int64 dims[rank]}; anything
// else lies there in its own layout.
func (k *Kernel) ArgOffset(p Param) int64 { return int64(C.qd_kernel_arg_offset(k.c, C.qd_param(p))) }

// Writes reports whether the kernel may write an array parameter.
func (k *Kernel) Writes(p Param) bool { return C.qd_kernel_writes(k.c, C.qd_param(p)) != 0 }

// Call holds what a call lends to C. C writes the error only on failure, so reusing it costs nothing.
type Call struct {
	result C.qd_launch_result
	err    C.qd_error
}

var calls = sync.Pool{New: func() any { return new(Call) }}

// Hosts is the host memory that a launch uses in place, at most eight pieces. It must stay a local variable of the caller:
// what it points to may lie on the caller's stack.
type Hosts struct {
	count    int
	at       [8]int64
	pointers [8]unsafe.Pointer
}

// Add notes that the address p belongs at an offset of the packed arguments; false where there is no room left.
func (h *Hosts) Add(p unsafe.Pointer, offset int64) bool {
	if h.count == len(h.at) {
		return false
	}
	h.at[h.count], h.pointers[h.count] = offset, p
	h.count++
	return true
}

// Empty tells whether a launch uses no host memory.
func (h *Hosts) Empty() bool { return h.count == 0 }

// Launch runs the kernel with size bytes of packed arguments and reports whether it printed.
func (k *Kernel) Launch(args unsafe.Pointer, size int64, c *Call) (printed bool, err error) {
	kernel := C.uintptr_t(uintptr(unsafe.Pointer(k.c)))
	if C.launch_kernel(kernel, (*C.uint8_t)(args), C.int64_t(size), &c.result, &c.err) != C.QD_OK {
		err = failure(&c.err)
	}
	return c.result.has_output != 0, err
}

// LaunchOnHost is Launch with host memory among the arguments, if there is any.
func (k *Kernel) LaunchOnHost(args unsafe.Pointer, size int64, hosts *Hosts, c *Call) (printed bool, err error) {
	if hosts.count == 0 {
		return k.Launch(args, size, c)
	}
	p := &hosts.pointers
	code := C.launch_kernel_on_host(C.uintptr_t(uintptr(unsafe.Pointer(k.c))), (*C.uint8_t)(args), C.int64_t(size), &c.result, &c.err,
		C.int32_t(hosts.count), (*C.int64_t)(&hosts.at[0]), (*C.uint8_t)(p[0]), (*C.uint8_t)(p[1]), (*C.uint8_t)(p[2]),
		(*C.uint8_t)(p[3]), (*C.uint8_t)(p[4]), (*C.uint8_t)(p[5]), (*C.uint8_t)(p[6]), (*C.uint8_t)(p[7]))
	if code != C.QD_OK {
		err = failure(&c.err)
	}
	return c.result.has_output != 0, err
}

// Plan is the text of the launch plan.
func (k *Kernel) Plan() string {
	return filled(func(buffer []byte) int {
		return int(C.qd_kernel_plan(k.c, (*C.char)(pointer(buffer)), C.int64_t(len(buffer))))
	})
}

// PlanGraphviz is the launch plan for Graphviz's dot.
func (k *Kernel) PlanGraphviz() string {
	return filled(func(buffer []byte) int {
		return int(C.qd_kernel_plan_graphviz(k.c, (*C.char)(pointer(buffer)), C.int64_t(len(buffer))))
	})
}

// filled calls what fills a buffer and returns the length it needs, until the buffer is large enough.
func filled(fill func(buffer []byte) int) string {
	buffer := make([]byte, 1024)
	for {
		n := fill(buffer)
		if n < len(buffer) {
			return string(buffer[:max(n, 0)])
		}
		buffer = make([]byte, n+1)
	}
}

// PlanWidth is the largest number of groups that may overlap.
func (k *Kernel) PlanWidth() int { return int(C.qd_kernel_plan_width(k.c)) }

// Dump is the text of a stage of compilation, made on demand.
func (k *Kernel) Dump(stage string) (string, error) {
	name, err := text(stage)
	if err != nil {
		return "", err
	}
	buffer := make([]byte, 16<<10)
	for {
		var e C.qd_error
		n := int(C.qd_kernel_dump(k.c, characters(name), (*C.char)(pointer(buffer)), C.int64_t(len(buffer)), &e))
		switch {
		case n < 0:
			return "", failure(&e)
		case n < len(buffer):
			return string(buffer[:n]), nil
		}
		buffer = make([]byte, n+1)
	}
}
