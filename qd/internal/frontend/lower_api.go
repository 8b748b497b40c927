package frontend

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// apiFunctions are the functions of package qd that take more than one operation, or statements.
var apiFunctions map[string]func(*lowering, libraryCall) value

// simpleAPI are those of them that are lowered without statements.
var simpleAPI = map[string]bool{
	"Rsqrt": true, "IsNaN": true, "IsInf": true, "Clamp": true, "FloorDiv": true, "Rand": true, "F16": true,
	"Float16FromBits": true, "At": true, "Len": true, "Dim": true, "Bits": true, "Float32": true, "Add": true, "Sub": true,
	"Mul": true, "Div": true, "Neg": true, "Less": true, "Equal": true,
}

func init() {
	apiFunctions = map[string]func(*lowering, libraryCall) value{
		"Sign": (*lowering).sign, "Mix": (*lowering).mix, "Clamp": (*lowering).clamp,
		"FloorDiv": (*lowering).floorDiv, "FloorMod": (*lowering).floorMod,
		"F16": (*lowering).toHalf, "Float16FromBits": (*lowering).halfFromBits, "Rand": (*lowering).random,
		"AtomicCompareAndSwap": (*lowering).atomicCAS,
	}
	for name := range atomicFunctions {
		apiFunctions[name] = (*lowering).atomic
	}
}

var atomicFunctions = map[string]cgo.AtomicOp{
	"AtomicAdd": cgo.AtomicAdd, "AtomicSub": cgo.AtomicSub, "AtomicMul": cgo.AtomicMul, "AtomicMin": cgo.AtomicMin,
	"AtomicMax": cgo.AtomicMax, "AtomicAnd": cgo.AtomicAnd, "AtomicOr": cgo.AtomicOr, "AtomicXor": cgo.AtomicXor,
	"AtomicAndNot": cgo.AtomicAndNot, "AtomicExchange": cgo.AtomicExchange,
}

// apiCall lowers the call of a function or method of package qd.
func (l *lowering) apiCall(e *ast.CallExpr, obj *types.Func) value {
	name := obj.Name()
	if obj.Signature().Recv() != nil {
		return l.apiMethod(e, obj)
	}
	switch name {
	case "StreamParallel":
		l.streamParallel(e)
		return value{kind: nothing}
	case "LoopConfig":
		l.loopConfig(e)
		return value{kind: nothing}
	case "Assert":
		l.assert(e)
		return value{kind: nothing}
	case "Print":
		l.print(e.Args, "", false, 1, e.Pos())
		return value{kind: nothing}
	case "Println":
		l.print(e.Args, " ", true, 1, e.Pos())
		return value{kind: nothing}
	case "StaticAssert":
		l.staticAssert(e)
		return value{kind: nothing}
	case "StaticPrint":
		l.staticPrint(e)
		return value{kind: nothing}
	case "AssumeDisjoint":
		l.assumeDisjoint(e)
		return value{kind: nothing}
	case "NDRange2", "NDRange3":
		l.errorf(e.Pos(), "write for i, j := range qd.NDRange2(n, m)", "qd.%s is only for range loops", name)
		return bad
	}
	args, ok := l.values(e.Args)
	if !ok {
		return bad
	}
	if len(args) != obj.Signature().Params().Len() {
		return bad
	}
	c := libraryCall{name: name, args: args, typ: l.frame.fn.typeOf(e), expr: e}
	l.at(e.Pos())
	if f := apiFunctions[name]; f != nil {
		return f(l, c)
	}
	return l.genericMath(c)
}

// genericMath is a function over all floats that is one operation.
func (l *lowering) genericMath(c libraryCall) value {
	t := c.typ
	if c.name == "IsNaN" || c.name == "IsInf" {
		t = types.Default(c.args[0].typ)
		op := cgo.IsNaN
		if c.name == "IsInf" {
			op = cgo.IsInf
		}
		return scalarValue(l.emit.Unary(op, l.use(l.typed(c.args[0], t))), c.typ)
	}
	operand := func(n int) cgo.Expr { return l.use(l.typed(c.args[n], t)) }
	if op, ok := unaryMath[c.name]; ok {
		return scalarValue(l.emit.Unary(op, operand(0)), t)
	}
	if op, ok := binaryMath[c.name]; ok {
		return scalarValue(l.emit.Binary(op, operand(0), operand(1)), t)
	}
	if c.name == "Rsqrt" {
		return scalarValue(l.emit.Unary(cgo.Rsqrt, operand(0)), t)
	}
	l.errorf(c.expr.Pos(), "", "qd.%s cannot be called in a kernel", c.name)
	return bad
}

