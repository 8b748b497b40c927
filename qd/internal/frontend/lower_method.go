package frontend

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// apiMethod lowers the call of a method of qd.NDArray or qd.Float16.
func (l *lowering) apiMethod(e *ast.CallExpr, obj *types.Func) value {
	sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok {
		return bad
	}
	selection := l.frame.fn.unit.info.Selections[sel]
	if selection == nil || selection.Kind() != types.MethodVal {
		l.errorf(e.Pos(), "call the method of a value", "%s cannot be called in a kernel", types.ExprString(e.Fun))
		return bad
	}
	x := l.expression(sel.X)
	path := selection.Index()
	for n := range max(len(path)-1, 0) {
		x = l.field(x, path[n], sel.Pos())
	}
	if x.kind == pointed {
		x = placeValue(x.place)
	}
	switch {
	case x.kind == invalid:
		return bad
	case x.kind == arrayed:
		return l.arrayMethod(e, obj.Name(), x)
	case isHalf(x.typ):
		return l.halfMethod(e, obj.Name(), x)
	}
	l.errorf(e.Pos(), "", "%s cannot be called in a kernel", types.ExprString(e.Fun))
	return bad
}

func (l *lowering) arrayMethod(e *ast.CallExpr, name string, x value) value {
	a := l.array(x)
	switch name {
	case "At":
		return l.elementAt(e, a)
	case "Len":
		return l.arrayLen(a)
	case "Dim":
		if len(e.Args) == 1 {
			return l.arrayDim(e, a)
		}
	}
	l.errorf(e.Pos(), "use At, Len or Dim", "%s cannot be called in a kernel", types.ExprString(e.Fun))
	return bad
}

// elementAt is a.At(i, …); the number of indices is the array's rank.
func (l *lowering) elementAt(e *ast.CallExpr, a *param) value {
	count := len(e.Args)
	switch {
	case e.Ellipsis.IsValid():
		l.errorf(e.Pos(), "write the indices one by one", "the number of indices of At must be known when the kernel is compiled")
		return bad
	case count < 1 || count > 3:
		l.errorf(e.Pos(), "", "an NDArray has 1 to 3 dimensions, not %d", count)
		return bad
	case a.Rank == 0 && a.dims > count:
		l.errorf(e.Pos(), "", "%s has at least %d dimensions, since Dim(%d) is used, but is indexed with %d", a.name, a.dims, a.dims-1, count)
		return bad
	case a.Rank == 0:
		a.Rank = count
	case a.Rank != count:
		l.errorf(e.Pos(), "", "%s is indexed with %d indices here, with %d elsewhere", a.name, count, a.Rank)
		return bad
	}
	p := &place{typ: a.Type, array: a, pos: e.Pos()}
	args, ok := l.values(e.Args)
	if !ok || len(args) != count {
		return bad
	}
	for n, v := range args {
		i := l.index64(v)
		i.safe = v.bounds.below(a, n)
		p.indices = append(p.indices, i)
	}
	return value{kind: pointed, typ: types.NewPointer(a.Type), place: p}
}

// arrayLen is the number of elements.
func (l *lowering) arrayLen(a *param) value {
	a.lengthy = true
	n := intValue(l.emit.Dim(a.index, 0), true)
	if a.Rank <= 1 {
		n.most.axes = []axis{{a, 0}}
	}
	for k := 1; k < a.Rank; k++ {
		n.expr, n.stable = l.emit.Binary(cgo.Mul, n.expr, l.emit.Dim(a.index, k)), false
	}
	return n
}

func (l *lowering) arrayDim(e *ast.CallExpr, a *param) value {
	v := l.expression(e.Args[0])
	if v.kind == invalid {
		return bad
	}
	if v.constant == nil || v.constant.Kind() == constant.Unknown {
		l.errorf(e.Args[0].Pos(), "", "the axis of Dim must be constant in a kernel")
		return bad
	}
	k, ok := smallConstant(v)
	if !ok || k > 2 || a.Rank > 0 && k >= int64(a.Rank) {
		l.errorf(e.Args[0].Pos(), "", "%s has no axis %s", a.name, v.constant)
		return bad
	}
	a.dims = max(a.dims, int(k)+1)
	n := intValue(l.emit.Dim(a.index, int(k)), true)
	n.most.axes = []axis{{a, int(k)}}
	return n
}

// halfMethod is an operation on half-precision numbers: in single precision, then rounded, which rounds correctly.
func (l *lowering) halfMethod(e *ast.CallExpr, name string, x value) value {
	args, ok := l.values(e.Args)
	if !ok || len(args) > 1 {
		return bad
	}
	t := l.frame.fn.typeOf(e)
	l.at(e.Pos())
	wide := func(v value) cgo.Expr { return l.emit.Cast(cgo.CastValue, l.use(v), cgo.F32) }
	if op, ok := map[string]cgo.BinaryOp{"Add": cgo.Add, "Sub": cgo.Sub, "Mul": cgo.Mul, "Div": cgo.Div}[name]; ok && len(args) == 1 {
		left := wide(x)
		return scalarValue(l.emit.Cast(cgo.CastValue, l.emit.Binary(op, left, wide(args[0])), cgo.F16), t)
	}
	if op, ok := map[string]cgo.BinaryOp{"Less": cgo.Lt, "Equal": cgo.Eq}[name]; ok && len(args) == 1 {
		left := wide(x)
		return scalarValue(l.emit.Binary(op, left, wide(args[0])), t)
	}
	switch name {
	case "Neg":
		return scalarValue(l.emit.Unary(cgo.Neg, l.use(x)), t)
	case "Bits":
		return scalarValue(l.emit.Cast(cgo.CastBits, l.use(x), cgo.U16), t)
	case "Float32":
		return scalarValue(wide(x), t)
	}
	l.errorf(e.Pos(), "", "%s cannot be called in a kernel", types.ExprString(e.Fun))
	return bad
}
