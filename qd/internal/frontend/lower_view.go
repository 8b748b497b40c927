package frontend

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// none stands for an expression that is not there.
const none cgo.Expr = -1

// view is a slice: part of an axis of an array parameter, or of an array in memory. Its root is known when the kernel is
// compiled; where it starts and ends need not be.
type view struct {
	elem   types.Type
	array  *param  // the root, behind
	prefix []index // the indices of the leading axes; or
	base   *place  // the root: an array
	count  int64   // of the base's elements

	// Any of these may be absent: then the view starts where the root does, and ends where the root does. They are stable, or
	// the locals of a variable.
	offset, length, capacity cgo.Expr
	mutable                  bool // the expressions above and in prefix are locals
}

func wholeView(array *param, elem types.Type) *view {
	return &view{elem: elem, array: array, offset: none, length: none, capacity: none}
}

func (v *view) axis() int   { return len(v.prefix) }
func (v *view) whole() bool { return v.offset == none && v.length == none }
func (v *view) name() string {
	if v.array != nil {
		return v.array.name
	}
	if v.base != nil && v.base.local != nil {
		return v.base.local.name
	}
	return ""
}

// emptyView is a nil slice.
func (l *lowering) emptyView(elem types.Type) *view {
	zero := l.integer(0)
	v := &view{elem: elem, offset: none, length: zero, capacity: zero}
	if isPlain(elem) {
		v.base, v.count = l.temporary("", types.NewArray(elem, 1)), 1
	}
	return v
}

// rootLength is the length of what the view is a part of.
func (l *lowering) rootLength(v *view) cgo.Expr {
	if v.array != nil {
		return l.emit.Dim(v.array.index, v.axis())
	}
	return l.integer(v.count)
}

// rooted tells whether it is known what the view is a part of. It is not for a variable that has got no value so far.
func (l *lowering) rooted(v *view, pos token.Pos) bool {
	if v.array == nil && v.base == nil {
		l.errorf(pos, "give the slice its first value where it is declared", "a slice that has no array yet cannot be used like this")
		return false
	}
	return true
}

// lengthOf is the view's length; leaf expressions only, so that it may be used again.
func (l *lowering) lengthOf(v *view) value {
	out := intValue(v.length, !v.mutable)
	if v.length == none {
		out.expr, out.stable = l.rootLength(v), true
		if v.array == nil {
			out.constant = constant.MakeInt64(v.count)
			out.most.limit = v.count
		} else {
			out.most.axes = []axis{{v.array, v.axis()}}
		}
	} else if !v.mutable {
		out.most.lengths = []cgo.Expr{v.length}
	}
	return out
}

// capacityOf is the view's capacity; the expression has one user.
func (l *lowering) capacityOf(v *view) value {
	switch {
	case v.capacity != none:
		return intValue(v.capacity, !v.mutable)
	case v.offset != none:
		return intValue(l.emit.Binary(cgo.Sub, l.rootLength(v), v.offset), false)
	}
	return intValue(l.rootLength(v), true)
}

// elementOf is an element of the view. checked false: the index is known to be in range.
func (l *lowering) elementOf(v *view, i value, checked bool, pos token.Pos) value {
	n := l.index64(i)
	n.safe, n.first = !checked, isZero(i)
	if !n.safe && i.bounds.known() {
		switch {
		case v.whole() && v.array != nil:
			n.safe = i.bounds.below(v.array, v.axis())
		case v.whole():
			n.safe = i.bounds.limit > 0 && i.bounds.limit <= v.count
		case v.length != none && !v.mutable:
			n.safe = i.bounds.belowLength(v.length)
		}
	}
	if !v.whole() {
		e := n.expr
		if !n.safe {
			l.at(pos)
			e = l.emit.CheckedIndex(e, l.lengthOf(v).expr, v.name())
		}
		stable := n.stable && n.safe
		if v.offset != none {
			e, stable = l.emit.Binary(cgo.Add, v.offset, e), false
		}
		n = index{expr: e, stable: stable, safe: true}
	}
	switch {
	case v.array != nil:
		indices := append(v.prefix[:len(v.prefix):len(v.prefix)], n)
		if len(indices) == v.array.Rank {
			return placeValue(&place{typ: v.elem, array: v.array, indices: indices, pos: pos})
		}
		inner, ok := v.elem.Underlying().(*types.Slice)
		if !ok {
			return bad
		}
		row := wholeView(v.array, inner.Elem())
		row.prefix = indices
		return value{kind: viewed, typ: v.elem, view: row}
	case v.base != nil:
		return placeValue(v.base.inside(step{item: true, index: n, count: v.count}, v.elem, pos))
	}
	return bad
}

