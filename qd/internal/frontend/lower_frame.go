package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// frame is one function that is being compiled in: the kernel, or a call.
type frame struct {
	fn      *function
	vars    map[types.Object]*variable
	facts   *variableFacts
	results []*variable // named results, or the locals of unnamed ones; of a call with a scope to leave
	out     cgo.Label   // the scope that a return leaves
	leaves  bool        // there is such a scope
	final   *ast.ReturnStmt
	direct  []value // what the final return gave
	targets []target
	caller  *frame
	callPos token.Pos
}

// target is a loop or switch that break or continue can leave.
type target struct {
	label    string
	loop     bool
	exit     cgo.Label
	next     cgo.Label // of a loop
	parallel bool      // refuses break
}

func (l *lowering) newFrame(fn *function, callPos token.Pos) *frame {
	return &frame{
		fn: fn, vars: map[types.Object]*variable{}, facts: l.factsOf(fn),
		caller: l.frame, callPos: callPos,
	}
}

// variable is a Go variable. Memory is only behind one that changes or whose address is taken; the others are values.
type variable struct {
	name    string
	typ     types.Type
	val     value
	mutable bool
	region  int  // the parallel loop in which it was declared
	order   int  // when it was declared, among locals and variables
	unset   bool // a slice or pointer that is nil so far
}

