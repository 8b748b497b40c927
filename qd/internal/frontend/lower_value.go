package frontend

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// valueKind says which members of a value count.
type valueKind uint8

const (
	invalid    valueKind = iota // could not be lowered; was reported
	nothing                     // of a call without results
	scalar                      // expr
	placed                      // place: a variable or part of one, or an aggregate in memory of its own
	viewed                      // view: a slice
	pointed                     // place: what it points to
	arrayed                     // param: a *qd.NDArray
	structured                  // record: a struct among the kernel's arguments whose fields are parameters
	several                     // list: the results of a call
	null                        // nil
	literal                     // constant: a string
)

// value is what an expression gives while it is lowered: little of it exists when the kernel runs.
type value struct {
	kind     valueKind
	typ      types.Type
	expr     cgo.Expr
	stable   bool // scalar: may be used any number of times and means the same each time
	fresh    bool // placed: no one else refers to the memory
	place    *place
	view     *view
	param    *param
	record   *record
	list     []value
	constant constant.Value
	depth    int     // scalar: how deep the expression is nested
	parts    []value // placed: the elements, where they are known to be these for good
	bounds   bounds  // what it lies below, as an index
	most     bounds  // what it is not above, as a length
}

// bounds are limits of an integer that is known not to be negative.
type bounds struct {
	limit   int64      // 0: none
	axes    []axis     // lengths of array parameters
	lengths []cgo.Expr // stable values
}

type axis struct {
	array *param
	axis  int
}

func (b bounds) known() bool { return b.limit > 0 || len(b.axes) > 0 || len(b.lengths) > 0 }

func (b bounds) below(array *param, number int) bool {
	for _, a := range b.axes {
		if a.array == array && a.axis == number {
			return true
		}
	}
	return false
}

func (b bounds) belowLength(length cgo.Expr) bool {
	for _, e := range b.lengths {
		if e == length {
			return true
		}
	}
	return false
}

var bad = value{kind: invalid}

func scalarValue(e cgo.Expr, t types.Type) value { return value{kind: scalar, typ: t, expr: e} }
func stableValue(e cgo.Expr, t types.Type) value {
	return value{kind: scalar, typ: t, expr: e, stable: true}
}
func placeValue(p *place) value { return value{kind: placed, typ: p.typ, place: p} }

// local is a variable in the kernel's memory.
type local struct {
	expr      cgo.Expr
	region    int // the parallel loop in which it was declared
	frame     *frame
	name      string
	order     int  // when it was declared, among locals and variables
	addressed bool // something may change it other than by its name
}

func (l *lowering) newLocal(e cgo.Expr, name string) *local {
	l.order++
	return &local{expr: e, region: l.region, frame: l.frame, name: name, order: l.order}
}

// place is memory: a root and the way from it. Every use builds the way anew, since an expression has one user, so the
// indices must be stable (pin) before a second use.
type place struct {
	typ      types.Type
	local    *local  // the root, or
	value    *param  // the root: a parameter passed by value, or
	array    *param  // the root: an element of an array parameter, at
	indices  []index //
	steps    []step  // from the root
	readonly string  // why it cannot be assigned
	pos      token.Pos
}

// index is one index of an element, an i64.
type index struct {
	expr   cgo.Expr
	stable bool
	safe   bool // known to be in range
	first  bool // the constant 0
}

// step goes into a struct or an array.
type step struct {
	field int
	item  bool
	index index
	count int64 // of the array's elements
}

// inside is the place of a part.
func (p *place) inside(s step, t types.Type, pos token.Pos) *place {
	q := *p
	q.steps = append(p.steps[:len(p.steps):len(p.steps)], s)
	q.typ = t
	if pos.IsValid() {
		q.pos = pos
	}
	return &q
}

// address builds the expression that denotes the place.
func (l *lowering) address(p *place) cgo.Expr {
	var h cgo.Expr
	switch {
	case p.local != nil:
		h = p.local.expr
	case p.value != nil:
		h = p.value.expr
	default:
		h = l.element(p)
	}
	for _, s := range p.steps {
		if s.item {
			l.at(p.pos)
			h = l.emit.Item(h, s.index.expr, !s.index.safe)
		} else {
			h = l.emit.Field(h, s.field)
		}
	}
	return h
}

