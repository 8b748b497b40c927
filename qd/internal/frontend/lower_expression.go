package frontend

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// expression lowers an expression; what it gives stands for the value, or for the place where that is.
func (l *lowering) expression(e ast.Expr) value {
	info := l.frame.fn.unit.info
	tv := info.Types[e]
	if tv.Value != nil {
		return l.constantValue(tv.Value, l.frame.fn.typeOf(e), e.Pos())
	}
	if tv.IsNil() {
		return value{kind: null, typ: l.frame.fn.typeOf(e)}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.expression(e.X)
	case *ast.Ident:
		return l.name(e)
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.IndexExpr:
		return l.indexed(e)
	case *ast.SliceExpr:
		return l.sliced(e)
	case *ast.StarExpr:
		return l.dereference(l.expression(e.X), e.Pos())
	case *ast.UnaryExpr:
		return l.unary(e)
	case *ast.BinaryExpr:
		return l.binary(e)
	case *ast.CallExpr:
		return l.call(e)
	case *ast.CompositeLit:
		return l.composite(e)
	}
	l.errorf(e.Pos(), "", "%s cannot be used in a kernel", types.ExprString(e))
	return bad
}

func (l *lowering) name(e *ast.Ident) value {
	if obj, ok := l.frame.fn.unit.info.Uses[e].(*types.Const); ok {
		return l.constantValue(obj.Val(), l.frame.fn.substitute(obj.Type()), e.Pos())
	}
	v := l.variableOf(e)
	if v == nil {
		return bad
	}
	return v.val
}

// constantValue is a constant of a type.
func (l *lowering) constantValue(c constant.Value, t types.Type, pos token.Pos) value {
	if t == nil || c.Kind() == constant.Unknown {
		return bad
	}
	if c.Kind() == constant.String {
		return value{kind: literal, typ: t, constant: c}
	}
	id := scalarType(t)
	v := value{kind: scalar, typ: types.Default(t), stable: true, constant: c}
	switch {
	case id == cgo.U1 && c.Kind() == constant.Bool:
		n := int64(0)
		if constant.BoolVal(c) {
			n = 1
		}
		v.expr = l.emit.ConstantInt(id, n)
		return v
	case isInteger(t):
		n := constant.ToInt(c)
		i, exact := constant.Int64Val(n)
		if !exact {
			u, ok := constant.Uint64Val(n)
			if !ok {
				break
			}
			i = int64(u)
		} else if i >= 0 && i < 1<<62 {
			v.bounds.limit, v.most.limit = i+1, i
		}
		v.expr = l.emit.ConstantInt(id, i)
		return v
	case isFloat(t):
		x := constant.ToFloat(c)
		f, _ := constant.Float64Val(x)
		if id == cgo.F32 {
			s, _ := constant.Float32Val(x)
			f = float64(s)
		}
		v.expr = l.emit.ConstantFloat(id, f)
		return v
	}
	l.errorf(pos, "", "a constant of type %s cannot be used in a kernel", l.typeName(t))
	return bad
}

func (l *lowering) boolean(b bool) cgo.Expr {
	n := int64(0)
	if b {
		n = 1
	}
	return l.emit.ConstantInt(cgo.U1, n)
}

func isTrue(v value) bool {
	return v.constant != nil && v.constant.Kind() == constant.Bool && constant.BoolVal(v.constant)
}

// number is a small whole number of a scalar type.
func (l *lowering) number(n int64, t types.Type) value {
	id := scalarType(t)
	if isFloat(t) || isHalf(t) {
		return stableValue(l.emit.ConstantFloat(id, float64(n)), t)
	}
	return stableValue(l.emit.ConstantInt(id, n), t)
}

func (l *lowering) zero(t types.Type) value { return l.number(0, t) }
func (l *lowering) one(t types.Type) value {
	if !isInteger(t) && !isFloat(t) {
		return bad
	}
	return l.number(1, t)
}

