package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// loopConfig is what qd.LoopConfig said of the next loop.
type loopConfig struct {
	blockDim  int
	serialize bool
	name      string
}

// countedLoop is a loop whose trips are known when it starts.
type countedLoop struct {
	label    string
	bounds   []cgo.Expr
	parallel bool
	options  loopConfig
}

// counted builds a loop; body gets the builder's label for it.
func (l *lowering) counted(c countedLoop, body func(loop cgo.Label)) {
	c.parallel = c.parallel && !c.options.serialize
	l.effects++
	// Without Serialize, a serial loop at the top level of the kernel, or compiled in there, would become parallel.
	loop := l.emit.BeginFor(c.bounds, cgo.LoopOptions{
		BlockDim: c.options.blockDim, Serialize: !c.parallel, Name: c.options.name,
	})
	region := l.region
	if c.parallel {
		l.regions++
		l.region = l.regions
	}
	l.pushTarget(target{loop: true, label: c.label, exit: loop, next: loop, parallel: c.parallel})
	body(loop)
	l.popTarget()
	l.region = region
	l.emit.EndFor()
}

func (l *lowering) rangeStatement(s *ast.RangeStmt, label string) {
	c := countedLoop{label: label, options: l.options}
	c.parallel = l.nesting == 0 && l.frame.caller == nil && l.frame.fn.isParallel(s)
	l.options = loopConfig{}
	l.nesting++
	defer func() { l.nesting-- }()
	t := l.frame.fn.typeOf(s.X)
	if t == nil {
		return
	}
	if call, name := l.ndRange(s.X); call != nil {
		l.rangeND(s, call, name, c)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			l.rangeInt(s, c)
			return
		}
	case *types.Slice:
		l.rangeView(s, c)
		return
	case *types.Array:
		l.rangeArray(s, c, u)
		return
	case *types.Pointer:
		if a, ok := arrayOf(u.Elem()); ok {
			l.rangeArray(s, c, a)
			return
		}
	}
	l.errorf(s.X.Pos(), "range over an integer, a slice, an array, qd.NDRange2 or qd.NDRange3", "a kernel cannot range over %s", l.typeName(t))
}

// iterate gives a range statement's variable its value for this iteration.
func (l *lowering) iterate(s *ast.RangeStmt, e ast.Expr, v value) {
	if e == nil {
		return
	}
	id, ok := e.(*ast.Ident)
	if ok && id.Name == "_" {
		return
	}
	if s.Tok == token.DEFINE && ok {
		l.define(id, v)
		return
	}
	l.assignTo(e, l.copyOf(v, ""), e.Pos())
}

// loopValue is a loop's index as a value of type t.
func (l *lowering) loopValue(loop cgo.Label, axis int, t types.Type, b bounds) value {
	v := intValue(l.emit.LoopIndex(loop, axis), true)
	v.bounds = b
	return l.toInteger(v, t)
}

// toInteger makes an i64 whose value fits a value of integer type t.
func (l *lowering) toInteger(v value, t types.Type) value {
	if scalarType(t) != cgo.I64 {
		v.expr, v.stable = l.emit.Cast(cgo.CastValue, v.expr, scalarType(t)), false
	}
	v.typ = t
	return v
}

func (l *lowering) rangeInt(s *ast.RangeStmt, c countedLoop) {
	t := l.frame.fn.typeOf(s.X)
	if s.Key != nil {
		if kt := l.frame.fn.typeOf(s.Key); kt != nil && isInteger(kt) {
			t = kt
		}
	}
	if s.Value != nil {
		l.errorf(s.Value.Pos(), "", "range over an integer has one variable")
		return
	}
	n := l.expression(s.X)
	l.at(s.Pos())
	c.bounds = []cgo.Expr{l.integer(0), l.index64(n).expr}
	l.counted(c, func(loop cgo.Label) {
		if s.Key != nil {
			l.iterate(s, s.Key, l.loopValue(loop, 0, t, n.most))
		}
		l.statements(s.Body.List)
	})
}

