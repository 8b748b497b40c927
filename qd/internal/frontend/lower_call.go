package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// maxCalls is how many calls are compiled into one kernel before it counts as too large: calls that each call two others
// double at every level.
const maxCalls = 10000

// maxDepth bounds generic functions that call themselves with ever new type arguments.
const maxDepth = 100

func (l *lowering) call(e *ast.CallExpr) value {
	info := l.frame.fn.unit.info
	fun := ast.Unparen(e.Fun)
	tv := info.Types[fun]
	switch {
	case tv.IsType():
		if len(e.Args) != 1 {
			return bad
		}
		t := l.frame.fn.typeOf(e)
		if v, ok := l.singlePrecision(e, t); ok {
			return v
		}
		return l.convert(l.expression(e.Args[0]), t, e.Pos())
	case tv.IsBuiltin():
		return l.builtin(e, fun)
	}
	obj, fn := l.ld.callee(l.frame.fn, e)
	switch {
	case obj == nil:
		l.errorf(e.Pos(), "call a declared function", "%s cannot be called in a kernel", types.ExprString(e.Fun))
		return bad
	case obj.Pkg() != nil && obj.Pkg().Path() == KernelAPIPath:
		return l.apiCall(e, obj)
	case isLibrary(obj):
		return l.libraryCall(e, obj)
	case fn == nil || fn.decl.Body == nil:
		l.errorf(e.Pos(), "", "%s cannot be called in a kernel: its source is not known", types.ExprString(e.Fun))
		return bad
	}
	return l.inline(e, obj, fn)
}

// inline compiles a called function in: its body is lowered again for every call.
func (l *lowering) inline(e *ast.CallExpr, obj *types.Func, fn *function) value {
	depth := 0
	for f := l.frame; f != nil; f = f.caller {
		depth++
		if f.fn.decl == fn.decl && (len(fn.targs) == 0 || depth > maxDepth) {
			l.errorf(e.Pos(), "use a loop", "recursion: %s calls itself", callName(fn.obj))
			return bad
		}
	}
	if l.calls++; l.calls > maxCalls {
		if l.calls == maxCalls+1 {
			l.errorf(e.Pos(), "call fewer functions, or put the calls into a loop",
				"the kernel is too large: more than %d calls would be compiled into it", maxCalls)
		}
		return bad
	}
	inner := l.newFrame(fn, e.Pos())
	params := parametersOf(fn)
	args, ok := l.arguments(e, obj, fn, params, inner.facts)
	if !ok {
		return bad
	}
	l.at(e.Pos())
	l.emit.EnterCall(callName(fn.obj))
	l.effects++
	l.frame, l.current = inner, token.NoPos
	nesting, options := l.nesting, l.options
	l.nesting++
	l.at(fn.decl.Pos())
	for i, p := range params {
		l.bindArgument(p, args[i])
	}
	out := l.body(inner)
	l.nesting, l.options = nesting, options
	l.frame, l.current = inner.caller, token.NoPos
	l.emit.LeaveCall()
	l.at(e.Pos())
	return out
}

// parameter is a parameter of a function that is compiled in.
type parameter struct {
	obj types.Object // nil where the body cannot name it
	typ types.Type
}

// parametersOf lists a function's parameters, the receiver first.
func parametersOf(fn *function) []parameter {
	var fields []*ast.Field
	if recv := fn.decl.Recv; recv != nil {
		fields = append(fields, recv.List...)
	}
	if list := fn.decl.Type.Params; list != nil {
		fields = append(fields, list.List...)
	}
	var out []parameter
	for _, f := range fields {
		t := fn.typeOf(f.Type)
		if len(f.Names) == 0 {
			out = append(out, parameter{nil, t})
		}
		for _, id := range f.Names {
			p := parameter{typ: t}
			if obj := fn.unit.info.Defs[id]; obj != nil && id.Name != "_" {
				p.obj = obj
			}
			out = append(out, p)
		}
	}
	return out
}

// arguments evaluates a call's arguments from left to right.
func (l *lowering) arguments(e *ast.CallExpr, obj *types.Func, fn *function, params []parameter, facts *variableFacts) ([]value, bool) {
	var args []value
	next := func(v value) {
		p := parameter{}
		if len(args) < len(params) {
			p = params[len(args)]
		}
		args = append(args, l.passed(v, p, facts))
	}
	if x, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
		if s := l.frame.fn.unit.info.Selections[x]; s != nil && s.Kind() == types.MethodVal {
			next(l.receiver(l.expression(x.X), l.frame.fn.typeOf(x.X), obj, fn))
		}
	}
	if obj.Signature().Variadic() {
		l.errorf(e.Pos(), "pass an array", "%s is variadic, which functions called from a kernel cannot be", callName(obj))
		return nil, false
	}
	for _, a := range e.Args {
		v := l.expression(a)
		if v.kind == several {
			for _, x := range v.list {
				next(x)
			}
			continue
		}
		next(v)
	}
	for _, a := range args {
		if a.kind == invalid {
			return nil, false
		}
	}
	return args, len(args) == len(params)
}