func (l *lowering) selector(e *ast.SelectorExpr) value {
	sel := l.frame.fn.unit.info.Selections[e]
	if sel == nil {
		obj := l.frame.fn.unit.info.Uses[e.Sel]
		if c, ok := obj.(*types.Const); ok {
			return l.constantValue(c.Val(), c.Type(), e.Pos())
		}
		l.errorf(e.Pos(), "pass it as an argument or make it a constant", "package-level variable %s", types.ExprString(e))
		return bad
	}
	if sel.Kind() != types.FieldVal {
		l.errorf(e.Pos(), "call it", "the method value %s cannot be used in a kernel", types.ExprString(e))
		return bad
	}
	x := ast.Unparen(e.X)
	if star, ok := x.(*ast.StarExpr); ok { // (*p).f is p.f
		x = star.X
	}
	v := l.expression(x)
	for _, i := range sel.Index() {
		v = l.field(v, i, e.Sel.Pos())
	}
	return v
}

// field is a field of a struct, or of what a pointer to a struct points to.
func (l *lowering) field(v value, i int, pos token.Pos) value {
	switch v.kind {
	case structured:
		return l.recordField(v.record, i, pos)
	case pointed:
		v = placeValue(v.place)
	}
	s, ok := structOf(v.typ)
	if v.kind != placed || !ok || i >= s.NumFields() {
		return bad
	}
	return placeValue(v.place.inside(step{field: i}, s.Field(i).Type(), token.NoPos))
}

func (l *lowering) dereference(v value, pos token.Pos) value {
	switch v.kind {
	case pointed:
		return placeValue(v.place)
	case structured:
		t, ok := pointee(v.typ)
		if !ok {
			return bad
		}
		if !isPlain(t) {
			return value{kind: structured, typ: t, record: v.record}
		}
		return l.copyOfRecord(v.record, t, pos)
	case arrayed:
		l.errorf(pos, "use At", "an NDArray cannot be copied")
	case null:
		l.errorf(pos, "", "nil points nowhere")
	}
	return bad
}

func (l *lowering) indexed(e *ast.IndexExpr) value {
	x := l.expression(e.X)
	i := l.expression(e.Index)
	if x.kind == invalid || i.kind == invalid {
		return bad
	}
	if !isInteger(i.typ) && i.constant == nil {
		l.errorf(e.Index.Pos(), "", "an index must be an integer")
		return bad
	}
	if x.kind == pointed {
		x = placeValue(x.place)
	}
	switch x.kind {
	case viewed:
		v := l.elementOf(x.view, i, true, e.Pos())
		if v.kind == invalid {
			l.rooted(x.view, e.Pos())
		}
		return v
	case placed:
		return l.item(x, i, e.Pos())
	}
	l.errorf(e.Pos(), "", "%s cannot be indexed in a kernel", types.ExprString(e.X))
	return bad
}

// item is an element of an array in memory.
func (l *lowering) item(x, i value, pos token.Pos) value {
	a, ok := arrayOf(x.typ)
	if !ok {
		return bad
	}
	if n, ok := smallConstant(i); ok && n < int64(len(x.parts)) {
		return x.parts[n]
	}
	n := l.index64(i)
	n.safe = i.bounds.limit > 0 && i.bounds.limit <= a.Len()
	return placeValue(x.place.inside(step{item: true, index: n, count: a.Len()}, a.Elem(), pos))
}

// smallConstant is the value of a constant that is not negative.
func smallConstant(v value) (int64, bool) {
	if v.constant == nil || v.constant.Kind() != constant.Int && v.constant.Kind() != constant.Float {
		return 0, false
	}
	n, exact := constant.Int64Val(constant.ToInt(v.constant))
	return n, exact && n >= 0
}

