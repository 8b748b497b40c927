package qd

import (
	"fmt"
	"go/token"
	"reflect"
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
	if e.Check == cgo.CheckAssertion {
		fault.Msg, fault.Array = assertionMessage(e), ""
	}
	return fault
}

// assertionMessage is what a failed assertion says. Where the core did not format it, Name holds the types of its values.
func assertionMessage(e *cgo.Error) string {
	names := strings.Fields(e.Name)
	if len(names) > len(e.Values) || len(names) == 0 {
		return e.Message
	}
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = scalarOf(name, e.Values[i], e.Float(i))
	}
	return fmt.Sprintf(e.Message, values...)
}

// scalarOf is a value of the named type, given as an integer and as a float.
func scalarOf(name string, n int64, f float64) any {
	switch name {
	case "bool":
		return n != 0
	case "float32":
		return float32(f)
	case "float64":
		return f
	case "Float16":
		return F16(float32(f))
	}
	v := reflect.New(integerTypes[name]).Elem()
	if v.CanInt() {
		v.SetInt(n)
	} else {
		v.SetUint(uint64(n))
	}
	return v.Interface()
}

var integerTypes = map[string]reflect.Type{
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](), "rune": reflect.TypeFor[rune](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](),
	"uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](), "byte": reflect.TypeFor[byte](),
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
