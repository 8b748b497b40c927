package frontend

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// composite is an array or struct literal: memory of its own, zero but for what the literal says.
func (l *lowering) composite(e *ast.CompositeLit) value {
	t := l.frame.fn.typeOf(e)
	if t == nil {
		return bad
	}
	if scalarType(t) != cgo.None { // qd.Float16{}
		return l.zero(t)
	}
	if !isPlain(t) {
		hint := ""
		if isSlice(t) {
			hint = "use an array, such as [4]float32{…}"
		}
		l.errorf(e.Pos(), hint, "a literal of type %s cannot be used in a kernel", l.typeName(t))
		return bad
	}
	p := l.temporary("", t)
	if !l.fill(p, e) {
		return bad
	}
	return value{kind: placed, typ: t, place: p, fresh: true}
}

// fill stores what a literal says into zeroed memory.
func (l *lowering) fill(p *place, e *ast.CompositeLit) bool {
	ok := true
	switch u := p.typ.Underlying().(type) {
	case *types.Struct:
		for n, elt := range e.Elts {
			field := n
			if kv, isKey := elt.(*ast.KeyValueExpr); isKey {
				field, elt = fieldNumber(u, kv.Key), kv.Value
			}
			if field < 0 || field >= u.NumFields() {
				return false
			}
			ok = l.fillPart(p.inside(step{field: field}, u.Field(field).Type(), elt.Pos()), elt) && ok
		}
	case *types.Array:
		next := int64(0)
		for _, elt := range e.Elts {
			if kv, isKey := elt.(*ast.KeyValueExpr); isKey {
				key := l.frame.fn.unit.info.Types[kv.Key].Value
				if key == nil {
					return false
				}
				next, _ = constant.Int64Val(constant.ToInt(key))
				elt = kv.Value
			}
			if next < 0 || next >= u.Len() {
				return false
			}
			ok = l.fillPart(p.constantItem(l, next, u.Len(), u.Elem()), elt) && ok
			next++
		}
	}
	return ok
}

func fieldNumber(s *types.Struct, key ast.Expr) int {
	if id, ok := key.(*ast.Ident); ok {
		for i := range s.NumFields() {
			if s.Field(i).Name() == id.Name {
				return i
			}
		}
	}
	return -1
}

func (l *lowering) fillPart(p *place, e ast.Expr) bool {
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok && scalarType(p.typ) == cgo.None {
		return l.fill(p, lit)
	}
	v := l.expression(e)
	if v.kind != scalar && v.kind != placed {
		if v.kind != invalid {
			l.errorf(e.Pos(), "", "%s cannot be stored in a kernel", types.ExprString(e))
		}
		return false
	}
	l.at(e.Pos())
	if v = l.typed(v, p.typ); v.kind == invalid {
		return false
	}
	l.store(l.address(p), l.use(v))
	return true
}
