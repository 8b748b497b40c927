package qd

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// KernelError is a failure inside a running kernel: an index out of range, a division by zero, a failed assertion. The kernel
// stopped; what it had written before is in the arrays. The runtime goes on.
type KernelError struct {
	Pos    token.Position
	Msg    string // as Go's run-time errors say it
	Kernel string
	Chain  []Call // the calls that lead from the kernel to Pos, innermost first; empty inside the kernel itself

	// Of an index out of range; Array is "" for an array that has no name, Length 0 for any other failure.
	Array         string
	Index, Length int
	Axis          int
}

// Error is like "main.go:16:16: index out of range [1000] with length 1000 (array src, kernel shift)", then a line for each
// call of the chain.
func (e *KernelError) Error() string {
	var s strings.Builder
	if e.Pos.IsValid() {
		fmt.Fprintf(&s, "%s: ", shortPosition(e.Pos))
	}
	s.WriteString(e.Msg)
	s.WriteString(" (")
	if e.Array != "" {
		fmt.Fprintf(&s, "array %s, ", e.Array)
	}
	if e.Axis > 0 {
		fmt.Fprintf(&s, "axis %d, ", e.Axis)
	}
	fmt.Fprintf(&s, "kernel %s)", e.Kernel)
	writeChain(&s, e.Chain)
	return s.String()
}

// faultFromCore is the failure of a kernel that the core ran.
func faultFromCore(kernel string, e *cgo.Error) *KernelError {
	fault := &KernelError{Pos: position(e.Position), Msg: e.Message, Kernel: kernel, Array: e.Name, Chain: chain(e)}
	if e.Check == cgo.CheckIndex && len(e.Values) >= 2 {
		fault.Index, fault.Length, fault.Axis = int(e.Values[0]), int(e.Values[1]), e.Axis
	}
	return fault
}

// assertionError is what a failed Assert panics with in plain Go.
type assertionError struct{ message string }

func (e *assertionError) Error() string { return e.message }

// indexError is what NDArray.At panics with.
type indexError struct{ index, length, axis int }

func (e *indexError) Error() string {
	if e.index < 0 {
		return fmt.Sprintf("index out of range [%d]", e.index)
	}
	return fmt.Sprintf("index out of range [%d] with length %d", e.index, e.length)
}

// RuntimeError makes it a runtime.Error, as a slice's index out of range is.
func (e *indexError) RuntimeError() {}

// rankError is what NDArray.At panics with when the number of indices is wrong.
type rankError struct{ given, rank int }

func (e *rankError) Error() string {
	return fmt.Sprintf("%d indices for an NDArray of rank %d", e.given, e.rank)
}
