package frontend

import (
	"go/ast"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

func (l *lowering) builtin(e *ast.CallExpr, fun ast.Expr) value {
	id, ok := fun.(*ast.Ident)
	if !ok {
		l.errorf(e.Pos(), "", "%s cannot be called in a kernel", types.ExprString(fun))
		return bad
	}
	switch id.Name {
	case "len", "cap":
		if len(e.Args) == 1 {
			return l.lengthCall(e, id.Name)
		}
	case "min", "max":
		return l.minMax(e, id.Name)
	case "copy":
		if len(e.Args) == 2 {
			return l.copyCall(e)
		}
	case "clear":
		if len(e.Args) == 1 {
			l.clearCall(e)
			return value{kind: nothing}
		}
	case "print":
		l.print(e.Args, "", false, 2, e.Pos())
		return value{kind: nothing}
	case "println":
		l.print(e.Args, " ", true, 2, e.Pos())
		return value{kind: nothing}
	}
	l.errorf(e.Pos(), builtinHints[id.Name], "%s cannot be called in a kernel", id.Name)
	return bad
}

func (l *lowering) lengthCall(e *ast.CallExpr, name string) value {
	x := l.expression(e.Args[0])
	t := x.typ
	if x.kind == pointed {
		t = x.place.typ
	}
	switch x.kind {
	case invalid:
		return bad
	case placed, pointed:
		if a, ok := arrayOf(t); ok {
			v := intValue(l.integer(a.Len()), true)
			v.most.limit = a.Len()
			return v
		}
	case viewed:
		// The row must exist. All rows are of one length, so that the first one's is taken of an array without rows, too.
		for n, i := range x.view.prefix {
			if !i.safe && !i.first {
				l.at(e.Args[0].Pos())
				l.check(cgo.CheckIndex, []cgo.Expr{i.expr, l.emit.Dim(x.view.array.index, n)}, x.view.array.name, "")
			}
		}
		if name == "cap" {
			return l.capacityOf(x.view)
		}
		return l.lengthOf(x.view)
	}
	l.errorf(e.Pos(), "", "%s of %s cannot be used in a kernel", name, l.typeName(x.typ))
	return bad
}

func (l *lowering) minMax(e *ast.CallExpr, name string) value {
	op := cgo.Min
	if name == "max" {
		op = cgo.Max
	}
	t := l.frame.fn.typeOf(e)
	if !isInteger(t) && !isFloat(t) {
		l.errorf(e.Pos(), "", "%s of %s cannot be used in a kernel", name, l.typeName(t))
		return bad
	}
	var out value
	for i, a := range e.Args {
		v := l.expression(a)
		if v.kind == invalid {
			return bad
		}
		v = l.typed(v, t)
		if i == 0 {
			out = v
			continue
		}
		both := scalarValue(l.emit.Binary(op, l.use(out), l.use(v)), t)
		if op == cgo.Min { // not below zero only if both are
			both.most = either(out.most, v.most)
			if out.bounds.known() && v.bounds.known() {
				both.bounds = either(out.bounds, v.bounds)
			}
		}
		out = both
	}
	return out
}

// either is what holds of the smaller of two values.
func either(a, b bounds) bounds {
	out := bounds{limit: a.limit}
	if out.limit == 0 || b.limit > 0 && b.limit < out.limit {
		out.limit = b.limit
	}
	out.axes = append(append(out.axes, a.axes...), b.axes...)
	out.lengths = append(append(out.lengths, a.lengths...), b.lengths...)
	return out
}

// copyCall is copy(dst, src): like Go's it also copies right where both overlap.
func (l *lowering) copyCall(e *ast.CallExpr) value {
	dst, src := l.expression(e.Args[0]), l.expression(e.Args[1])
	if dst.kind == invalid || src.kind == invalid {
		return bad
	}
	if dst.kind != viewed || src.kind != viewed || !isPlain(dst.view.elem) {
		l.errorf(e.Pos(), "copy one row at a time", "copy of %s cannot be used in a kernel", l.typeName(dst.typ))
		return bad
	}
	to, from := l.pinView(dst.view), l.pinView(src.view)
	if !l.rooted(to, e.Pos()) || !l.rooted(from, e.Pos()) {
		return bad
	}
	l.at(e.Pos())
	n := l.bind(l.emit.Binary(cgo.Min, l.lengthOf(to).expr, l.lengthOf(from).expr))
	backward := none
	if to.array == from.array && (to.array != nil || to.base.local == from.base.local) {
		backward = l.bind(l.emit.Binary(cgo.Gt, l.start(to), l.start(from)))
	}
	l.nesting++
	l.counted(countedLoop{bounds: []cgo.Expr{l.integer(0), n}}, func(loop cgo.Label) {
		i := intValue(l.emit.LoopIndex(loop, 0), true)
		if backward != none {
			last := l.emit.Binary(cgo.Sub, l.emit.Binary(cgo.Sub, n, l.integer(1)), i.expr)
			i.expr = l.bind(l.emit.Select(backward, last, i.expr))
		}
		source := l.elementOf(from, i, false, e.Pos())
		target := l.elementOf(to, i, false, e.Pos())
		if target.kind == placed {
			l.assignPlace(target.place, source, e.Pos())
		}
	})
	l.nesting--
	return intValue(n, true)
}

func (l *lowering) start(v *view) cgo.Expr {
	if v.offset == none {
		return l.integer(0)
	}
	return v.offset
}

func (l *lowering) clearCall(e *ast.CallExpr) {
	x := l.expression(e.Args[0])
	if x.kind == invalid {
		return
	}
	if x.kind != viewed || !isPlain(x.view.elem) {
		l.errorf(e.Pos(), "clear one row at a time", "clear of %s cannot be used in a kernel", l.typeName(x.typ))
		return
	}
	v := l.pinView(x.view)
	if !l.rooted(v, e.Pos()) {
		return
	}
	l.at(e.Pos())
	zero := l.nothingOf(v.elem)
	l.nesting++
	l.counted(countedLoop{bounds: []cgo.Expr{l.integer(0), l.lengthOf(v).expr}}, func(loop cgo.Label) {
		target := l.elementOf(v, intValue(l.emit.LoopIndex(loop, 0), true), false, e.Pos())
		if target.kind == placed {
			l.assignPlace(target.place, zero, e.Pos())
		}
	})
	l.nesting--
}
