package qd

import (
	"fmt"
	"reflect"
	"strings"
)

// countMismatch is the error for a wrong number of arguments.
func (k *Kernel) countMismatch(given int) error {
	names := make([]string, len(k.args))
	for i := range k.args {
		names[i] = k.args[i].name
	}
	takes := fmt.Sprintf("the kernel takes %d (%s), %d given", len(names), strings.Join(names, ", "), given)
	if given > len(names) {
		return fmt.Errorf("too many arguments: %s", takes)
	}
	if missing := names[given:]; len(missing) > 1 {
		return fmt.Errorf("missing arguments %s: %s", strings.Join(missing, ", "), takes)
	}
	return fmt.Errorf("missing argument %s: %s", names[given], takes)
}

// accept checks an argument whose type was not seen before, and remembers a good one.
func (a *argument) accept(w *word) error {
	given := w.typeOf()
	if given == nil {
		return fmt.Errorf("argument %s is nil", a.name)
	}
	if a.rank > 0 {
		if element, ok := ndarrayElement(given); ok && element == a.element {
			a.arrayWord.Store(uintptr(w.typ))
			if a.repacked != nil {
				a.repacked.word.Store(uintptr(w.typ))
			}
			return nil
		}
		if given.AssignableTo(a.typ) {
			return nil
		}
		return fmt.Errorf("argument %s is a %s, which takes a *qd.NDArray[%s] of rank %d or a Go slice, but %s was given",
			a.name, a.typ, a.element, a.rank, withArticle(given))
	}
	if convertible(given.Kind()) && convertible(a.typ.Kind()) {
		return fmt.Errorf("argument %s is of type %s, but %s was given (write %[2]s(…))", a.name, a.typ, withArticle(given))
	}
	return fmt.Errorf("argument %s is of type %s, but %s was given", a.name, a.typ, withArticle(given))
}

// withArticle is "an int32", "a float64".
func withArticle(t reflect.Type) string {
	if name := t.String(); strings.HasPrefix(name, "int") {
		return "an " + name
	}
	return "a " + t.String()
}

// convertible tells whether Go converts between the number types of these kinds.
func convertible(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr
}

func rankMismatch(name string, rank int, a *untyped) error {
	return fmt.Errorf("argument %s takes an array of rank %d, but the one given has rank %d (shape %v)",
		name, rank, a.rank, a.dims[:a.rank])
}
