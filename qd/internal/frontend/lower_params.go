package frontend

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// param is a parameter while the kernel is lowered.
type param struct {
	Param
	name    string
	index   cgo.Param
	expr    cgo.Expr // its value, of one passed by value
	dims    int      // NDArray: one more than the largest axis that Dim asks for
	lengthy bool     // NDArray: Len is used
}

// record is a struct among the kernel's arguments, or a part of one, that is no parameter itself: its fields are.
type record struct {
	arg  int
	path []int
	name string
	typ  types.Type
}

// paramAt gives the parameter for an argument or a field of one, making it when it is used for the first time.
func (l *lowering) paramAt(p Param) *param {
	for _, known := range l.params {
		if known.Arg == p.Arg && (known.Field == nil) == (p.Field == nil) && slices.Equal(known.Field, p.Field) {
			return known
		}
	}
	if l.declared {
		l.errorf(l.current, "please report it with the source of the kernel",
			"the compiler's front end failed: parameter %s was not foreseen", p.Name)
	}
	made := &param{Param: p, name: p.Name, expr: none}
	l.give(made)
	return made
}

// give adds a parameter to the kernel.
func (l *lowering) give(p *param) {
	if p.Kind == Value {
		p.index = l.emit.ParamValue(p.name, l.types.id(p.Type))
		p.expr = l.emit.Param(p.index)
	} else {
		p.index = l.emit.ParamArray(p.name, l.types.id(p.Type), p.Rank)
	}
	l.params = append(l.params, p)
}

// declare gives the builder the parameters that a survey found.
func (l *lowering) declare(found []*param) {
	sorted := slices.Clone(found)
	slices.SortStableFunc(sorted, func(a, b *param) int {
		return cmp.Or(cmp.Compare(a.Arg, b.Arg), slices.Compare(a.Field, b.Field))
	})
	for _, p := range sorted {
		l.give(&param{Param: p.final(), name: p.name, expr: none})
	}
	l.declared = true
}

// final is the parameter once all uses of it are known.
func (p *param) final() Param {
	out := p.Param
	out.Index = p.index
	if p.Kind == NDArray && p.Rank == 0 {
		out.Rank = max(p.dims, 1)
		out.AnyRank = p.lengthy && p.dims == 0
	}
	return out
}

func (l *lowering) paramList() []Param {
	list := make([]Param, len(l.params))
	for i, p := range l.params {
		list[i] = p.final()
	}
	return list
}

// bindKernelParams gives the kernel's Go parameters their values.
func (l *lowering) bindKernelParams() {
	arg := 0
	var fields []*ast.Field
	if recv := l.kernel.decl.Recv; recv != nil {
		fields = append(fields, recv.List...)
	}
	if list := l.kernel.decl.Type.Params; list != nil {
		fields = append(fields, list.List...)
	}
	for _, f := range fields {
		t := l.frame.fn.typeOf(f.Type)
		if _, ok := f.Type.(*ast.Ellipsis); ok {
			l.errorf(f.Pos(), "declare a slice", "a kernel cannot take a variable number of arguments")
			t = nil
		}
		if len(f.Names) == 0 {
			l.kernelParam(arg, nil, "", t, f.Type.Pos())
			arg++
		}
		for _, id := range f.Names {
			l.kernelParam(arg, id, id.Name, t, id.Pos())
			arg++
		}
	}
}

func (l *lowering) kernelParam(arg int, id *ast.Ident, name string, t types.Type, pos token.Pos) {
	v := bad
	if t != nil {
		v = l.argument(Param{Arg: arg, Name: name}, t, pos)
	}
	if id == nil || id.Name == "_" {
		return
	}
	obj := l.frame.fn.unit.info.Defs[id]
	if obj == nil {
		return
	}
	if v.kind == arrayed || v.kind == structured {
		l.frame.vars[obj] = &variable{name: name, typ: t, val: v}
		return
	}
	l.declareVariable(obj, t, v)
}

// argument is the value of a kernel's argument or of a field of one.
func (l *lowering) argument(p Param, t types.Type, pos token.Pos) value {
	if elem, ok := arrayElement(t); ok {
		p.Kind, p.Type = NDArray, elem
		if !isPlain(elem) {
			return l.unfit(pos, t)
		}
		return value{kind: arrayed, typ: t, param: &param{Param: p, name: p.Name}}
	}
	if isPlain(t) {
		p.Kind, p.Type = Value, t
		made := l.paramAt(p)
		if scalarType(t) != cgo.None {
			return stableValue(made.expr, t)
		}
		return placeValue(&place{typ: t, value: made, pos: pos})
	}
	if elem, ok := pointee(t); ok {
		if _, ok := structOf(elem); ok && p.Field == nil {
			return value{kind: structured, typ: t, record: &record{arg: p.Arg, name: p.Name, typ: elem}}
		}
		return l.unfit(pos, t)
	}
	if _, ok := structOf(t); ok {
		r := &record{arg: p.Arg, path: p.Field, name: p.Name, typ: t}
		return value{kind: structured, typ: t, record: r}
	}
	if rank, elem := sliceRank(t); rank >= 1 && rank <= 3 && isPlain(elem) {
		p.Kind, p.Rank, p.Type = Slice, rank, elem
		return value{kind: viewed, typ: t, view: wholeView(l.paramAt(p), t.Underlying().(*types.Slice).Elem())}
	}
	return l.unfit(pos, t)
}

func (l *lowering) unfit(pos token.Pos, t types.Type) value {
	l.errorf(pos, "kernels take scalars, arrays and structs of them, slices of these up to [][][]T, and *qd.NDArray[T]",
		"a kernel cannot use a parameter of type %s", l.typeName(t))
	return bad
}

func (l *lowering) typeName(t types.Type) string {
	if t == nil {
		return "unknown"
	}
	return types.TypeString(t, types.RelativeTo(l.frame.fn.unit.pkg))
}

// recordField is a field of a struct argument.
func (l *lowering) recordField(r *record, field int, pos token.Pos) value {
	s, ok := structOf(r.typ)
	if !ok || field >= s.NumFields() {
		return bad
	}
	f := s.Field(field)
	path := append(slices.Clone(r.path), field)
	v := l.argument(Param{Arg: r.arg, Field: path, Name: r.name + "." + f.Name()}, f.Type(), pos)
	if v.kind == placed {
		v.place.readonly = r.name + " is copied when the kernel is launched; write results to an array"
	}
	return v
}

// array is the parameter that an NDArray is, now that it is used.
func (l *lowering) array(v value) *param { return l.paramAt(v.param.Param) }

// copyOfRecord is a struct argument as a value of its own.
func (l *lowering) copyOfRecord(r *record, t types.Type, pos token.Pos) value {
	s, ok := structOf(t)
	if !ok {
		return bad
	}
	p := l.temporary(r.name, t)
	for i := range s.NumFields() {
		if f := s.Field(i); f.Name() != "_" {
			v := l.recordField(r, i, pos)
			if v.kind == invalid {
				return bad
			}
			l.store(l.address(p.inside(step{field: i}, f.Type(), pos)), l.use(v))
		}
	}
	return value{kind: placed, typ: t, place: p, fresh: true}
}
