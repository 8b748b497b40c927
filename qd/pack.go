package qd

import (
	"fmt"
	"unsafe"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// launch is what one launch needs besides the arguments. Kernels pool them. Pointers to what an argument points to must not
// be kept here; see words.go.
type launch struct {
	kernel *Kernel
	packed []uint64
	held   []*memory
	copies []hostCopy
}

func newLaunch(k *Kernel) *launch {
	return &launch{kernel: k, packed: make([]uint64, (k.size+7)/8+1), held: make([]*memory, 0, len(k.params))}
}

// release gives back what packing took.
func (l *launch) release() {
	for i, m := range l.held {
		m.end()
		l.held[i] = nil
	}
	l.held = l.held[:0]
	for _, c := range l.copies {
		l.kernel.rt.program.Free(c.memory, c.size)
	}
	l.copies = l.copies[:0]
}

// done gives the launch back to its kernel.
func (l *launch) done() {
	l.release()
	l.kernel.launches.Put(l)
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
			err = l.packArray(p, at, *(**untyped)(place))
		case p.Field == nil && l.kernel.args[p.Arg].takesArray(w):
			err = l.packArray(p, at, (*untyped)(w.data))
		case p.Rank == 1:
			err = l.packSlice(p, at, (*sliceHeader)(place), hosts)
		default:
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
func (l *launch) packArray(p *parameter, at unsafe.Pointer, a *untyped) error {
	m, err := l.hold(p.Name, a)
	if err != nil {
		return err
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

// hold keeps an array from being freed until release.
func (l *launch) hold(name string, a *untyped) (*memory, error) {
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
		return nil, fmt.Errorf("argument %s: the array is %w", name, ErrClosed)
	}
	l.held = append(l.held, m)
	return m, nil
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