func (l *lowering) sliced(e *ast.SliceExpr) value {
	x := l.expression(e.X)
	bound := func(e ast.Expr) value {
		if e == nil {
			return value{kind: nothing}
		}
		return l.settle(l.expression(e))
	}
	lo, hi, top := bound(e.Low), bound(e.High), bound(e.Max)
	if x.kind == invalid || lo.kind == invalid || hi.kind == invalid || top.kind == invalid {
		return bad
	}
	t := l.frame.fn.typeOf(e)
	if t == nil || !isSlice(t) {
		l.errorf(e.Pos(), "", "%s cannot be sliced in a kernel", types.ExprString(e.X))
		return bad
	}
	var v *view
	switch x.kind {
	case viewed:
		v = x.view
	case placed, pointed:
		var ok bool
		if v, ok = l.viewOfArray(x.place, t); !ok {
			return bad
		}
	default:
		l.errorf(e.Pos(), "", "%s cannot be sliced in a kernel", types.ExprString(e.X))
		return bad
	}
	if !l.rooted(v, e.Pos()) {
		return bad
	}
	return l.slice(v, lo, hi, top, t, e.Pos())
}

func (l *lowering) unary(e *ast.UnaryExpr) value {
	if e.Op == token.AND {
		return l.addressOf(e)
	}
	x := l.expression(e.X)
	if x.kind == invalid {
		return bad
	}
	l.at(e.OpPos)
	var op cgo.UnaryOp
	switch {
	case e.Op == token.ADD:
		return x
	case e.Op == token.SUB && (isInteger(x.typ) || isFloat(x.typ)):
		op = cgo.Neg
	case e.Op == token.XOR && isInteger(x.typ):
		op = cgo.BitNot
	case e.Op == token.NOT && isBoolean(x.typ):
		op = cgo.LogicNot
	default:
		l.errorf(e.Pos(), "", "operator %s cannot be used on %s in a kernel", e.Op, l.typeName(x.typ))
		return bad
	}
	return scalarValue(l.emit.Unary(op, l.use(x)), x.typ)
}

func (l *lowering) addressOf(e *ast.UnaryExpr) value {
	x := l.expression(e.X)
	t := l.frame.fn.typeOf(e)
	switch x.kind {
	case placed:
		return value{kind: pointed, typ: t, place: x.place}
	case structured:
		return value{kind: structured, typ: t, record: x.record}
	case invalid:
	default:
		l.errorf(e.Pos(), "copy it to a variable", "the address of %s cannot be taken in a kernel", types.ExprString(e.X))
	}
	return bad
}

// needsStatements tells whether lowering an expression may build statements, so that it cannot stand inside another
// expression whose evaluation is conditional.
func (l *lowering) needsStatements(e ast.Expr) bool {
	found, depth := false, 0
	ast.Inspect(e, func(n ast.Node) bool {
		if n == nil {
			depth--
			return false
		}
		if depth++; depth > maxNested/2 {
			found = true
		}
		switch n := n.(type) {
		case *ast.CompositeLit, *ast.SliceExpr, *ast.FuncLit, *ast.StarExpr:
			found = true
		case *ast.BinaryExpr:
			if t := l.frame.fn.typeOf(n.X); t != nil && basicInfo(t) == 0 {
				found = true
			}
		case *ast.CallExpr:
			found = found || !l.isSimpleCall(n)
		}
		if found {
			depth--
		}
		return !found
	})
	return found
}

// isFirstRow is true for x, x[0], x[0][0]: their length needs no check, and so no statement.
func (l *lowering) isFirstRow(e ast.Expr) bool {
	for {
		index, ok := ast.Unparen(e).(*ast.IndexExpr)
		if !ok {
			return true
		}
		v := l.frame.fn.unit.info.Types[index.Index].Value
		if v == nil || constant.Sign(v) != 0 {
			return false
		}
		e = index.X
	}
}

func (l *lowering) isSimpleCall(call *ast.CallExpr) bool {
	info := l.frame.fn.unit.info
	fun := ast.Unparen(call.Fun)
	tv := info.Types[fun]
	switch {
	case info.Types[call].Value != nil:
		return true
	case tv.IsType():
		return scalarType(l.frame.fn.substitute(tv.Type)) != cgo.None
	case tv.IsBuiltin():
		id, ok := fun.(*ast.Ident)
		if !ok || len(call.Args) == 0 {
			return false
		}
		return id.Name == "min" || id.Name == "max" || (id.Name == "len" || id.Name == "cap") && l.isFirstRow(call.Args[0])
	}
	obj, _ := l.ld.callee(l.frame.fn, call)
	return obj != nil && isSimpleFunction(obj)
}