// declareVariable makes a variable of a type with its first value; kind nothing gives it Go's zero value.
func (l *lowering) declareVariable(obj types.Object, t types.Type, v value) *variable {
	facts := l.frame.facts
	l.order++
	out := &variable{name: obj.Name(), typ: t, mutable: facts.mutable(obj), region: l.region, order: l.order}
	if isPlain(t) && (v.kind == scalar || v.kind == placed) {
		v = l.typed(v, t)
	}
	l.frame.vars[obj] = out
	if v.kind == invalid {
		out.val = bad
		return out
	}
	switch {
	case isPlain(t):
		l.declarePlain(out, v)
		if out.val.kind == placed && out.val.place.local != nil {
			out.val.place.local.addressed = facts.addressed[obj]
		}
	case v.kind == viewed || v.kind == nothing && isSlice(t) || v.kind == null && isSlice(t):
		l.declareView(out, v)
	case v.kind == pointed:
		out.val = l.copyOf(v, out.name)
		if out.mutable {
			out.val.place = l.movable(out.val.place)
		}
	case v.kind == arrayed, v.kind == structured:
		if out.mutable {
			l.errorf(obj.Pos(), "use a variable of its own for each", "%s cannot change what it refers to in a kernel", out.name)
		}
		out.val = v
	case v.kind == nothing || v.kind == null:
		if _, ok := pointee(t); ok {
			l.errorf(obj.Pos(), "declare it where it gets its value", "a pointer in a kernel must point to a variable from the start")
		} else {
			l.unsupportedType(obj.Pos(), t)
		}
		out.val = bad
	default:
		l.unsupportedType(obj.Pos(), t)
		out.val = bad
	}
	if out.val.kind != invalid {
		out.val.typ = t
	}
	return out
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func (l *lowering) unsupportedType(pos token.Pos, t types.Type) {
	l.errorf(pos, "use scalars, arrays, structs and slices of the arguments", "values of type %s do not exist in kernels", l.typeName(t))
}

// declarePlain keeps a scalar or an aggregate.
func (l *lowering) declarePlain(out *variable, v value) {
	isScalar := scalarType(out.typ) != cgo.None
	switch {
	case v.kind == nothing && isScalar && !out.mutable:
		out.val = l.zero(out.typ)
	case v.kind == nothing:
		out.val = placeValue(l.temporary(out.name, out.typ))
	case isScalar && !out.mutable:
		out.val = l.settle(v)
	case isScalar:
		l.effects++
		h := l.emit.Local(out.name, l.types.id(out.typ), l.use(v))
		out.val = placeValue(&place{typ: out.typ, local: l.newLocal(h, out.name), pos: l.current})
	case v.kind != placed:
		out.val = bad
	case !out.mutable && v.place.value != nil && len(v.place.steps) == 0:
		out.val = v // a parameter that nothing writes
	default:
		v = l.copyOf(v, out.name)
		q := *v.place
		q.typ = out.typ
		q.local.name = out.name
		out.val = placeValue(&q)
		if !out.mutable {
			out.val.parts = v.parts
		}
	}
}

// declareView keeps a slice. A variable that changes has locals for where it starts and ends.
func (l *lowering) declareView(out *variable, v value) {
	elem := out.typ.Underlying().(*types.Slice).Elem()
	if v.kind != viewed {
		v = value{kind: viewed, typ: out.typ, view: &view{elem: elem, offset: none, length: l.integer(0), capacity: l.integer(0)}}
		if out.unset = out.mutable; !out.unset {
			v.view = l.emptyView(elem)
		}
	}
	v.view = l.pinView(v.view)
	if out.mutable {
		v.view = l.movableView(v.view, out.name)
	}
	out.val = v
}

func (l *lowering) movableView(v *view, name string) *view {
	q := *v
	length, capacity := l.lengthOf(v).expr, l.use(l.capacityOf(v))
	if v.array == nil && v.base == nil {
		length, capacity = v.length, v.capacity
	}
	start := v.offset
	if start == none {
		start = l.integer(0)
	}
	q.offset = l.localInt(name, start)
	q.length = l.localInt(name, length)
	q.capacity = l.localInt(name, capacity)
	q.prefix = l.movableIndices(v.prefix, name)
	if v.base != nil {
		q.base = l.movable(v.base)
	}
	q.mutable = true
	return &q
}

func (l *lowering) localInt(name string, init cgo.Expr) cgo.Expr {
	l.effects++
	return l.emit.Local(name, cgo.I64, init)
}

func (l *lowering) movableIndices(indices []index, name string) []index {
	out := make([]index, len(indices))
	for n, i := range indices {
		out[n] = index{expr: l.localInt(name, i.expr), safe: true}
	}
	return out
}

// movable is a pinned place whose indices are locals, so that a pointer can be moved to another element.
func (l *lowering) movable(p *place) *place {
	q := *p
	q.indices = l.movableIndices(p.indices, "")
	q.steps = append([]step(nil), p.steps...)
	for n := range q.steps {
		if q.steps[n].item {
			q.steps[n].index = index{expr: l.localInt("", q.steps[n].index.expr), safe: true}
		}
	}
	return &q
}

// sameWay tells whether two places differ in their indices alone.
func sameWay(p, q *place) bool {
	if p.local != q.local || p.value != q.value || p.array != q.array || len(p.indices) != len(q.indices) ||
		len(p.steps) != len(q.steps) {
		return false
	}
	for n, s := range p.steps {
		if s.item != q.steps[n].item || s.field != q.steps[n].field {
			return false
		}
	}
	return true
}

// move makes the pinned place q what the movable place p is.
func (l *lowering) move(p, q *place) {
	for n := range p.indices {
		l.store(p.indices[n].expr, q.indices[n].expr)
	}
	for n := range p.steps {
		if p.steps[n].item {
			l.store(p.steps[n].index.expr, q.steps[n].index.expr)
		}
	}
}

func (l *lowering) store(to, v cgo.Expr) {
	l.effects++
	l.emit.Assign(to, v)
}

// moveView assigns to a variable that holds a slice.
func (l *lowering) moveView(to *variable, v value, pos token.Pos) {
	if v.kind == null {
		l.store(to.val.view.length, l.integer(0))
		l.store(to.val.view.capacity, l.integer(0))
		return
	}
	old, now := to.val.view, l.pinView(v.view)
	start := now.offset
	if start == none {
		start = l.integer(0)
	}
	if to.unset && len(now.prefix) == 0 && (now.base == nil || !hasIndices(now.base)) {
		if now.base != nil && now.base.local != nil && now.base.local.order > to.order {
			l.errorf(pos, "declare the array first", "%s may outlive the array that it becomes a slice of", to.name)
			return
		}
		q := *old
		q.array, q.base, q.count, to.unset = now.array, now.base, now.count, false
		to.val.view, old = &q, &q
	}
	same := old.array == now.array && len(old.prefix) == len(now.prefix) && (old.base == nil) == (now.base == nil) &&
		(old.base == nil || sameWay(old.base, now.base))
	if !same {
		l.errorf(pos, "use a variable of its own for each array",
			"%s cannot become a slice of another array: which array a slice is of must be known when the kernel is compiled", to.name)
		return
	}
	if old.base != nil {
		l.move(old.base, now.base)
	}
	for n := range old.prefix {
		l.store(old.prefix[n].expr, now.prefix[n].expr)
	}
	length, capacity := l.lengthOf(now).expr, l.use(l.capacityOf(now))
	l.store(old.offset, start)
	l.store(old.length, length)
	l.store(old.capacity, capacity)
}

func hasIndices(p *place) bool {
	if len(p.indices) > 0 {
		return true
	}
	for _, s := range p.steps {
		if s.item {
			return true
		}
	}
	return false
}