// receiver makes a method's receiver of the operand before the dot.
func (l *lowering) receiver(x value, t types.Type, obj *types.Func, fn *function) value {
	if t != nil {
		_, path, _ := types.LookupFieldOrMethod(t, true, obj.Pkg(), obj.Name())
		for n := range max(len(path)-1, 0) {
			x = l.field(x, path[n], l.current)
		}
	}
	recv := fn.decl.Recv
	if recv == nil || len(recv.List) == 0 {
		return bad
	}
	want := fn.typeOf(recv.List[0].Type)
	if _, ok := pointee(want); ok {
		if x.kind == placed {
			return value{kind: pointed, typ: want, place: x.place}
		}
		return x
	}
	if _, ok := pointee(x.typ); ok {
		return l.dereference(x, l.current)
	}
	return x
}

// passed is an argument as the function gets it: a value of its own, or the caller's memory where no one can tell.
func (l *lowering) passed(v value, p parameter, facts *variableFacts) value {
	if v.kind == placed && scalarType(v.typ) == cgo.None && !v.fresh {
		untouched := v.place.value != nil || v.place.local != nil && !v.place.local.addressed && !l.isShared(v.place)
		if untouched && (p.obj == nil || !facts.mutable(p.obj)) {
			v.place = l.pin(v.place)
			return v
		}
	}
	return l.copyOf(v, "")
}

func (l *lowering) bindArgument(p parameter, v value) {
	if p.obj == nil {
		return
	}
	if v.kind == placed && scalarType(v.typ) == cgo.None && !l.frame.facts.mutable(p.obj) {
		q := *v.place
		q.typ = p.typ
		v.place, v.typ, v.fresh = &q, p.typ, false
		l.frame.vars[p.obj] = &variable{name: p.obj.Name(), typ: p.typ, val: v, region: l.region}
		return
	}
	l.declareVariable(p.obj, p.typ, v)
}

// body lowers the statements of a called function and gives its results.
func (l *lowering) body(f *frame) value {
	list := f.fn.decl.Body.List
	if n := len(list); n > 0 {
		f.final, _ = list[n-1].(*ast.ReturnStmt)
	}
	if f.facts.returns > 1 || f.facts.returns == 1 && f.final == nil {
		f.final, f.leaves = nil, true
	}
	types := l.declareResults(f)
	if f.leaves {
		f.out = l.beginScope()
	}
	l.statements(list)
	values := f.direct
	if f.leaves {
		l.emit.EndScope()
		values = nil
		for _, r := range f.results {
			values = append(values, r.val)
		}
		values = lasting(values)
	}
	for i := range types {
		if i == len(values) { // the function never returns
			values = append(values, l.nothingOf(types[i]))
		}
		if isPlain(types[i]) {
			values[i] = l.typed(values[i], types[i])
		}
		values[i].typ = types[i]
	}
	switch len(values) {
	case 0:
		return value{kind: nothing}
	case 1:
		return values[0]
	}
	return value{kind: several, list: values}
}

func (l *lowering) nothingOf(t types.Type) value {
	switch {
	case scalarType(t) != cgo.None:
		return l.zero(t)
	case isPlain(t):
		return value{kind: placed, typ: t, place: l.temporary("", t), fresh: true}
	}
	return bad
}

// declareResults declares named results, and locals for the results of a function that returns in several places.
func (l *lowering) declareResults(f *frame) []types.Type {
	var out []types.Type
	if f.fn.decl.Type.Results == nil {
		return nil
	}
	for _, field := range f.fn.decl.Type.Results.List {
		t := f.fn.typeOf(field.Type)
		if len(field.Names) == 0 {
			out = append(out, t)
			if f.leaves {
				f.results = append(f.results, l.declareResult("", t, field.Pos()))
			}
		}
		for _, id := range field.Names {
			out = append(out, t)
			r := l.declareResult(id.Name, t, field.Pos())
			f.results = append(f.results, r)
			if obj := f.fn.unit.info.Defs[id]; obj != nil {
				f.vars[obj] = r
				if r.val.kind == placed {
					r.val.place.local.addressed = f.facts.addressed[obj]
				}
			}
		}
	}
	return out
}

func (l *lowering) declareResult(name string, t types.Type, pos token.Pos) *variable {
	l.order++
	out := &variable{name: name, typ: t, mutable: true, region: l.region, order: l.order, val: bad}
	switch {
	case isPlain(t):
		l.declarePlain(out, value{kind: nothing})
	case t != nil && isSlice(t):
		l.declareView(out, value{kind: nothing})
	default:
		l.errorf(pos, "return it once, at the end of the function", "a result of type %s cannot be returned in several places", l.typeName(t))
	}
	return out
}

// lasting makes the locals of results values: nothing changes them any more.
func lasting(values []value) []value {
	for i, v := range values {
		switch v.kind {
		case placed:
			if scalarType(v.typ) != cgo.None && v.place.local != nil && len(v.place.steps) == 0 {
				values[i] = stableValue(v.place.local.expr, v.typ)
			} else {
				values[i].fresh = true
			}
		case viewed:
			q := *v.view
			q.mutable = false
			q.prefix = append([]index(nil), q.prefix...)
			for n := range q.prefix {
				q.prefix[n].stable = true
			}
			values[i].view = &q
		}
	}
	return values
}
