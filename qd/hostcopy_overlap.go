package qd

import (
	"fmt"
	"slices"
)

// rowExtent is the memory of one innermost slice of a parameter. The addresses are only compared while the caller's stack
// stands still.
type rowExtent struct {
	start, end uintptr
	parameter  *parameter
}

// checkCopies refuses slices of slices that share memory with each other or with another Go slice of which the kernel
// writes one: they are copied for the launch, and what is written to one copy would not be seen in the other.
func (k *Kernel) checkCopies(words []word) error {
	nested := func(p parameter) bool { return p.Rank > 1 && k.lends(&p, words) }
	if !k.nests || !slices.ContainsFunc(k.params, nested) {
		return nil
	}
	var rows []rowExtent
	for i := range k.params {
		p := &k.params[i]
		if !k.lends(p, words) {
			continue
		}
		s := (*sliceHeader)(p.place(&words[p.Arg]))
		var dims [3]int
		if err := measure(p.Name, s, dims[:p.Rank], true); err != nil {
			return err
		}
		_ = eachRow(s, p.Rank, func(row *sliceHeader) error {
			if start := uintptr(row.data); row.len > 0 {
				rows = append(rows, rowExtent{start, start + uintptr(row.len)*uintptr(p.stride), p})
			}
			return nil
		})
	}
	slices.SortFunc(rows, func(a, b rowExtent) int {
		if a.start < b.start {
			return -1
		}
		if a.start > b.start {
			return 1
		}
		return 0
	})
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		if b.start < a.end && (a.parameter.writes || b.parameter.writes) {
			return sharedRows(a.parameter.Name, b.parameter.Name)
		}
		if b.end < a.end { // the longer one may reach the next, too
			b.end, b.parameter = a.end, a.parameter
		}
	}
	return nil
}

func sharedRows(a, b string) error {
	if a == b {
		return fmt.Errorf("argument %s: two of its rows share memory, and slices of slices are copied for a launch; use an NDArray", a)
	}
	return fmt.Errorf("arguments %s and %s share memory, and slices of slices are copied for a launch; pass slices that do not overlap, or NDArrays", a, b)
}

// lends tells whether the parameter is given a Go slice with memory.
func (k *Kernel) lends(p *parameter, words []word) bool {
	if !k.takesSlice(p, words) {
		return false
	}
	place := p.place(&words[p.Arg])
	return place != nil && (*sliceHeader)(place).data != nil
}
