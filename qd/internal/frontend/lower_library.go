package frontend

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// unaryMath and binaryMath are the functions of package math, and of package qd, that are one operation.
var unaryMath = map[string]cgo.UnaryOp{
	"Sqrt": cgo.Sqrt, "Cbrt": cgo.Cbrt, "Sin": cgo.Sin, "Cos": cgo.Cos, "Tan": cgo.Tan, "Asin": cgo.Asin, "Acos": cgo.Acos,
	"Atan": cgo.Atan, "Sinh": cgo.Sinh, "Cosh": cgo.Cosh, "Tanh": cgo.Tanh, "Exp": cgo.Exp, "Exp2": cgo.Exp2,
	"Log": cgo.Log, "Log2": cgo.Log2, "Log10": cgo.Log10, "Log1p": cgo.Log1p, "Expm1": cgo.Expm1, "Floor": cgo.Floor,
	"Ceil": cgo.Ceil, "Trunc": cgo.Trunc, "Round": cgo.Round, "RoundToEven": cgo.RoundEven, "Abs": cgo.Abs,
}

var binaryMath = map[string]cgo.BinaryOp{
	"Pow": cgo.Pow, "Atan2": cgo.Atan2, "Hypot": cgo.Hypot, "Mod": cgo.Mod, "Copysign": cgo.Copysign,
}

// function is a library call while it is lowered.
type libraryCall struct {
	name string
	args []value
	typ  types.Type // of the result
	expr *ast.CallExpr
}

// libraryFunctions are those that take more than one operation.
var libraryFunctions map[string]func(*lowering, libraryCall) value

func init() {
	libraryFunctions = map[string]func(*lowering, libraryCall) value{
		"math.Max": (*lowering).mathMinMax, "math.Min": (*lowering).mathMinMax, "math.Dim": (*lowering).mathDim,
		"math.IsNaN": (*lowering).isNaN, "math.IsInf": (*lowering).mathIsInf, "math.Signbit": (*lowering).signbit,
		"math.Inf": (*lowering).mathInf, "math.NaN": (*lowering).mathNaN, "math.Sincos": (*lowering).sincos,
		"math.Modf": (*lowering).modf, "math.Float32bits": (*lowering).castBits, "math.Float64bits": (*lowering).castBits,
		"math.Float32frombits": (*lowering).castBits, "math.Float64frombits": (*lowering).castBits,
		"cmp.Less": (*lowering).cmpLess, "cmp.Compare": (*lowering).cmpCompare,
	}
	for _, width := range []string{"", "8", "16", "32", "64"} {
		for name, f := range map[string]func(*lowering, libraryCall) value{
			"OnesCount": (*lowering).countBits, "LeadingZeros": (*lowering).countBits, "TrailingZeros": (*lowering).countBits,
			"Len": (*lowering).countBits, "Reverse": (*lowering).reverse, "ReverseBytes": (*lowering).reverse,
			"RotateLeft": (*lowering).rotate, "Mul": (*lowering).wideMul, "Add": (*lowering).carryAdd, "Sub": (*lowering).carrySub,
		} {
			libraryFunctions["bits."+name+width] = f
		}
	}
}

// libraryPackages are the packages of the standard library of which kernels may use functions.
var libraryPackages = map[string]string{"math": "math", "math/bits": "bits", "cmp": "cmp"}

func isLibrary(obj *types.Func) bool {
	return obj.Pkg() != nil && libraryPackages[obj.Pkg().Path()] != ""
}

// isSimpleFunction tells whether a function of a library or of package qd is lowered without statements.
func isSimpleFunction(obj *types.Func) bool {
	if obj.Pkg() == nil {
		return false
	}
	name := obj.Name()
	_, unary := unaryMath[name]
	_, binary := binaryMath[name]
	switch obj.Pkg().Path() {
	case "math":
		return unary || binary || name == "IsNaN" || name == "Signbit"
	case "math/bits":
		return libraryFunctions["bits."+name] != nil && !needsOperandsTwice[name]
	case KernelAPIPath:
		return unary || binary || simpleAPI[name]
	}
	return false
}

