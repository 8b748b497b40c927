package qd

import (
	"reflect"
	"unsafe"
)

// Launch must not make its arguments escape: `k.Launch(x, y, float32(2))` boxes its scalars on the caller's stack only if the
// compiler sees that nothing keeps them. So Launch looks at the two words of each interface through a pointer that the
// compiler cannot follow. The price is a rule: what an argument points to may lie on a stack, which moves when it grows. A
// pointer to it may be kept in local variables, which the runtime adjusts, but never in the heap, in an integer, or in a
// reflect.Value that goes to other code. What has to be kept is copied first.

// word is an interface value.
type word struct {
	typ  unsafe.Pointer
	data unsafe.Pointer // the value itself where it is of pointer shape, else its address
}

// wordsOf gives the words of the arguments without making them escape.
func wordsOf(args []any) []word {
	return unsafe.Slice((*word)(hide(unsafe.Pointer(unsafe.SliceData(args)))), len(args))
}

// hide gives back p; the compiler does not know that it does.
//
//go:nosplit
func hide(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}

// typeWord is the first word of an interface that holds a t.
func typeWord(t reflect.Type) unsafe.Pointer {
	v := reflect.Zero(t).Interface()
	return (*word)(unsafe.Pointer(&v)).typ
}

// typeOf is the type of the argument; nil for a nil interface.
func (w *word) typeOf() reflect.Type {
	var v any
	if w.typ != nil {
		*(*word)(unsafe.Pointer(&v)) = word{w.typ, unsafe.Pointer(&zero)} // the value is not looked at
	}
	return reflect.TypeOf(v)
}

var zero uint64

// sliceHeader is a slice of any type.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}