func (l *lowering) rangeView(s *ast.RangeStmt, c countedLoop) {
	x := l.expression(s.X)
	if x.kind != viewed {
		return
	}
	v := l.pinView(x.view)
	if s.Value != nil && !isBlank(s.Value) && !l.rooted(v, s.X.Pos()) {
		return
	}
	n := l.lengthOf(v)
	l.at(s.Pos())
	c.bounds = []cgo.Expr{l.integer(0), n.expr}
	l.counted(c, func(loop cgo.Label) {
		i := l.loopValue(loop, 0, types.Typ[types.Int], n.most)
		l.iterateElement(s, i, func() value { return l.elementOf(v, i, false, s.Pos()) })
		l.statements(s.Body.List)
	})
}

// iterateElement gives the variables of a range over elements their values. Go assigns both at once, so that the element
// is read before the index variable changes.
func (l *lowering) iterateElement(s *ast.RangeStmt, i value, element func() value) {
	var v value
	wanted := s.Value != nil && !isBlank(s.Value)
	if wanted {
		v = element()
	}
	if wanted && s.Tok != token.DEFINE {
		v = l.copyOf(v, "")
	}
	if s.Key != nil {
		l.iterate(s, s.Key, i)
	}
	if wanted {
		l.iterate(s, s.Value, v)
	}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

func (l *lowering) rangeArray(s *ast.RangeStmt, c countedLoop, a *types.Array) {
	var p *place
	if s.Value != nil && !isBlank(s.Value) {
		x := l.expression(s.X)
		switch x.kind {
		case pointed:
			p = l.pin(x.place)
		case placed:
			// Go ranges over a copy of an array; it is only needed where the loop could see the difference.
			if !x.fresh && !l.unchanging(x.place, rootVariable(l.frame.fn, s.X), s.Body) {
				x = l.copyOf(x, "")
			}
			p = l.pin(x.place)
		default:
			return
		}
	}
	l.at(s.Pos())
	c.bounds = []cgo.Expr{l.integer(0), l.integer(a.Len())}
	l.counted(c, func(loop cgo.Label) {
		i := l.loopValue(loop, 0, types.Typ[types.Int], bounds{limit: a.Len()})
		l.iterateElement(s, i, func() value {
			n := index{expr: i.expr, stable: true, safe: true}
			return placeValue(p.inside(step{item: true, index: n, count: a.Len()}, a.Elem(), s.Pos()))
		})
		l.statements(s.Body.List)
	})
}

// unchanging tells whether a place that is part of the variable obj keeps its value while the body runs.
func (l *lowering) unchanging(p *place, obj types.Object, body ast.Node) bool {
	if p.value != nil {
		return true
	}
	if p.local == nil || p.local.addressed || obj == nil {
		return false
	}
	return !collectFacts(l.frame.fn, body).assigned[obj]
}

// ndRange recognises a call of qd.NDRange2 or qd.NDRange3.
func (l *lowering) ndRange(e ast.Expr) (*ast.CallExpr, string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, ""
	}
	name := apiName(l.frame.fn.unit.info, call)
	if name == "NDRange2" && len(call.Args) == 2 || name == "NDRange3" && len(call.Args) == 3 {
		return call, name
	}
	return nil, ""
}

func (l *lowering) rangeND(s *ast.RangeStmt, call *ast.CallExpr, name string, c countedLoop) {
	var most []bounds
	for _, e := range call.Args {
		n := l.expression(e)
		c.bounds = append(c.bounds, l.integer(0), l.index64(n).expr)
		most = append(most, n.most)
	}
	l.at(s.Pos())
	l.counted(c, func(loop cgo.Label) {
		integer := types.Typ[types.Int]
		if name == "NDRange2" {
			i, j := l.loopValue(loop, 0, integer, most[0]), l.loopValue(loop, 1, integer, most[1])
			l.iterate(s, s.Key, i)
			l.iterate(s, s.Value, j)
		} else if s.Key != nil && !isBlank(s.Key) {
			p := l.temporary("", types.NewArray(integer, 3))
			v := value{kind: placed, typ: p.typ, place: p, fresh: true}
			for axis := range 3 {
				i := l.loopValue(loop, axis, integer, most[axis])
				l.store(l.address(p.constantItem(l, int64(axis), 3, integer)), i.expr)
				v.parts = append(v.parts, i)
			}
			l.iterate(s, s.Key, v)
		}
		l.statements(s.Body.List)
	})
}

// constantItem is an element of an array at a constant index.
func (p *place) constantItem(l *lowering, n, count int64, t types.Type) *place {
	i := index{expr: l.integer(n), stable: true, safe: true}
	return p.inside(step{item: true, index: i, count: count}, t, token.NoPos)
}
