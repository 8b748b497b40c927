package frontend

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// conflicts reports pairs of StreamParallel scopes of which one surely changes an element that the other surely accesses.
// Only what both scopes do under no condition counts, through the same parameter, at indices that are constants or the
// plain indices of range loops; anything else is not proven here.
func (c *checker) conflicts() {
	b := &body{checker: c, fn: c.kernel}
	var earlier []access
	for _, scope := range c.scopes {
		w := &accessWalker{fn: c.kernel, indices: map[loopIndex]extent{}}
		w.block(scope.Body.List)
		said := map[string]bool{}
		for _, here := range w.found {
			i := slices.IndexFunc(earlier, func(there access) bool { return here.conflictsWith(there) })
			key := lineKey(c.l.position(here.node.Pos())) + here.array.name
			if i < 0 || said[key] {
				continue
			}
			said[key] = true
			there := earlier[i]
			pos := c.l.position(there.node.Pos())
			b.report(here.node, "put both into one scope, or let one of them use another array",
				"conflict: %s is %s here and also %s at %s:%d, in a scope that may run at the same time",
				here.text, here.kind, there.kind, filepath.Base(pos.Filename), pos.Line)
		}
		earlier = append(earlier, w.found...)
	}
}

type accessKind int

const (
	read accessKind = iota
	written
	updated // atomically
)

func (k accessKind) String() string { return [...]string{"read", "written", "updated"}[k] }

// subscript is one index of an element: a constant, or the index of a range loop.
type subscript struct {
	constant int64 // -1: a loop's index
	loop     loopIndex
	extent   extent
}

// extent is what a range loop runs over.
type extent struct {
	count int64 // -1: not constant
	whole array // the array whose first axis it is; zero where it is something else
}

func (a access) conflictsWith(b access) bool {
	if a.array != b.array || a.kind == b.kind && a.kind != written || len(a.index) != len(b.index) {
		return false
	}
	if !strings.HasPrefix(a.part, b.part) && !strings.HasPrefix(b.part, a.part) {
		return false
	}
	for axis := range a.index {
		if !a.index[axis].meets(b.index[axis], a.array, axis) {
			return false
		}
	}
	return true
}

// meets tells whether both take one value at some time, which loops do at 0.
func (s subscript) meets(t subscript, of array, axis int) bool {
	switch {
	case s.constant >= 0 && t.constant >= 0:
		return s.constant == t.constant
	case s.constant < 0 && t.constant < 0:
		return true
	case s.constant < 0:
		return t.meets(s, of, axis)
	case t.extent.count >= 0:
		return s.constant < t.extent.count
	}
	return s.constant == 0 || axis == 0 && t.extent.whole == of
}

// independent tells whether no loop's index stands on two axes: where one does, the axes do not move on their own.
func independent(index []subscript) bool {
	seen := map[string]bool{}
	for _, s := range index {
		key := fmt.Sprintf("%p.%d", s.loop.v, s.loop.axis)
		if s.constant < 0 && seen[key] {
			return false
		}
		seen[key] = s.constant < 0 || seen[key]
	}
	return true
}
