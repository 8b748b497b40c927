package qd

import (
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// argument is one argument of Launch, a parameter of the Go function.
type argument struct {
	name string
	typ  reflect.Type
	word unsafe.Pointer // typ as an interface holds it

	// Of a slice parameter, which takes an NDArray as well:
	rank      int // 0 for any other
	element   reflect.Type
	arrayWord atomic.Uintptr // *NDArray[element] as an interface holds it; 0 until one was given
	repacked  *repacked      // nil where there is none
}

// parameter is one parameter of the compiled kernel: an argument, or a field of one.
type parameter struct {
	frontend.Param
	element reflect.Type // of an array
	stride  int64        // size of an array's element
	offset  uintptr      // of the field in the argument
	deref   bool         // the argument is a pointer to what holds the field
	inWord  bool         // the argument is of pointer shape: an interface holds it, not its address
	size    uintptr      // of a value
	packed  uintptr      // where it goes in the packed arguments
	writes  bool         // the kernel may write the array
}

// describeParameters prepares what launches need to know of the arguments.
func (k *Kernel) describeParameters(lowered []frontend.Param) error {
	t := k.fn.Type()
	k.args = make([]argument, t.NumIn())
	for i := range k.args {
		a := &k.args[i]
		a.typ = t.In(i)
		a.word = typeWord(a.typ)
		a.name = fmt.Sprintf("#%d", i+1)
		if rank, element := nesting(a.typ); rank > 0 {
			a.rank, a.element = rank, element
		}
	}
	for _, l := range lowered {
		p, err := k.describeParameter(l)
		if err != nil {
			return err
		}
		k.params = append(k.params, p)
		k.nests = k.nests || p.Kind == frontend.Slice && p.Rank > 1
	}
	return nil
}

func (k *Kernel) describeParameter(l frontend.Param) (parameter, error) {
	p := parameter{Param: l, packed: uintptr(k.core.ArgOffset(l.Index))}
	a := &k.args[l.Arg]
	if l.Name != "" {
		a.name, _, _ = strings.Cut(l.Name, ".")
	}
	t := a.typ
	p.inWord = pointerShaped(t)
	if len(l.Field) > 0 && t.Kind() == reflect.Pointer {
		p.deref, p.inWord, t = true, false, t.Elem()
	}
	for _, f := range l.Field {
		if t.Kind() != reflect.Struct || f >= t.NumField() {
			return p, fmt.Errorf("internal error, please report it: parameter %s is no field of %s", l.Name, a.typ)
		}
		field := t.Field(f)
		p.offset += field.Offset
		t = field.Type
	}
	switch l.Kind {
	case frontend.Value:
		p.size = t.Size()
	case frontend.Slice:
		_, p.element = nesting(t)
	case frontend.NDArray:
		p.element, _ = ndarrayElement(t)
	}
	if l.Kind != frontend.Value {
		if p.element == nil {
			return p, fmt.Errorf("internal error, please report it: parameter %s of type %s is no array", l.Name, t)
		}
		p.stride = int64(p.element.Size())
		p.writes = k.core.Writes(l.Index)
	}
	if end := p.packed + p.packedSize(); end > uintptr(k.size) {
		return p, fmt.Errorf("internal error, please report it: parameter %s does not fit the packed arguments", l.Name)
	}
	return p, nil
}

// packedSize is the size of the parameter among the packed arguments.
func (p *parameter) packedSize() uintptr {
	if p.Kind == frontend.Value {
		return p.size
	}
	return 8 + 8*uintptr(p.Rank)
}

// place is where the parameter's value lies in an argument; nil where the argument is a nil pointer.
func (p *parameter) place(w *word) unsafe.Pointer {
	switch {
	case p.inWord:
		return unsafe.Add(unsafe.Pointer(&w.data), p.offset)
	case p.deref && w.data == nil:
		return nil
	}
	return unsafe.Add(w.data, p.offset)
}

// place is where the argument's value lies.
func (a *argument) place(w *word) unsafe.Pointer {
	if pointerShaped(a.typ) {
		return unsafe.Pointer(&w.data)
	}
	return w.data
}

// takesArray tells whether an argument that passed checkTypes is an NDArray in the place of a slice.
func (a *argument) takesArray(w *word) bool {
	return a.rank > 0 && uintptr(w.typ) == a.arrayWord.Load()
}

// nesting is how many slices lie around the element of t, and that element; 0 for no slice.
func nesting(t reflect.Type) (int, reflect.Type) {
	rank := 0
	for t.Kind() == reflect.Slice {
		rank, t = rank+1, t.Elem()
	}
	return rank, t
}

// ndarrayElement is T where t is *NDArray[T].
func ndarrayElement(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Pointer {
		return nil, false
	}
	// A struct that embeds an NDArray has its methods too, but not its name.
	if e := t.Elem(); e.PkgPath() != frontend.KernelAPIPath || !strings.HasPrefix(e.Name(), "NDArray[") {
		return nil, false
	}
	a, ok := reflect.Zero(t).Interface().(interface{ elementType() reflect.Type })
	if !ok {
		return nil, false
	}
	return a.elementType(), true
}

// pointerShaped tells whether an interface holds values of t themselves, rather than their address.
func pointerShaped(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func:
		return true
	case reflect.Struct:
		return t.NumField() == 1 && pointerShaped(t.Field(0).Type)
	case reflect.Array:
		return t.Len() == 1 && pointerShaped(t.Elem())
	}
	return false
}
