package qd

import (
	"fmt"
	"unsafe"
)

// hostCopy is device memory that stands in for a Go slice of slices, or for a slice where host memory cannot be used in
// place.
type hostCopy struct {
	parameter int
	memory    uint64
	size      int64
}

// packNested copies a slice, whose rank the parameter knows, into device memory.
func (l *launch) packNested(p *parameter, at unsafe.Pointer, s *sliceHeader) error {
	var dims [3]int
	if err := measure(p.Name, s, dims[:p.Rank], true); err != nil {
		return err
	}
	size := p.stride
	for axis, d := range dims[:p.Rank] {
		*(*int64)(unsafe.Add(at, 8+8*axis)) = int64(d)
		size *= int64(d)
	}
	*(*uint64)(at) = 0
	if size == 0 {
		return nil
	}
	memory, err := l.kernel.rt.program.Allocate(size)
	if err != nil {
		return fmt.Errorf("argument %s: %w", p.Name, coreError(err))
	}
	*(*uint64)(at) = memory
	l.copies = append(l.copies, hostCopy{l.parameterIndex(p), memory, size})
	return eachRow(s, p.Rank, func(row *sliceHeader) error {
		bytes := int64(row.len) * p.stride
		err := l.kernel.rt.program.Write(memory, row.data, bytes)
		memory += uint64(bytes)
		return coreError(err)
	})
}

func (l *launch) parameterIndex(p *parameter) int {
	return int((uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(&l.kernel.params[0]))) / unsafe.Sizeof(*p))
}

// copyBack gives the host what the kernel wrote to copies of its slices.
func (l *launch) copyBack(words []word) error {
	for _, c := range l.copies {
		p := &l.kernel.params[c.parameter]
		if !p.writes {
			continue
		}
		memory := c.memory
		err := eachRow((*sliceHeader)(p.place(&words[p.Arg])), p.Rank, func(row *sliceHeader) error {
			bytes := int64(row.len) * p.stride
			err := l.kernel.rt.program.Read(row.data, memory, bytes)
			memory += uint64(bytes)
			return coreError(err)
		})
		if err != nil {
			return fmt.Errorf("argument %s: %w", p.Name, err)
		}
	}
	return nil
}

// measure finds the length along each axis, and refuses rows of different lengths. first says that the dims are not known
// yet.
func measure(name string, s *sliceHeader, dims []int, first bool) error {
	if first {
		dims[0] = s.len
	} else if s.len != dims[0] {
		return fmt.Errorf("argument %s: its rows have different lengths (%d and %d)", name, dims[0], s.len)
	}
	if len(dims) == 1 {
		return nil
	}
	for i := range s.len {
		if err := measure(name, s.item(i), dims[1:], first && i == 0); err != nil {
			return err
		}
	}
	return nil
}

// item is the i-th of a slice of slices.
func (s *sliceHeader) item(i int) *sliceHeader {
	return (*sliceHeader)(unsafe.Add(s.data, uintptr(i)*unsafe.Sizeof(*s)))
}

// eachRow calls f for each innermost slice, in order.
func eachRow(s *sliceHeader, rank int, f func(row *sliceHeader) error) error {
	if rank == 1 {
		if s.len == 0 {
			return nil
		}
		return f(s)
	}
	for i := range s.len {
		if err := eachRow(s.item(i), rank-1, f); err != nil {
			return err
		}
	}
	return nil
}
