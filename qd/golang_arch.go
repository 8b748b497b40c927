package qd

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// The Go arch runs a kernel as the Go function that it is, on host memory, one launch at a time on each stream. Slices of arrays
// are the arrays' own memory. Everything else is copied for the call (see words.go for why it must be), and what is in Go slices
// is copied back after it.

// runGo launches on the Go arch.
func (l *launch) runGo(words []word) error {
	k := l.kernel
	values, err := l.goValues(words)
	if err != nil {
		return err
	}
	shared := k.detachShared(words, values)
	err = k.callGoInOrder(values)
	k.restoreAll(words, values, shared)
	return err
}

// goValues are the arguments of the Go function, which refer to the heap alone.
func (l *launch) goValues(words []word) ([]reflect.Value, error) {
	if err := l.holdFields(words); err != nil {
		return nil, err
	}
	if err := l.checkApart(words); err != nil {
		return nil, err
	}
	values := make([]reflect.Value, len(words))
	for i := range words {
		v, err := l.goValue(&l.kernel.args[i], &words[i])
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// holdFields checks the arrays that the kernel uses through *NDArray arguments and fields, and keeps them from being freed.
func (l *launch) holdFields(words []word) error {
	for i := range l.kernel.params {
		p := &l.kernel.params[i]
		if p.Kind != frontend.NDArray {
			continue
		}
		place := p.place(&words[p.Arg])
		if place == nil {
			return fmt.Errorf("argument %s is nil", l.kernel.args[p.Arg].name)
		}
		a := *(**untyped)(place)
		if _, err := l.hold(p.Name, a); err != nil {
			return err
		}
		if a.rank != p.Rank && !p.AnyRank {
			return rankMismatch(p.Name, p.Rank, a)
		}
	}
	return nil
}

// goValue is an argument of the Go function.
func (l *launch) goValue(a *argument, w *word) (reflect.Value, error) {
	if a.takesArray(w) {
		array := (*untyped)(w.data)
		m, err := l.hold(a.name, array)
		if err != nil {
			return reflect.Value{}, err
		}
		if array.rank != a.rank {
			return reflect.Value{}, rankMismatch(a.name, a.rank, array)
		}
		return m.slices().Convert(a.typ), nil
	}
	if a.rank > 0 {
		var dims [3]int
		if err := measure(a.name, (*sliceHeader)(w.data), dims[:a.rank], true); err != nil {
			return reflect.Value{}, err
		}
	}
	if structure, ok := a.pointsToStruct(); ok {
		if w.data == nil {
			return reflect.Value{}, fmt.Errorf("argument %s is nil", a.name)
		}
		return detached(structure, w.data).Addr(), nil
	}
	return detached(a.typ, a.place(w)), nil
}

// restore copies back what the function may have written.
func (a *argument) restore(w *word, v reflect.Value) {
	if a.takesArray(w) {
		return
	}
	if structure, ok := a.pointsToStruct(); ok {
		reattach(structure, w.data, v.UnsafePointer())
		return
	}
	reattach(a.typ, a.place(w), v.Addr().UnsafePointer())
}

// pointsToStruct is the struct where the argument is a pointer to one, other than an NDArray.
func (a *argument) pointsToStruct() (reflect.Type, bool) {
	if _, isArray := ndarrayElement(a.typ); a.typ.Kind() != reflect.Pointer || isArray {
		return nil, false
	}
	return a.typ.Elem(), true
}

// callGoInOrder is callGo on the default stream.
func (k *Kernel) callGoInOrder(values []reflect.Value) error {
	k.rt.stream.Lock()
	defer k.rt.stream.Unlock()
	return k.callGo(values, k.rt.launches.Add(1))
}

// callGo calls the function and turns a panic into an error. number is the launch's.
func (k *Kernel) callGo(values []reflect.Value, number uint64) error {
	g := &goLaunch{
		output: lockedWriter{&k.rt.outputMu, k.rt.config.output()},
		random: rand.NewPCG(k.rt.config.Seed, number),
	}
	if raceEnabled {
		g.scopes = new(scopeGroup)
	}
	var failed *goPanic
	g.within(func() {
		defer func() { failed = catch(recover()) }()
		k.fn.Call(values)
	})
	if g.scopes != nil {
		if p := g.scopes.join(); failed == nil {
			failed = p
		}
	}
	if failed == nil {
		return nil
	}
	return failed.kernelError(k, k.shapes(values))
}

// shapes are those of the slices among the arguments, by name.
func (k *Kernel) shapes(values []reflect.Value) map[string][]int {
	shapes := map[string][]int{}
	for i, v := range values {
		var shape []int
		for v.Kind() == reflect.Slice {
			shape = append(shape, v.Len())
			if v.Len() == 0 {
				break
			}
			v = v.Index(0)
		}
		shapes[k.args[i].name] = shape
	}
	return shapes
}
