package cgo

// #include "capi/qd.h"
import "C"

import (
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// Code says what kind of failure an Error is.
type Code int32

// The codes of qd_code.
const (
	CodeOK          = Code(C.QD_OK)
	CodeInvalid     = Code(C.QD_INVALID)
	CodeCompile     = Code(C.QD_COMPILE)
	CodeKernel      = Code(C.QD_KERNEL)
	CodeOutOfMemory = Code(C.QD_OUT_OF_MEMORY)
	CodeNoDevice    = Code(C.QD_NO_DEVICE)
	CodeDeviceLost  = Code(C.QD_DEVICE_LOST)
	CodeClosed      = Code(C.QD_CLOSED)
	CodeUnsupported = Code(C.QD_UNSUPPORTED)
	CodeInternal    = Code(C.QD_INTERNAL)
)

// Check says which check of a running kernel failed, and so what Error.Values holds.
type Check int32

// The checks of qd_check, each with its values.
const (
	CheckNone      = Check(C.QD_CHECK_NONE)
	CheckIndex     = Check(C.QD_CHECK_INDEX)     // index, length
	CheckSlice     = Check(C.QD_CHECK_SLICE)     // low, high, capacity
	CheckNonzero   = Check(C.QD_CHECK_NONZERO)   // divisor
	CheckShift     = Check(C.QD_CHECK_SHIFT)     // count
	CheckLength    = Check(C.QD_CHECK_LENGTH)    // length, wanted length
	CheckAssertion = Check(C.QD_CHECK_ASSERTION) // the assertion's arguments
)

// Position is a place in a source file. Line is 0 where there is none.
type Position struct {
	File         string
	Line, Column int
	Function     string // the function called from the kernel that holds it; "" for the kernel itself
}

// Error is a failed call of the core.
type Error struct {
	Code     Code
	Message  string // one sentence, without position
	Position Position
	Chain    []Position // callers of Position.Function, innermost first
	Check    Check      // with CodeKernel
	Name     string     // with CodeKernel: the array's name, or ""
	Axis     int        // with CheckIndex
	Values   []int64    // integers; floats as their Float64bits
	Kernel   string     // with CodeKernel: the kernel's name
}

// Error gives the message with its position, as file:line:column.
func (e *Error) Error() string {
	if e.Position.Line == 0 {
		return e.Message
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%s:%d:%d: %s", e.Position.File, e.Position.Line, e.Position.Column, e.Message)
	return s.String()
}

// Float reads Values[i] as a float.
func (e *Error) Float(i int) float64 { return math.Float64frombits(uint64(e.Values[i])) }

// failure copies what a failed call filled in.
func failure(c *C.qd_error) *Error {
	e := &Error{
		Code:     Code(c.code),
		Message:  array(c.message[:]),
		Position: position(&c.position),
		Check:    Check(c.check),
		Name:     array(c.name[:]),
		Axis:     int(c.axis),
	}
	if e.Code != CodeKernel {
		e.Check = CheckNone
	} else {
		e.Kernel = array(c.kernel[:])
	}
	for i := range min(max(c.chain_length, 0), C.QD_MAX_CHAIN) {
		e.Chain = append(e.Chain, position(&c.chain[i]))
	}
	for i := range min(max(c.value_count, 0), C.QD_MAX_VALUES) {
		e.Values = append(e.Values, int64(c.values[i]))
	}
	return e
}

func position(c *C.qd_position) Position {
	return Position{
		File:     array(c.file[:]),
		Line:     int(c.line),
		Column:   int(c.column),
		Function: array(c.function[:]),
	}
}

// array reads a NUL-terminated string from a C array.
func array(c []C.char) string {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c))), len(c))
	for i, ch := range b {
		if ch == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// pointer is the address of a slice's first element, nil for an empty one.
func pointer[T any](s []T) unsafe.Pointer {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}
