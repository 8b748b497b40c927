package qd

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// NewNDArray makes an array of one to three dimensions, all zero. T and the shape are checked; a dimension may be 0.
func NewNDArray[T any](rt *Runtime, shape ...int) (*NDArray[T], error) {
	a := &NDArray[T]{rank: len(shape)}
	copy(a.dims[:], shape)
	if err := a.allocate(rt, shape); err != nil {
		return nil, fmt.Errorf("qd: new array of %s: %w", reflect.TypeFor[T](), err)
	}
	return a, nil
}

// MustNDArray is NewNDArray, but panics on an error.
func MustNDArray[T any](rt *Runtime, shape ...int) *NDArray[T] {
	return must(NewNDArray[T](rt, shape...))
}

func (a *NDArray[T]) allocate(rt *Runtime, shape []int) error {
	element := reflect.TypeFor[T]()
	if err := checkElement(element); err != nil {
		return err
	}
	size, err := checkShape(shape, element.Size())
	if err != nil {
		return err
	}
	if rt == nil {
		return errors.New("the runtime is nil")
	}
	if err := rt.begin(); err != nil {
		return err
	}
	m := &memory{rt: rt, element: element, size: size, view: (*untyped)(unsafe.Pointer(a))}
	m.lease.open()
	if rt.arch == Go {
		elements, err := goMemory[T](size)
		if err != nil {
			rt.end()
			return err
		}
		a.data = unsafe.Pointer(unsafe.SliceData(elements))
	} else {
		if m.address, err = rt.program.Allocate(size); err != nil {
			rt.end()
			return coreError(err)
		}
		if !rt.arch.queues() {
			a.data = hostAddress(m.address)
		}
	}
	a.memory = m
	rt.mu.Lock()
	rt.arrays[m] = struct{}{}
	rt.mu.Unlock()
	if rt.lease.closed.Load() { // Close may have taken the set before this array was in it
		m.close()
		return fmt.Errorf("the runtime is %w", ErrClosed)
	}
	return nil
}

// Shape is the length along each axis.
func (a *NDArray[T]) Shape() []int { return slices.Clone(a.dims[:a.rank]) }

// String says what the array is, without its elements.
func (a *NDArray[T]) String() string {
	if a == nil {
		return "NDArray(nil)"
	}
	return fmt.Sprintf("NDArray[%s]%v", reflect.TypeFor[T](), a.dims[:a.rank])
}

// elementType is how a launch recognises an NDArray; it does not use the receiver.
func (a *NDArray[T]) elementType() reflect.Type { return reflect.TypeFor[T]() }

// CopyFrom copies all elements from host memory, row by row, after what was launched before on the
// default stream; other streams are to be waited for. The lengths must be equal.
func (a *NDArray[T]) CopyFrom(src []T) error {
	return a.use("copy to", func(m *memory) error {
		if len(src) != a.Len() {
			return fmt.Errorf("the slice has %d elements, the array %d", len(src), a.Len())
		}
		return m.write(a.data, unsafe.Pointer(unsafe.SliceData(src)))
	})
}

// CopyTo copies all elements to host memory, row by row, after what was launched before on the
// default stream; other streams are to be waited for. The lengths must be equal.
func (a *NDArray[T]) CopyTo(dst []T) error {
	return a.use("copy from", func(m *memory) error {
		if len(dst) != a.Len() {
			return fmt.Errorf("the slice has %d elements, the array %d", len(dst), a.Len())
		}
		return m.read(unsafe.Pointer(unsafe.SliceData(dst)), a.data)
	})
}

// Slice returns a copy of all elements, row by row, after what was launched before on the default stream; other streams are to be
// waited for.
func (a *NDArray[T]) Slice() ([]T, error) {
	var s []T
	err := a.use("copy from", func(m *memory) error {
		s = make([]T, a.Len())
		return m.read(unsafe.Pointer(unsafe.SliceData(s)), a.data)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// MustSlice is Slice, but panics on an error.
func (a *NDArray[T]) MustSlice() []T { return must(a.Slice()) }

// Fill sets every element, after what was launched before on the default stream; other streams are to be waited for.
func (a *NDArray[T]) Fill(v T) error {
	return a.use("fill", func(m *memory) error { return m.fill(a.data, unsafe.Pointer(&v)) })
}

// DeviceAddress is where the first element lies in the device's memory, for other code of the process: CUDA code on a stream that
// WrapStream takes, whose work is in order with launches on that stream. Rows follow each other without gaps. The address is good
// until Close, which knows of launches but not of what other code does. The Go arch has no such address.
func (a *NDArray[T]) DeviceAddress() (uintptr, error) {
	var address uintptr
	err := a.use("give the address of", func(m *memory) error {
		if m.address == 0 {
			return errors.New("the go arch has no device memory")
		}
		address = uintptr(m.address)
		return nil
	})
	return address, err
}

// Close gives the memory back, once no launch uses it any more: one that is queued on a stream still finds it. A second call returns ErrClosed.
func (a *NDArray[T]) Close() error {
	m, err := (*untyped)(unsafe.Pointer(a)).owner()
	if err == nil && !m.close() {
		err = ErrClosed
	}
	if err != nil {
		return fmt.Errorf("qd: close %v: %w", a, err)
	}
	return nil
}

// use calls f while the memory is safe from being freed.
func (a *NDArray[T]) use(what string, f func(*memory) error) error {
	m, err := (*untyped)(unsafe.Pointer(a)).owner()
	if err == nil {
		if !m.lease.begin() {
			err = fmt.Errorf("the array is %w", ErrClosed)
		} else {
			err = f(m)
			m.end()
		}
	}
	if err != nil {
		return fmt.Errorf("qd: %s %v: %w", what, a, err)
	}
	return nil
}
