package qd

import (
	"errors"
	"unsafe"

	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// apartPair is two array parameters that must not share memory, because scopes that may run at the same time access them.
// Compiled devices look at each launch; for the Go arch this file does.
type apartPair struct {
	first, second int // numbers of parameters
	complaint     string
}

func (k *Kernel) describeApart() {
	for j := range k.params {
		for i := range j {
			p, q := &k.params[i], &k.params[j]
			if p.Kind == frontend.Value || q.Kind == frontend.Value {
				continue
			}
			if complaint := k.core.Apart(p.Index, q.Index); complaint != "" {
				k.apart = append(k.apart, apartPair{i, j, complaint})
			}
		}
	}
}

// checkApart refuses arguments that share memory but must not.
func (l *launch) checkApart(words []word) error {
	for _, pair := range l.kernel.apart {
		p, pSize := l.extent(pair.first, words)
		q, qSize := l.extent(pair.second, words)
		// No call stands between the two conversions: the memory may lie on a stack, which moves when it grows.
		pAt, qAt := uintptr(p), uintptr(q)
		if pSize > 0 && qSize > 0 && pAt < qAt+qSize && qAt < pAt+pSize {
			return errors.New(pair.complaint)
		}
	}
	return nil
}

// extent is the memory of an array; none for a slice of slices, which compiled devices copy.
func (l *launch) extent(parameter int, words []word) (at unsafe.Pointer, size uintptr) {
	p := &l.kernel.params[parameter]
	w := &words[p.Arg]
	place := p.place(w)
	switch {
	case place == nil:
		return nil, 0
	case p.Kind == frontend.NDArray:
		return (*(**untyped)(place)).extent()
	case p.Field == nil && l.kernel.args[p.Arg].takesArray(w):
		return (*untyped)(w.data).extent()
	case p.Rank == 1:
		s := (*sliceHeader)(place)
		return s.data, uintptr(s.len) * uintptr(p.stride)
	}
	return nil, 0
}