// sign keeps a zero or NaN as it is.
func (l *lowering) sign(c libraryCall) value {
	x := l.settle(l.typed(c.args[0], c.typ))
	zero := l.zero(c.typ).expr
	down := l.emit.Select(l.emit.Binary(cgo.Lt, x.expr, zero), l.number(-1, c.typ).expr, x.expr)
	return scalarValue(l.emit.Select(l.emit.Binary(cgo.Gt, x.expr, zero), l.number(1, c.typ).expr, down), c.typ)
}

func (l *lowering) mix(c libraryCall) value {
	x, y, t := l.typed(c.args[0], c.typ), l.typed(c.args[1], c.typ), l.settle(l.typed(c.args[2], c.typ))
	rest := l.emit.Binary(cgo.Sub, l.number(1, c.typ).expr, t.expr)
	return scalarValue(l.emit.Binary(cgo.Add, l.emit.Binary(cgo.Mul, l.use(x), rest), l.emit.Binary(cgo.Mul, l.use(y), t.expr)), c.typ)
}

func (l *lowering) clamp(c libraryCall) value {
	x, low, high := l.typed(c.args[0], c.typ), l.typed(c.args[1], c.typ), l.typed(c.args[2], c.typ)
	return scalarValue(l.emit.Binary(cgo.Min, l.emit.Binary(cgo.Max, l.use(x), l.use(low)), l.use(high)), c.typ)
}

func (l *lowering) floorDiv(c libraryCall) value {
	x, y := l.typed(c.args[0], c.typ), l.typed(c.args[1], c.typ)
	return scalarValue(l.emit.Binary(cgo.FloorDiv, l.use(x), l.use(y)), c.typ)
}

// floorMod of floats is exact, as the declaration in package qd computes it: a remainder moved to the sign of y.
func (l *lowering) floorMod(c libraryCall) value {
	x, y := l.typed(c.args[0], c.typ), l.typed(c.args[1], c.typ)
	if isInteger(c.typ) {
		return scalarValue(l.emit.Binary(cgo.FloorMod, l.use(x), l.use(y)), c.typ)
	}
	y = l.settle(y)
	r := l.bind(l.emit.Binary(cgo.Mod, l.use(x), y.expr))
	zero := l.zero(c.typ).expr
	negative := l.emit.Binary(cgo.Ne, l.emit.Binary(cgo.Lt, r, zero), l.emit.Binary(cgo.Lt, y.expr, zero))
	moves := l.emit.Binary(cgo.LogicAnd, l.emit.Binary(cgo.Ne, r, zero), negative)
	return scalarValue(l.emit.Select(moves, l.emit.Binary(cgo.Add, r, y.expr), r), c.typ)
}

func (l *lowering) toHalf(c libraryCall) value {
	x := l.typed(c.args[0], types.Typ[types.Float32])
	return scalarValue(l.emit.Cast(cgo.CastValue, l.use(x), cgo.F16), c.typ)
}

func (l *lowering) halfFromBits(c libraryCall) value {
	x := l.typed(c.args[0], types.Typ[types.Uint16])
	return scalarValue(l.emit.Cast(cgo.CastBits, l.use(x), cgo.F16), c.typ)
}

func (l *lowering) random(c libraryCall) value {
	id := scalarType(c.typ)
	if id == cgo.None {
		return bad
	}
	return scalarValue(l.emit.Random(id), c.typ)
}

// target is the place that an atomic function updates.
func (l *lowering) atomicTarget(c libraryCall) (*place, bool) {
	p := c.args[0]
	if p.kind != pointed || scalarType(p.place.typ) == cgo.None {
		l.errorf(c.expr.Pos(), "write qd."+c.name+"(&x[i], v)", "qd.%s needs the address of an element or a variable", c.name)
		return nil, false
	}
	return p.place, l.writable(p.place, c.expr.Pos())
}

