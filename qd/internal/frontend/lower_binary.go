package frontend

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

func (l *lowering) binary(e *ast.BinaryExpr) value {
	switch e.Op {
	case token.LAND, token.LOR:
		x := l.expression(e.X)
		if x.kind == invalid {
			l.expression(e.Y)
			return bad
		}
		return l.shortCircuit(e.Op, x, l.needsStatements(e.Y), e.OpPos, func() value { return l.expression(e.Y) })
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		x, y := l.expression(e.X), l.expression(e.Y)
		return l.compare(e.Op, x, y, e.OpPos)
	}
	x, y := l.expression(e.X), l.expression(e.Y)
	t := l.frame.fn.typeOf(e)
	return l.arithmetic(e.Op, x, y, t, e.OpPos)
}

// arithmetic is x op y of type t, which is x's.
func (l *lowering) arithmetic(op token.Token, x, y value, t types.Type, pos token.Pos) value {
	if x.kind == invalid || y.kind == invalid || t == nil {
		return bad
	}
	binary, ok := binaryTokens[op]
	fits := isInteger(t)
	switch op {
	case token.ADD, token.SUB, token.MUL, token.QUO:
		fits = fits || isFloat(t)
	}
	if !ok || !fits {
		hint := ""
		if isHalf(t) {
			hint = "use the methods of qd.Float16"
		}
		l.errorf(pos, hint, "operator %s cannot be used on %s in a kernel", op, l.typeName(t))
		return bad
	}
	l.at(pos)
	if x.depth > maxNested {
		x = l.settle(x)
	}
	if y.depth > maxNested {
		y = l.settle(y)
	}
	left := l.typed(x, t)
	right := y
	if op != token.SHL && op != token.SHR {
		right = l.typed(y, t)
	}
	if left.kind == invalid || right.kind == invalid {
		return bad
	}
	out := scalarValue(l.emit.Binary(binary, l.use(left), l.use(right)), t)
	out.bounds, out.most = arithmeticBounds(op, x, y, t)
	out.depth = deeper(x, y)
	return out
}

// typed is an operand of the operation's type; it differs only where the operand is an untyped constant. The type checker
// has refused anything else, but what it reports on a line may have been left out for something else on it.
func (l *lowering) typed(v value, t types.Type) value {
	is, want := scalarType(v.typ), scalarType(t)
	switch {
	case v.kind == invalid || is == want && (is != cgo.None || types.Identical(v.typ.Underlying(), t.Underlying())):
		return v
	case v.kind == scalar && v.constant != nil && want != cgo.None:
		return l.constantValue(v.constant, t, l.current)
	}
	l.errorf(l.current, "", "mismatched types %s and %s", l.typeName(t), l.typeName(v.typ))
	return bad
}

// arithmeticBounds is what is known of a result.
func arithmeticBounds(op token.Token, x, y value, t types.Type) (low, most bounds) {
	if !isInteger(t) || y.constant == nil {
		return
	}
	n, exact := constant.Int64Val(constant.ToInt(y.constant))
	if !exact || n < 0 || n >= 1<<62 {
		return
	}
	switch op {
	case token.SUB: // a length made smaller; if it gets negative, nothing is below it
		if !isUnsigned(t) {
			most = x.most
		}
	case token.AND:
		low.limit = n + 1
	case token.REM:
		if n > 0 && (isUnsigned(t) || x.bounds.known()) {
			low.limit = n
		}
	case token.QUO, token.SHR:
		if x.bounds.known() && (op == token.SHR || n > 0) {
			low = x.bounds
		}
	}
	return
}

// compare is x op y, a bool.
func (l *lowering) compare(op token.Token, x, y value, pos token.Pos) value {
	if x.kind == invalid || y.kind == invalid {
		return bad
	}
	t := x.typ
	if x.constant != nil && y.constant == nil {
		t = y.typ
	}
	boolean := types.Typ[types.Bool]
	comparable := (x.kind == scalar || x.kind == placed) && (y.kind == scalar || y.kind == placed)
	if !comparable || t == nil || !isPlain(t) {
		hint := ""
		if x.kind == null || y.kind == null {
			hint = "slices and pointers of a kernel are never nil; compare len with 0"
		}
		l.errorf(pos, hint, "values of type %s cannot be compared in a kernel", l.typeName(t))
		return bad
	}
	l.at(pos)
	if scalarType(t) != cgo.None && !isHalf(t) {
		x, y = l.typed(x, t), l.typed(y, t)
		if x.kind == invalid || y.kind == invalid {
			return bad
		}
		left, right := l.use(x), l.use(y)
		return scalarValue(l.emit.Binary(binaryTokens[op], left, right), boolean)
	}
	if x, y = l.typed(x, t), l.typed(y, t); x.kind == invalid || y.kind == invalid {
		return bad
	}
	equal := l.equal(l.comparand(x), l.comparand(y), t)
	if op == token.NEQ {
		equal = l.emit.Unary(cgo.LogicNot, equal)
	}
	return scalarValue(equal, boolean)
}

// comparand is an aggregate whose parts can be read any number of times.
func (l *lowering) comparand(v value) value {
	if v.kind == placed && scalarType(v.typ) == cgo.None {
		v.place = l.pin(v.place)
	}
	return v
}

// maxUnrolled is how many elements of an array are compared or copied one by one rather than in a loop.
const maxUnrolled = 16