var needsOperandsTwice = map[string]bool{
	"RotateLeft": true, "RotateLeft8": true, "RotateLeft16": true, "RotateLeft32": true, "RotateLeft64": true,
	"Mul": true, "Mul32": true, "Mul64": true, "Add": true, "Add32": true, "Add64": true, "Sub": true, "Sub32": true, "Sub64": true,
}

func (l *lowering) values(list []ast.Expr) ([]value, bool) {
	ok := true
	var out []value
	for _, e := range list {
		v := l.expression(e)
		if v.kind == several {
			out = append(out, v.list...)
			continue
		}
		ok = ok && v.kind != invalid
		out = append(out, v)
	}
	return out, ok
}

func (l *lowering) libraryCall(e *ast.CallExpr, obj *types.Func) value {
	name := libraryPackages[obj.Pkg().Path()] + "." + obj.Name()
	args, ok := l.values(e.Args)
	if !ok {
		return bad
	}
	c := libraryCall{name: obj.Name(), args: args, typ: l.frame.fn.typeOf(e), expr: e}
	if sig := obj.Signature(); sig.Params().Len() != len(args) {
		return bad
	}
	l.at(e.Pos())
	if obj.Pkg().Path() == "math" {
		if op, ok := unaryMath[c.name]; ok {
			return scalarValue(l.emit.Unary(op, l.float(args[0])), c.typ)
		}
		if op, ok := binaryMath[c.name]; ok {
			return scalarValue(l.emit.Binary(op, l.float(args[0]), l.float(args[1])), c.typ)
		}
	}
	if f := libraryFunctions[name]; f != nil {
		return f(l, c)
	}
	l.errorf(e.Pos(), "", "%s cannot be called in a kernel", types.ExprString(e.Fun))
	return bad
}

// float is an operand as a float64.
func (l *lowering) float(v value) cgo.Expr { return l.use(l.typed(v, types.Typ[types.Float64])) }

// singlePrecision lowers float32(math.F(float64(x))) to the operation in single precision.
func (l *lowering) singlePrecision(e *ast.CallExpr, t types.Type) (value, bool) {
	inner, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr)
	if !ok || scalarType(t) != cgo.F32 {
		return bad, false
	}
	obj, _ := l.ld.callee(l.frame.fn, inner)
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != "math" {
		return bad, false
	}
	unary, isUnary := unaryMath[obj.Name()]
	binary, isBinary := binaryMath[obj.Name()]
	extreme := obj.Name() == "Max" || obj.Name() == "Min"
	if isUnary && len(inner.Args) != 1 || (isBinary || extreme) && len(inner.Args) != 2 || !isUnary && !isBinary && !extreme {
		return bad, false
	}
	for _, a := range inner.Args {
		if !l.fitsSingle(a) {
			return bad, false
		}
	}
	var args []value
	for _, a := range inner.Args {
		v := l.singleOperand(a)
		if v.kind == invalid {
			return bad, true
		}
		args = append(args, v)
	}
	l.at(inner.Pos())
	switch {
	case isUnary:
		return scalarValue(l.emit.Unary(unary, l.use(args[0])), t), true
	case isBinary:
		return scalarValue(l.emit.Binary(binary, l.use(args[0]), l.use(args[1])), t), true
	}
	return l.mathMinMax(libraryCall{name: obj.Name(), args: args, typ: t, expr: inner}), true
}

// fitsSingle tells whether an operand of type float64 is a float32 that was widened, or such a constant.
func (l *lowering) fitsSingle(e ast.Expr) bool {
	info := l.frame.fn.unit.info
	if c := info.Types[e].Value; c != nil {
		f, exact := constant.Float64Val(constant.ToFloat(c))
		return exact && float64(float32(f)) == f
	}
	conversion, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && info.Types[ast.Unparen(conversion.Fun)].IsType() && len(conversion.Args) == 1 &&
		scalarType(l.frame.fn.typeOf(conversion)) == cgo.F64 && scalarType(l.frame.fn.typeOf(conversion.Args[0])) == cgo.F32
}

func (l *lowering) singleOperand(e ast.Expr) value {
	single := types.Typ[types.Float32]
	if c := l.frame.fn.unit.info.Types[e].Value; c != nil {
		return l.constantValue(c, single, e.Pos())
	}
	return l.expression(ast.Unparen(e).(*ast.CallExpr).Args[0])
}

