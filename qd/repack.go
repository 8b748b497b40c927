package qd

import (
	"sync/atomic"
	"unsafe"

	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// repacked is an argument that can be packed again without a look at everything about it: an array, or a value, of the type that it
// had before. All that a launch in a loop needs of it is here, close together.
type repacked struct {
	word   atomic.Uintptr // the first word of the interface that holds it; 0: not known yet
	packed uint32         // where it goes in the packed arguments
	size   uint32         // of a value; 0 for an array
}

// describeRepacked prepares repack where each argument is one parameter.
func (k *Kernel) describeRepacked() {
	if len(k.params) != len(k.args) {
		return
	}
	for i := range k.params {
		p := &k.params[i]
		if p.Arg != i || p.Field != nil || p.Kind == frontend.Value && (p.inWord || p.size == 0) {
			return
		}
	}
	k.repacked = make([]repacked, len(k.params))
	for i := range k.params {
		p, r := &k.params[i], &k.repacked[i]
		r.packed = uint32(p.packed)
		if p.Kind == frontend.Value {
			r.size = uint32(p.size)
		}
		if p.Kind != frontend.Slice { // else it takes an array in the place of a slice, see accept
			r.word.Store(uintptr(k.args[i].word))
		}
		k.args[i].repacked = r
	}
}

// repack packs the arguments of a launch; least is to do where the arrays are those of the launch before. It is false where the
// arguments are not of the types that they had, and then pack has everything to do.
func (l *launch) repack(words []word) (done bool, err error) {
	all := l.kernel.repacked
	if all == nil || len(all) != len(words) {
		return false, nil
	}
	for i := range all {
		r, w := &all[i], &words[i]
		if uintptr(w.typ) != r.word.Load() || w.typ == nil {
			return false, nil
		}
		at := unsafe.Add(unsafe.Pointer(unsafe.SliceData(l.packed)), r.packed)
		if r.size != 0 {
			copyValue(at, w.data, uintptr(r.size))
			continue
		}
		if m := l.arrays[i]; m == nil || unsafe.Pointer(m.view) != w.data || m.lease.closed.Load() {
			if err := l.packArray(i, at, (*untyped)(w.data)); err != nil {
				return true, err
			}
		}
	}
	return true, nil
}
