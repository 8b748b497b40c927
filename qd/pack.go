package qd

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// launch is what one launch needs besides the arguments. Kernels pool them. Pointers to what an argument points to must not
// be kept here; see words.go.
type launch struct {
	kernel   *Kernel
	packed   []uint64
	arrays   []*memory // in use, by parameter, and packed; nil for none
	held     []*memory // in use, on the Go arch
	copies   []hostCopy
	isKept   bool        // from here on: see idle.go
	busy     atomic.Bool // guards the rest where it is kept
	idle     bool
	place    uint32 // among the kernel's kept ones
	after    uint32 // the place of the one that is expected after this
	closings uint64
	call     cgo.Call
}

func newLaunch(k *Kernel) *launch {
	return &launch{kernel: k, packed: make([]uint64, (k.size+7)/8+1), arrays: make([]*memory, len(k.params))}
}

// release gives back what packing took.
func (l *launch) release() {
	for i, m := range l.arrays {
		if m != nil {
			l.arrays[i] = nil
			m.end()
		}
	}
	for i, m := range l.held {
		l.held[i] = nil
		m.end()
	}
	l.held = l.held[:0]
	l.freeCopies()
}

func (l *launch) freeCopies() {
	for _, c := range l.copies {
		l.kernel.rt.program.Free(c.memory, c.size)
	}
	l.copies = l.copies[:0]
}

// checkTypes refuses arguments of wrong types.
func (k *Kernel) checkTypes(words []word) error {
	for i := range k.args {
		a := &k.args[i]
		typ := words[i].typ
		if typ != a.word && (uintptr(typ) != a.arrayWord.Load() || typ == nil) {
			if err := a.accept(&words[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// pack puts the arguments where the core wants them and makes sure that no array among them is freed.
func (l *launch) pack(words []word, hosts *cgo.Hosts) error {
	for i := range l.kernel.params {
		p := &l.kernel.params[i]
		w := &words[p.Arg]
		at := unsafe.Add(unsafe.Pointer(unsafe.SliceData(l.packed)), p.packed)
		place := p.place(w)
		if place == nil {
			return fmt.Errorf("argument %s is nil", l.kernel.args[p.Arg].name)
		}
		var err error
		switch {
		case p.Kind == frontend.Value:
			copyValue(at, place, p.size)
		case p.Kind == frontend.NDArray:
			err = l.packArray(i, at, *(**untyped)(place))
		case p.Field == nil && l.kernel.args[p.Arg].takesArray(w):
			err = l.packArray(i, at, (*untyped)(w.data))
		case p.Rank == 1:
			l.use(i, nil)
			err = l.packSlice(p, at, (*sliceHeader)(place), hosts)
		default:
			l.use(i, nil)
			err = l.packNested(p, at, (*sliceHeader)(place))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copyValue(to, from unsafe.Pointer, size uintptr) {
	switch size {
	case 4:
		*(*uint32)(to) = *(*uint32)(from)
	case 8:
		*(*uint64)(to) = *(*uint64)(from)
	default:
		copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(from), size))
	}
}

// packArray packs {address, dims…}.
func (l *launch) packArray(parameter int, at unsafe.Pointer, a *untyped) error {
	p := &l.kernel.params[parameter]
	m := l.arrays[parameter]
	switch {
	case m == nil || a == nil || a.memory != arrayMemory(m):
		var err error
		if m, err = l.begin(p.Name, a); err != nil {
			return err
		}
		l.use(parameter, m)
	case m.lease.closed.Load():
		return closedArray(p.Name)
	}
	*(*uint64)(at) = m.address
	dims := unsafe.Slice((*int64)(unsafe.Add(at, 8)), p.Rank)
	if a.rank != p.Rank {
		if !p.AnyRank {
			return rankMismatch(p.Name, p.Rank, a)
		}
		dims[0] = int64(a.Len())
		return nil
	}
	for axis := range dims {
		dims[axis] = int64(a.dims[axis])
	}
	return nil
}

// use makes m the array of a parameter, whose use has begun; nil for none.
func (l *launch) use(parameter int, m *memory) {
	if before := l.arrays[parameter]; before != nil {
		before.end()
	}
	l.arrays[parameter] = m
}

// hold keeps an array from being freed until release.
func (l *launch) hold(name string, a *untyped) (*memory, error) {
	m, err := l.begin(name, a)
	if err == nil {
		l.held = append(l.held, m)
	}
	return m, err
}

// begin begins a use of an array.
func (l *launch) begin(name string, a *untyped) (*memory, error) {
	if a == nil {
		return nil, fmt.Errorf("argument %s is nil", name)
	}
	m, err := a.owner()
	if err != nil {
		return nil, fmt.Errorf("argument %s: %w", name, err)
	}
	if m.rt != l.kernel.rt {
		return nil, fmt.Errorf("argument %s: the array belongs to another runtime (%s) than the kernel (%s)", name, m.rt.arch, l.kernel.rt.arch)
	}
	if !m.lease.begin() {
		return nil, closedArray(name)
	}
	return m, nil
}

func closedArray(name string) error {
	return fmt.Errorf("argument %s: the array is %w", name, ErrClosed)
}

// packSlice packs a Go slice that the kernel uses in place. Its address is put in during the call; see cgo.Hosts.
func (l *launch) packSlice(p *parameter, at unsafe.Pointer, s *sliceHeader, hosts *cgo.Hosts) error {
	*(*uint64)(at) = 0
	*(*int64)(unsafe.Add(at, 8)) = int64(s.len)
	if s.len == 0 || hosts.Add(s.data, int64(p.packed)) {
		return nil
	}
	return l.packNested(p, at, s) // more of them than a call takes
}
