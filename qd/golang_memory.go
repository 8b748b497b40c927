package qd

import (
	"reflect"
	"sync"
	"unsafe"
)

// goMemory makes the elements of an array on the Go arch.
func goMemory[T any](size int64) ([]T, error) {
	// Go ends the process when it cannot have memory, so large arrays ask first.
	const large = 16 << 20
	if size >= large {
		if err := probeMemory(size); err != nil {
			return nil, err
		}
	}
	var element T
	return make([]T, max(size/int64(unsafe.Sizeof(element)), 1)), nil // one more than none, so that it has an address
}

// rowCache keeps the slices of slices through which a kernel on the Go arch sees an array.
type rowCache struct {
	once sync.Once
	view reflect.Value
}

// slices is the array as a []T, [][]T or [][][]T, whichever its rank makes it.
func (m *memory) slices() reflect.Value {
	m.rows.once.Do(func() {
		a := m.view
		m.rows.view = nest(reflect.SliceOf(m.element), a.data, a.dims[:a.rank], m.element.Size())
	})
	return m.rows.view
}

// nest builds slices of the given lengths over consecutive elements.
func nest(row reflect.Type, data unsafe.Pointer, dims []int, elementSize uintptr) reflect.Value {
	if len(dims) == 1 {
		s := reflect.New(row)
		*(*sliceHeader)(s.UnsafePointer()) = sliceHeader{data, dims[0], dims[0]}
		return s.Elem()
	}
	step := elementSize
	for _, d := range dims[1:] {
		step *= uintptr(d)
	}
	outer := row
	for range dims[1:] {
		outer = reflect.SliceOf(outer)
	}
	rows := reflect.MakeSlice(outer, dims[0], dims[0])
	for i := range dims[0] {
		rows.Index(i).Set(nest(row, unsafe.Add(data, uintptr(i)*step), dims[1:], elementSize))
	}
	return rows
}