func (l *lowering) atomic(c libraryCall) value {
	p, ok := l.atomicTarget(c)
	if !ok {
		return bad
	}
	v := l.use(l.typed(c.args[1], p.typ))
	l.effects++
	return stableValue(l.emit.Atomic(atomicFunctions[c.name], l.address(p), v), c.typ)
}

func (l *lowering) atomicCAS(c libraryCall) value {
	p, ok := l.atomicTarget(c)
	if !ok {
		return bad
	}
	expected, desired := l.use(l.typed(c.args[1], p.typ)), l.use(l.typed(c.args[2], p.typ))
	l.effects++
	return stableValue(l.emit.AtomicCAS(l.address(p), expected, desired), c.typ)
}

func (l *lowering) streamParallel(e *ast.CallExpr) {
	lit, ok := (*ast.FuncLit)(nil), false
	if len(e.Args) == 1 {
		lit, ok = ast.Unparen(e.Args[0]).(*ast.FuncLit)
	}
	switch {
	case !ok:
		l.errorf(e.Pos(), "write qd.StreamParallel(func() { … })", "StreamParallel needs a function literal")
		return
	case l.scope:
		l.errorf(e.Pos(), "", "StreamParallel scopes cannot nest")
		return
	case l.nesting != 0 || l.frame.caller != nil:
		l.errorf(e.Pos(), "", "StreamParallel is only for the top level of a kernel")
		return
	}
	l.effects++
	l.emit.BeginStreamParallel()
	l.scope = true
	l.statements(lit.Body.List)
	l.scope = false
	l.emit.EndStreamParallel()
}

// assumeDisjoint passes on a promise about two arrays. They are named, not evaluated: of a[lo:hi] only a counts.
func (l *lowering) assumeDisjoint(e *ast.CallExpr) {
	var arrays []*param
	for _, arg := range e.Args {
		a := l.namedArray(arg)
		if a == nil {
			l.errorf(arg.Pos(), "name the array that the elements belong to", "AssumeDisjoint takes arrays that are parameters of the kernel")
			return
		}
		arrays = append(arrays, a)
	}
	if len(arrays) == 2 {
		l.emit.AssumeDisjoint(arrays[0].index, arrays[1].index)
	}
}

// namedArray is the array parameter that an expression is a view of; nil where it names none.
func (l *lowering) namedArray(e ast.Expr) *param {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return l.namedArray(x.X)
	case *ast.SliceExpr:
		return l.namedArray(x.X)
	case *ast.IndexExpr:
		return l.namedArray(x.X)
	case *ast.Ident, *ast.SelectorExpr:
		switch v := l.expression(x); {
		case v.kind == arrayed:
			return l.array(v)
		case v.kind == viewed:
			return v.view.array
		}
	}
	return nil
}

// maxBlockDim is what every device has.
const maxBlockDim = 1024

func (l *lowering) loopConfig(e *ast.CallExpr) {
	for _, a := range e.Args {
		call, ok := ast.Unparen(a).(*ast.CallExpr)
		name := ""
		if ok {
			name = apiName(l.frame.fn.unit.info, call)
		}
		var given constant.Value
		if ok && len(call.Args) == 1 {
			given = l.frame.fn.unit.info.Types[call.Args[0]].Value
		}
		switch {
		case name == "Serialize":
			l.options.serialize = true
		case name == "Name" && given != nil && given.Kind() == constant.String:
			l.options.name = constant.StringVal(given)
			if strings.ContainsRune(l.options.name, 0) {
				l.errorf(a.Pos(), "", "a loop's name cannot contain a NUL byte")
			}
		case name == "BlockDim" && given != nil:
			n, exact := constant.Int64Val(constant.ToInt(given))
			if !exact || n < 1 || n > maxBlockDim {
				l.errorf(a.Pos(), "a power of two such as 128", "BlockDim must be between 1 and %d", maxBlockDim)
				continue
			}
			l.options.blockDim = int(n)
		default:
			l.errorf(a.Pos(), "write it in place, such as qd.BlockDim(128)", "an option of LoopConfig must be a call of its function with a constant")
		}
	}
}
