package qd

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// untyped is an NDArray of any element type: the layout does not depend on it.
type untyped struct{ NDArray[byte] }

// memory is what a runtime keeps of an array.
type memory struct {
	rt      *Runtime
	lease   lease
	element reflect.Type
	address uint64 // of device memory; 0 on the Go arch, where the NDArray's data is the only reference
	size    int64  // bytes
	view    *untyped
	rows    rowCache
}

// owner gives the memory of an array that NewNDArray made.
func (a *untyped) owner() (*memory, error) {
	if a == nil {
		return nil, errors.New("the array is nil")
	}
	m, ok := a.memory.(*memory)
	if !ok {
		return nil, errors.New("the array was not made by NewNDArray")
	}
	return m, nil
}

// extent is where the elements are and how many bytes they take, where the host can reach them.
func (a *untyped) extent() (unsafe.Pointer, uintptr) {
	m, err := a.owner()
	if err != nil || a.data == nil {
		return nil, 0
	}
	return a.data, uintptr(m.size)
}

// close marks the array closed; false if it was before.
func (m *memory) close() bool {
	ok, last := m.lease.close()
	if !ok {
		return false
	}
	m.rt.mu.Lock()
	delete(m.rt.arrays, m)
	m.rt.mu.Unlock()
	if last {
		m.free()
	} else {
		m.rt.closed()
	}
	return true
}

// end ends a use that lease.begin started.
func (m *memory) end() {
	if m.lease.end() {
		m.free()
	}
}

func (m *memory) free() {
	m.view.data = nil
	if m.address != 0 {
		m.rt.program.Free(m.address, m.size)
	}
	m.rt.end()
}

func (m *memory) unreachable() error {
	if m.lease.closed.Load() {
		return fmt.Errorf("qd: %v: the array is %w", m.view.describe(), ErrClosed)
	}
	return fmt.Errorf("qd: %v: the host cannot reach its elements; copy them with Slice", m.view.describe())
}

// describe is String for the array's true element type.
func (a *untyped) describe() string {
	m, err := a.owner()
	if err != nil {
		return "NDArray"
	}
	return fmt.Sprintf("NDArray[%s]%v", m.element, a.dims[:a.rank])
}

// write copies all bytes from the host. data is the array's own host address, for the Go arch.
func (m *memory) write(data, host unsafe.Pointer) error {
	switch {
	case m.size == 0:
		return nil
	case m.rt.arch == Go:
		m.copyGo(data, host)
		return nil
	}
	return coreError(m.rt.program.Write(m.address, host, m.size))
}

// read copies all bytes to the host.
func (m *memory) read(host, data unsafe.Pointer) error {
	switch {
	case m.size == 0:
		return nil
	case m.rt.arch == Go:
		m.copyGo(host, data)
		return nil
	}
	return coreError(m.rt.program.Read(host, m.address, m.size))
}

// copyGo copies in order with launches.
func (m *memory) copyGo(dst, src unsafe.Pointer) {
	m.rt.stream.Lock()
	defer m.rt.stream.Unlock()
	copy(unsafe.Slice((*byte)(dst), m.size), unsafe.Slice((*byte)(src), m.size))
}

// largestPattern is what the core takes to fill with.
const largestPattern = 4096

// fill repeats one element.
func (m *memory) fill(data, element unsafe.Pointer) error {
	size := int64(m.element.Size())
	switch {
	case m.size == 0:
		return nil
	case m.rt.arch == Go:
		m.rt.stream.Lock()
		defer m.rt.stream.Unlock()
		for at := int64(0); at < m.size; at += size {
			copy(unsafe.Slice((*byte)(unsafe.Add(data, at)), size), unsafe.Slice((*byte)(element), size))
		}
		return nil
	case size <= largestPattern:
		return coreError(m.rt.program.Fill(m.address, m.size, element, size))
	}
	for at := int64(0); at < m.size; at += size {
		if err := m.rt.program.Write(m.address+uint64(at), element, size); err != nil {
			return coreError(err)
		}
	}
	return nil
}

// hostAddress turns an address of the core's memory into a pointer. The garbage collector ignores it.
func hostAddress(address uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