// element builds the root of a place in an array parameter.
func (l *lowering) element(p *place) cgo.Expr {
	safe := 0
	for _, i := range p.indices {
		if i.safe {
			safe++
		}
	}
	handles := make([]cgo.Expr, len(p.indices))
	mixed := safe > 0 && safe < len(p.indices)
	l.at(p.pos)
	for n, i := range p.indices {
		handles[n] = i.expr
		if mixed && !i.safe {
			handles[n] = l.emit.CheckedIndex(i.expr, l.emit.Dim(p.array.index, n), p.array.name)
		}
	}
	return l.emit.Element(p.array.index, handles, safe == 0)
}

// pin makes a place fit for any number of uses, now and later: its indices are evaluated and checked here.
func (l *lowering) pin(p *place) *place {
	q := *p
	q.indices = append([]index(nil), p.indices...)
	q.steps = append([]step(nil), p.steps...)
	for n := range q.indices {
		i := &q.indices[n]
		if i.stable && i.safe {
			continue
		}
		if !i.safe {
			l.at(p.pos)
			i.expr = l.emit.CheckedIndex(i.expr, l.emit.Dim(p.array.index, n), p.array.name)
		}
		*i = index{expr: l.bind(i.expr), stable: true, safe: true}
	}
	for n := range q.steps {
		s := &q.steps[n]
		if !s.item || s.index.stable && s.index.safe {
			continue
		}
		if !s.index.safe {
			l.at(p.pos)
			s.index.expr = l.emit.CheckedIndex(s.index.expr, l.emit.ConstantInt(cgo.I64, s.count), "")
		}
		s.index = index{expr: l.bind(s.index.expr), stable: true, safe: true}
	}
	return &q
}

// bind evaluates a scalar now.
func (l *lowering) bind(e cgo.Expr) cgo.Expr {
	l.effects++
	return l.emit.Bind(e)
}

// use is the expression of a value that is a scalar or an aggregate, for its one user. Any other value, and one that was
// reported already, gives an expression that never reaches a kernel: the survey found an error.
func (l *lowering) use(v value) cgo.Expr {
	switch v.kind {
	case scalar:
		return v.expr
	case placed:
		return l.address(v.place)
	}
	if !l.found.HasErrors() {
		l.errorf(l.current, "please report it with the source of the kernel", "the compiler's front end failed: no value here")
	}
	return -1
}

// settle evaluates a scalar so that the result may be used any number of times.
func (l *lowering) settle(v value) value {
	switch {
	case v.kind == scalar && v.stable:
		return v
	case v.kind == scalar, v.kind == placed && scalarType(v.typ) != cgo.None:
		out := stableValue(l.bind(l.use(v)), v.typ)
		out.bounds, out.most = v.bounds, v.most
		return out
	}
	return v
}

// temporary is new memory of a plain type, zero.
func (l *lowering) temporary(name string, t types.Type) *place {
	l.effects++
	h := l.emit.Local(name, l.types.id(t), -1)
	return &place{typ: t, local: l.newLocal(h, name), pos: l.current}
}

// copyOf is a value's own copy: what Go makes when a value is assigned or passed.
func (l *lowering) copyOf(v value, name string) value {
	switch v.kind {
	case scalar:
		return l.settle(v)
	case placed:
		if scalarType(v.typ) != cgo.None {
			return l.settle(v)
		}
		if v.fresh {
			return v
		}
		l.effects++
		h := l.emit.Local(name, l.types.id(v.typ), l.use(v))
		p := &place{typ: v.typ, local: l.newLocal(h, name), pos: l.current}
		return value{kind: placed, typ: v.typ, place: p, fresh: true}
	case viewed:
		v.view = l.pinView(v.view)
	case pointed:
		v.place = l.pin(v.place)
	}
	return v
}

// maxNested is how deep an expression gets before it is evaluated in steps. The builder refuses very deep ones.
const maxNested = 200

// deeper is the depth of an expression of these operands.
func deeper(x, y value) int { return max(x.depth, y.depth) + 1 }

// index64 is a value as an index or a length.
func (l *lowering) index64(v value) index {
	if v.kind == invalid {
		return index{expr: -1, stable: true}
	}
	e := l.use(v)
	if scalarType(v.typ) == cgo.I64 {
		return index{expr: e, stable: v.stable}
	}
	return index{expr: l.emit.Cast(cgo.CastValue, e, cgo.I64)}
}

// integer is a constant i64.
func (l *lowering) integer(n int64) cgo.Expr { return l.emit.ConstantInt(cgo.I64, n) }

// intValue is an i64 as a Go int.
func intValue(e cgo.Expr, stable bool) value {
	return value{kind: scalar, typ: types.Typ[types.Int], expr: e, stable: stable}
}
