package frontend

import (
	"go/types"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

func (l *lowering) sincos(c libraryCall) value {
	x := l.settle(l.typed(c.args[0], types.Typ[types.Float64]))
	t := types.Typ[types.Float64]
	return value{kind: several, list: []value{
		stableValue(l.bind(l.emit.Unary(cgo.Sin, x.expr)), t), stableValue(l.bind(l.emit.Unary(cgo.Cos, x.expr)), t),
	}}
}

// modf gives the whole part and the fraction, both with the sign of x; an infinity has the fraction NaN.
func (l *lowering) modf(c libraryCall) value {
	t := types.Typ[types.Float64]
	x := l.settle(l.typed(c.args[0], t))
	whole := l.bind(l.emit.Unary(cgo.Trunc, x.expr))
	fraction := l.bind(l.emit.Binary(cgo.Copysign, l.emit.Binary(cgo.Sub, x.expr, whole), x.expr))
	return value{kind: several, list: []value{stableValue(whole, t), stableValue(fraction, t)}}
}

// operand is an argument of a function of math/bits with its declared type.
func (l *lowering) operand(c libraryCall, n int) (value, cgo.Type) {
	t := l.paramType(c, n)
	return l.typed(c.args[n], t), scalarType(t)
}

// countBits is one of the functions of math/bits that count, as an int.
func (l *lowering) countBits(c libraryCall) value {
	integer := types.Typ[types.Int]
	x, _ := l.operand(c, 0)
	width := l.bitsOf(l.paramType(c, 0))
	op := cgo.Popcount
	switch {
	case strings.HasPrefix(c.name, "LeadingZeros"), strings.HasPrefix(c.name, "Len"):
		op = cgo.CLZ
	case strings.HasPrefix(c.name, "TrailingZeros"):
		op = cgo.CTZ
	}
	n := l.emit.Cast(cgo.CastValue, l.emit.Unary(op, l.use(x)), cgo.I64)
	if strings.HasPrefix(c.name, "Len") {
		n = l.emit.Binary(cgo.Sub, l.integer(width), n)
	}
	out := scalarValue(n, integer)
	out.bounds.limit = width + 1
	return out
}

func (l *lowering) reverse(c libraryCall) value {
	op := cgo.ReverseBits
	if strings.HasPrefix(c.name, "ReverseBytes") {
		op = cgo.ReverseBytes
	}
	x, _ := l.operand(c, 0)
	return scalarValue(l.emit.Unary(op, l.use(x)), c.typ)
}

// rotate is x<<s | x>>(width-s) with s = k mod width; a shift by the whole width gives 0.
func (l *lowering) rotate(c libraryCall) value {
	x, _ := l.operand(c, 0)
	x = l.settle(x)
	width := l.bitsOf(l.paramType(c, 0))
	k := l.emit.Cast(cgo.CastValue, l.use(c.args[1]), cgo.U64)
	s := l.bind(l.emit.Binary(cgo.And, k, l.emit.ConstantInt(cgo.U64, width-1)))
	rest := l.emit.Binary(cgo.Sub, l.emit.ConstantInt(cgo.U64, width), s)
	return scalarValue(l.emit.Binary(cgo.Or, l.emit.Binary(cgo.Shl, x.expr, s), l.emit.Binary(cgo.Shr, x.expr, rest)), c.typ)
}

// wideMul is the product in two words, the upper one first.
func (l *lowering) wideMul(c libraryCall) value {
	x, _ := l.operand(c, 0)
	y, _ := l.operand(c, 1)
	x, y = l.settle(x), l.settle(y)
	t := l.paramType(c, 0)
	return value{kind: several, list: []value{
		stableValue(l.bind(l.emit.Binary(cgo.MulHigh, x.expr, y.expr)), t),
		stableValue(l.bind(l.emit.Binary(cgo.Mul, x.expr, y.expr)), t),
	}}
}

// carryAdd is the sum with carry and the carry out: ((x & y) | ((x | y) &^ sum)) >> (width-1).
func (l *lowering) carryAdd(c libraryCall) value {
	return l.carried(c, cgo.Add, func(x, y, sum cgo.Expr) cgo.Expr {
		either := l.emit.Binary(cgo.AndNot, l.emit.Binary(cgo.Or, x, y), sum)
		return l.emit.Binary(cgo.Or, l.emit.Binary(cgo.And, x, y), either)
	})
}

// carrySub is the difference with borrow and the borrow out: ((^x & y) | (^(x ^ y) & difference)) >> (width-1).
func (l *lowering) carrySub(c libraryCall) value {
	return l.carried(c, cgo.Sub, func(x, y, difference cgo.Expr) cgo.Expr {
		equal := l.emit.Unary(cgo.BitNot, l.emit.Binary(cgo.Xor, x, y))
		return l.emit.Binary(cgo.Or, l.emit.Binary(cgo.AndNot, y, x), l.emit.Binary(cgo.And, equal, difference))
	})
}

func (l *lowering) carried(c libraryCall, op cgo.BinaryOp, out func(x, y, result cgo.Expr) cgo.Expr) value {
	x, id := l.operand(c, 0)
	y, _ := l.operand(c, 1)
	carry, _ := l.operand(c, 2)
	x, y = l.settle(x), l.settle(y)
	t := l.paramType(c, 0)
	result := l.bind(l.emit.Binary(op, l.emit.Binary(op, x.expr, y.expr), l.use(carry)))
	top := l.emit.ConstantInt(id, l.bitsOf(t)-1)
	return value{kind: several, list: []value{
		stableValue(result, t),
		stableValue(l.bind(l.emit.Binary(cgo.Shr, out(x.expr, y.expr, result), top)), t),
	}}
}

// cmpLess is cmp.Less: a NaN is less than anything else.
func (l *lowering) cmpLess(c libraryCall) value {
	x, y, ok := l.ordered(c)
	if !ok {
		return bad
	}
	return scalarValue(l.less(x, y), types.Typ[types.Bool])
}

func (l *lowering) less(x, y value) cgo.Expr {
	less := l.emit.Binary(cgo.Lt, x.expr, y.expr)
	if isFloat(x.typ) {
		both := l.emit.Unary(cgo.LogicNot, l.emit.Unary(cgo.IsNaN, y.expr))
		less = l.emit.Binary(cgo.LogicOr, l.emit.Binary(cgo.LogicAnd, l.emit.Unary(cgo.IsNaN, x.expr), both), less)
	}
	return less
}

func (l *lowering) cmpCompare(c libraryCall) value {
	x, y, ok := l.ordered(c)
	if !ok {
		return bad
	}
	above := l.emit.Select(l.less(y, x), l.integer(1), l.integer(0))
	return scalarValue(l.emit.Select(l.less(x, y), l.integer(-1), above), types.Typ[types.Int])
}

// ordered are the operands of a function of package cmp, of one type.
func (l *lowering) ordered(c libraryCall) (x, y value, ok bool) {
	t := c.args[0].typ
	if c.args[0].constant != nil {
		t = c.args[1].typ
	}
	if !isInteger(t) && !isFloat(t) {
		l.errorf(c.expr.Pos(), "", "values of type %s cannot be compared in a kernel", l.typeName(t))
		return bad, bad, false
	}
	return l.settle(l.typed(c.args[0], t)), l.settle(l.typed(c.args[1], t)), true
}
