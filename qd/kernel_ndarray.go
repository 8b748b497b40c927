package qd

import "unsafe"

// NDArray is an array of rank 1 to 3 that lives on a runtime's device, row by row, in Go's memory layout.
//
// T is any sized integer, int, uint, bool, float32, float64, Float16, or arrays and structs of these. As a kernel's argument an
// NDArray of rank 1 fills a parameter []T, rank 2 [][]T, rank 3 [][][]T. A kernel whose receiver or struct holds an
// *NDArray uses it through At, Len and Dim.
type NDArray[T any] struct {
	// The fields are the same for every T, so that a launch can read them without knowing it.
	data   unsafe.Pointer // the first element where the host can reach it; nil on a GPU and after Close
	dims   [3]int
	rank   int
	memory arrayMemory
}

// arrayMemory is what the runtime knows about an array's memory.
type arrayMemory interface {
	// unreachable says why the host cannot reach the elements.
	unreachable() error
}

// Len is the number of elements, the product of all dimensions.
func (a *NDArray[T]) Len() int {
	n := 1
	for _, d := range a.dims[:a.rank] {
		n *= d
	}
	return n
}

// Dim is the length along an axis; axis 0 varies slowest. In a kernel, axis is constant.
func (a *NDArray[T]) Dim(axis int) int { return a.dims[:a.rank][axis] }

// At points to an element, one index an axis. On the host it works where host memory is the device's (the CPU and Go arches),
// while no kernel writes the array; the pointer must not be used after Close. An index out of range panics, as does an
// array that the host cannot reach.
func (a *NDArray[T]) At(index ...int) *T {
	if len(index) != a.rank {
		panic(&rankError{given: len(index), rank: a.rank})
	}
	at := 0
	for axis, i := range index {
		if uint(i) >= uint(a.dims[axis]) {
			panic(&indexError{index: i, length: a.dims[axis], axis: axis})
		}
		at = at*a.dims[axis] + i
	}
	if a.data == nil {
		panic(a.memory.unreachable())
	}
	var element T
	return (*T)(unsafe.Add(a.data, uintptr(at)*unsafe.Sizeof(element)))
}