// mathMinMax is math.Max or math.Min, for which an infinity counts more than a NaN, other than for the builtins.
func (l *lowering) mathMinMax(c libraryCall) value {
	op, sign := cgo.Max, 1
	if c.name == "Min" {
		op, sign = cgo.Min, -1
	}
	x, y := l.settle(l.typed(c.args[0], c.typ)), l.settle(l.typed(c.args[1], c.typ))
	result := l.emit.Binary(op, x.expr, y.expr)
	if x.constant == nil && y.constant == nil { // a constant is no NaN, so that the other's infinity wins by itself
		id := scalarType(c.typ)
		infinity := func() cgo.Expr { return l.emit.ConstantFloat(id, math.Inf(sign)) }
		for _, v := range []value{x, y} {
			result = l.emit.Select(l.emit.Binary(cgo.Eq, v.expr, infinity()), infinity(), result)
		}
	}
	return scalarValue(result, c.typ)
}

// mathDim is math.Dim: the difference, or 0 where that is not above it.
func (l *lowering) mathDim(c libraryCall) value {
	d := l.bind(l.emit.Binary(cgo.Sub, l.float(c.args[0]), l.float(c.args[1])))
	zero := l.zero(c.typ).expr
	return scalarValue(l.emit.Select(l.emit.Binary(cgo.Le, d, zero), zero, d), c.typ)
}

func (l *lowering) isNaN(c libraryCall) value {
	return scalarValue(l.emit.Unary(cgo.IsNaN, l.float(c.args[0])), types.Typ[types.Bool])
}

func (l *lowering) mathIsInf(c libraryCall) value {
	boolean := types.Typ[types.Bool]
	x := l.settle(l.typed(c.args[0], types.Typ[types.Float64]))
	sign := c.args[1]
	equals := func(n int) cgo.Expr {
		return l.emit.Binary(cgo.Eq, x.expr, l.emit.ConstantFloat(cgo.F64, math.Inf(n)))
	}
	if sign.constant != nil {
		switch constant.Sign(sign.constant) {
		case 1:
			return scalarValue(equals(1), boolean)
		case -1:
			return scalarValue(equals(-1), boolean)
		}
		return scalarValue(l.emit.Unary(cgo.IsInf, x.expr), boolean)
	}
	s := l.settle(sign)
	zero := l.zero(s.typ).expr
	up := l.emit.Binary(cgo.LogicAnd, l.emit.Binary(cgo.Ge, s.expr, zero), equals(1))
	down := l.emit.Binary(cgo.LogicAnd, l.emit.Binary(cgo.Le, s.expr, zero), equals(-1))
	return scalarValue(l.emit.Binary(cgo.LogicOr, up, down), boolean)
}

func (l *lowering) signbit(c libraryCall) value {
	asInt := l.emit.Cast(cgo.CastBits, l.float(c.args[0]), cgo.I64)
	return scalarValue(l.emit.Binary(cgo.Lt, asInt, l.integer(0)), types.Typ[types.Bool])
}

func (l *lowering) mathInf(c libraryCall) value {
	up, down := l.emit.ConstantFloat(cgo.F64, math.Inf(1)), l.emit.ConstantFloat(cgo.F64, math.Inf(-1))
	if s := c.args[0]; s.constant != nil {
		if constant.Sign(s.constant) < 0 {
			return stableValue(down, c.typ)
		}
		return stableValue(up, c.typ)
	}
	positive := l.emit.Binary(cgo.Ge, l.use(c.args[0]), l.zero(c.args[0].typ).expr)
	return scalarValue(l.emit.Select(positive, up, down), c.typ)
}

func (l *lowering) mathNaN(c libraryCall) value {
	return stableValue(l.emit.ConstantFloat(cgo.F64, math.NaN()), c.typ)
}

func (l *lowering) castBits(c libraryCall) value {
	return scalarValue(l.emit.Cast(cgo.CastBits, l.use(l.typed(c.args[0], l.paramType(c, 0))), scalarType(c.typ)), c.typ)
}

// paramType is the declared type of a library function's parameter.
func (l *lowering) paramType(c libraryCall, n int) types.Type {
	obj, _ := l.ld.callee(l.frame.fn, c.expr)
	return obj.Signature().Params().At(n).Type()
}