// pinView makes a view fit for any number of uses, now and later.
func (l *lowering) pinView(v *view) *view {
	q := *v
	q.prefix = append([]index(nil), v.prefix...)
	for n := range q.prefix {
		i := &q.prefix[n]
		if i.stable && i.safe && !v.mutable {
			continue
		}
		if !i.safe {
			i.expr = l.emit.CheckedIndex(i.expr, l.emit.Dim(v.array.index, n), v.array.name)
		}
		*i = index{expr: l.bind(i.expr), stable: true, safe: true}
	}
	if v.mutable {
		for _, e := range []*cgo.Expr{&q.offset, &q.length, &q.capacity} {
			if *e != none {
				*e = l.bind(*e)
			}
		}
		q.mutable = false
	}
	return &q
}

// slice is v[lo:hi:max] with Go's check. Absent bounds have kind nothing.
func (l *lowering) slice(v *view, lo, hi, top value, typ types.Type, pos token.Pos) value {
	v = l.pinView(v)
	out := *v
	low, high := none, none
	if lo.kind != nothing && !isZero(lo) {
		low = l.stableIndex(lo)
	}
	if hi.kind != nothing {
		high = l.stableIndex(hi)
	}
	limit := none
	if top.kind != nothing {
		limit = l.stableIndex(top)
	}
	start, end := low, high
	if start == none {
		start = l.integer(0)
	}
	if end == none {
		end = l.lengthOf(v).expr
	}
	l.at(pos)
	switch {
	case limit != none:
		l.check(cgo.CheckSlice, []cgo.Expr{end, limit, l.use(l.capacityOf(v))}, v.name(), "")
		l.check(cgo.CheckSlice, []cgo.Expr{start, end, limit}, v.name(), "")
	case low != none || high != none:
		l.check(cgo.CheckSlice, []cgo.Expr{start, end, l.use(l.capacityOf(v))}, v.name(), "")
	default:
		return value{kind: viewed, typ: typ, view: v}
	}
	if low != none {
		out.offset = low
		if v.offset != none {
			out.offset = l.bind(l.emit.Binary(cgo.Add, v.offset, low))
		}
		out.length = l.bind(l.emit.Binary(cgo.Sub, end, low))
	} else {
		out.length = end
	}
	switch {
	case limit != none && low != none:
		out.capacity = l.bind(l.emit.Binary(cgo.Sub, limit, low))
	case limit != none:
		out.capacity = limit
	case v.capacity != none && low != none:
		out.capacity = l.bind(l.emit.Binary(cgo.Sub, v.capacity, low))
	}
	return value{kind: viewed, typ: typ, view: &out}
}

func (l *lowering) stableIndex(v value) cgo.Expr {
	i := l.index64(v)
	if !i.stable {
		i.expr = l.bind(i.expr)
	}
	return i.expr
}

func isZero(v value) bool {
	return v.constant != nil && v.constant.Kind() == constant.Int && constant.Sign(v.constant) == 0
}

// check builds a check statement.
func (l *lowering) check(kind cgo.Check, args []cgo.Expr, name, message string) {
	l.effects++
	l.emit.Check(kind, args, name, message)
}

// viewOfArray is arr[:] of an array in memory.
func (l *lowering) viewOfArray(p *place, typ types.Type) (*view, bool) {
	a, ok := arrayOf(p.typ)
	if !ok {
		return nil, false
	}
	return &view{elem: a.Elem(), base: l.pin(p), count: a.Len(), offset: none, length: none, capacity: none}, true
}