// equal compares values of a plain type, part by part.
func (l *lowering) equal(x, y value, t types.Type) cgo.Expr {
	if isHalf(t) { // a struct of bits to Go
		return l.emit.Binary(cgo.Eq, l.emit.Cast(cgo.CastBits, l.use(x), cgo.U16), l.emit.Cast(cgo.CastBits, l.use(y), cgo.U16))
	}
	if scalarType(t) != cgo.None {
		return l.emit.Binary(cgo.Eq, l.use(x), l.use(y))
	}
	result := none
	and := func(e cgo.Expr) {
		if result == none {
			result = e
		} else {
			result = l.emit.Binary(cgo.LogicAnd, result, e)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Name() != "_" {
				s := step{field: i}
				and(l.equal(placeValue(x.place.inside(s, f.Type(), token.NoPos)), placeValue(y.place.inside(s, f.Type(), token.NoPos)), f.Type()))
			}
		}
	case *types.Array:
		if u.Len() > maxUnrolled {
			return l.equalElements(x, y, u)
		}
		for i := range u.Len() {
			and(l.equal(placeValue(x.place.constantItem(l, i, u.Len(), u.Elem())), placeValue(y.place.constantItem(l, i, u.Len(), u.Elem())), u.Elem()))
		}
	}
	if result == none {
		return l.boolean(true)
	}
	return result
}

func (l *lowering) equalElements(x, y value, a *types.Array) cgo.Expr {
	l.effects++
	result := l.emit.Local("", cgo.U1, l.boolean(true))
	l.nesting++
	l.counted(countedLoop{bounds: []cgo.Expr{l.integer(0), l.integer(a.Len())}}, func(loop cgo.Label) {
		s := step{item: true, index: index{expr: l.emit.LoopIndex(loop, 0), stable: true, safe: true}, count: a.Len()}
		same := l.equal(placeValue(x.place.inside(s, a.Elem(), token.NoPos)), placeValue(y.place.inside(s, a.Elem(), token.NoPos)), a.Elem())
		l.effects++
		l.emit.BeginIf(l.emit.Unary(cgo.LogicNot, same))
		l.store(result, l.boolean(false))
		l.emit.Break(loop)
		l.emit.EndIf()
	})
	l.nesting--
	return result
}

// convert is a conversion T(x).
func (l *lowering) convert(x value, t types.Type, pos token.Pos) value {
	if x.kind == invalid {
		return bad
	}
	from, to := scalarType(x.typ), scalarType(t)
	l.at(pos)
	switch {
	case x.kind == literal || isString(t):
		l.errorf(pos, "only constant messages may be strings", "strings cannot be used in a kernel")
		return bad
	case from != cgo.None && to != cgo.None:
		return l.convertScalar(x, t, from, to)
	case x.kind == placed && isPlain(t) && from == cgo.None:
		q := *x.place
		q.typ = t
		out := x
		out.place, out.typ = &q, t
		return out
	case x.kind == viewed && isSlice(t):
		v := *x.view
		v.elem = t.Underlying().(*types.Slice).Elem()
		return value{kind: viewed, typ: t, view: &v}
	case x.kind == viewed:
		if a, ok := arrayOf(t); ok {
			return l.viewToArray(x.view, a, t, pos)
		}
	case x.kind == pointed:
		if elem, ok := pointee(t); ok {
			q := *x.place
			q.typ = elem
			return value{kind: pointed, typ: t, place: &q}
		}
	case x.kind == null && isSlice(t):
		return value{kind: viewed, typ: t, view: l.emptyView(t.Underlying().(*types.Slice).Elem())}
	case x.kind == arrayed:
		x.typ = t
		return x
	}
	l.errorf(pos, "", "a kernel cannot convert %s to %s", l.typeName(x.typ), l.typeName(t))
	return bad
}

func (l *lowering) convertScalar(x value, t types.Type, from, to cgo.Type) value {
	switch {
	case from != to && (from == cgo.F16 || to == cgo.F16 || from == cgo.U1 || to == cgo.U1):
		l.errorf(l.current, "", "a kernel cannot convert %s to %s", l.typeName(x.typ), l.typeName(t))
		return bad
	case from == to && isFloat(t) && x.constant == nil: // an explicit conversion rounds
		return scalarValue(l.emit.Cast(cgo.CastRound, l.use(x), to), t)
	case from == to:
		if x.kind == placed {
			q := *x.place
			q.typ = t
			return placeValue(&q)
		}
		x.typ = t
		return x
	}
	out := scalarValue(l.emit.Cast(cgo.CastValue, l.use(x), to), t)
	if isInteger(x.typ) && isInteger(t) && l.bitsOf(t) >= l.bitsOf(x.typ) {
		out.bounds, out.most = x.bounds, x.most
	}
	return out
}

// viewToArray is [N]T(s): a copy of the first N elements.
func (l *lowering) viewToArray(v *view, a *types.Array, t types.Type, pos token.Pos) value {
	v = l.pinView(v)
	if !l.rooted(v, pos) {
		return bad
	}
	l.check(cgo.CheckLength, []cgo.Expr{l.lengthOf(v).expr, l.integer(a.Len())}, v.name(), "")
	p := l.temporary("", t)
	copyItem := func(i value, n index) {
		from := l.elementOf(v, i, false, pos)
		to := p.inside(step{item: true, index: n, count: a.Len()}, a.Elem(), pos)
		l.store(l.address(to), l.use(from))
	}
	if a.Len() <= maxUnrolled {
		for i := range a.Len() {
			e := l.integer(i)
			copyItem(intValue(e, true), index{expr: e, stable: true, safe: true})
		}
	} else {
		l.nesting++
		l.counted(countedLoop{bounds: []cgo.Expr{l.integer(0), l.integer(a.Len())}}, func(loop cgo.Label) {
			e := l.emit.LoopIndex(loop, 0)
			copyItem(intValue(e, true), index{expr: e, stable: true, safe: true})
		})
		l.nesting--
	}
	return value{kind: placed, typ: t, place: p, fresh: true}
}
