package qd

import (
	"reflect"
	"unsafe"
)

// detached is a copy of a value in the heap that points to nothing but the heap: NDArrays are kept, slices are copied with
// their elements, and pointers of any other kind, which kernels do not use, are nil.
func detached(t reflect.Type, from unsafe.Pointer) reflect.Value {
	v := reflect.New(t)
	detach(t, v.UnsafePointer(), from)
	return v.Elem()
}

func detach(t reflect.Type, to, from unsafe.Pointer) {
	if checkPlain(t, t) == nil {
		copyValue(to, from, t.Size())
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		if _, ok := ndarrayElement(t); ok {
			*(**untyped)(to) = *(**untyped)(from)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			detach(f.Type, unsafe.Add(to, f.Offset), unsafe.Add(from, f.Offset))
		}
	case reflect.Array:
		for i := range t.Len() {
			at := uintptr(i) * t.Elem().Size()
			detach(t.Elem(), unsafe.Add(to, at), unsafe.Add(from, at))
		}
	case reflect.Slice:
		s := (*sliceHeader)(from)
		if s.data == nil {
			return
		}
		clone := reflect.MakeSlice(t, s.len, s.len)
		*(*sliceHeader)(to) = sliceHeader{clone.UnsafePointer(), s.len, s.len}
		detachElements(t.Elem(), clone.UnsafePointer(), s)
	}
}

func detachElements(element reflect.Type, to unsafe.Pointer, s *sliceHeader) {
	if checkPlain(element, element) == nil {
		copyValue(to, s.data, uintptr(s.len)*element.Size())
		return
	}
	for i := range s.len {
		at := uintptr(i) * element.Size()
		detach(element, unsafe.Add(to, at), unsafe.Add(s.data, at))
	}
}

// reattach copies the elements of slices in a detached value back to where they came from.
func reattach(t reflect.Type, to, from unsafe.Pointer) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			reattach(f.Type, unsafe.Add(to, f.Offset), unsafe.Add(from, f.Offset))
		}
	case reflect.Array:
		for i := range t.Len() {
			at := uintptr(i) * t.Elem().Size()
			reattach(t.Elem(), unsafe.Add(to, at), unsafe.Add(from, at))
		}
	case reflect.Slice:
		s, element := (*sliceHeader)(to), t.Elem()
		clone := (*sliceHeader)(from)
		if checkPlain(element, element) == nil {
			copyValue(s.data, clone.data, uintptr(min(s.len, clone.len))*element.Size())
			return
		}
		for i := range min(s.len, clone.len) {
			at := uintptr(i) * element.Size()
			reattach(element, unsafe.Add(s.data, at), unsafe.Add(clone.data, at))
		}
	}
}
