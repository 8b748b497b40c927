package frontend

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// forStatement lowers the three-clause loop, `for cond` and `for`. Each iteration has its own copy of the loop's variables
// in Go; since no pointer or function value outlives an iteration here, one variable cannot be told from many.
func (l *lowering) forStatement(s *ast.ForStmt, label string) {
	options := l.options
	l.options = loopConfig{}
	if c, ok := l.recognise(s); ok {
		l.countingFor(s, c, countedLoop{label: label, options: options})
		return
	}
	if s.Init != nil {
		l.statement(s.Init, "")
	}
	l.at(s.Pos())
	l.effects++
	loop := l.emit.BeginLoop()
	if s.Cond != nil {
		cond := l.expression(s.Cond)
		if cond.constant == nil || !isTrue(cond) {
			l.at(s.Cond.Pos())
			l.emit.BeginIf(l.emit.Unary(cgo.LogicNot, l.use(cond)))
			l.emit.Break(loop)
			l.emit.EndIf()
		}
	}
	l.pushTarget(target{loop: true, label: label, exit: loop, next: loop})
	l.statements(s.Body.List)
	l.popTarget()
	if s.Post != nil {
		l.emit.BeginPost()
		l.statement(s.Post, "")
	}
	l.emit.EndLoop()
}

// counting is a loop `for i := start; i < end; i += step` that counts up to a bound that stays the same.
type counting struct {
	variable   *ast.Ident
	typ        types.Type
	start, end ast.Expr
	closed     bool // i <= end
	step       int64
}

// recognise finds counting loops. Where the index could pass the largest value of its type, and so wrap in Go, the loop is
// left to be lowered as it stands; only 64-bit indices are taken not to get there.
func (l *lowering) recognise(s *ast.ForStmt) (counting, bool) {
	var c counting
	fn := l.frame.fn
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return c, false
	}
	c.variable, _ = init.Lhs[0].(*ast.Ident)
	c.start = init.Rhs[0]
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok || c.variable == nil {
		return c, false
	}
	obj := fn.unit.info.Defs[c.variable]
	if obj == nil {
		return c, false
	}
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && fn.unit.info.Uses[id] == obj
	}
	c.typ = fn.substitute(obj.Type())
	if t := scalarType(c.typ); !isInteger(c.typ) || t == cgo.U64 {
		return c, false
	}
	switch {
	case (cond.Op == token.LSS || cond.Op == token.LEQ) && is(cond.X):
		c.end, c.closed = cond.Y, cond.Op == token.LEQ
	case (cond.Op == token.GTR || cond.Op == token.GEQ) && is(cond.Y):
		c.end, c.closed = cond.X, cond.Op == token.GEQ
	default:
		return c, false
	}
	switch post := s.Post.(type) {
	case *ast.IncDecStmt:
		if post.Tok == token.INC && is(post.X) {
			c.step = 1
		}
	case *ast.AssignStmt:
		if post.Tok == token.ADD_ASSIGN && len(post.Lhs) == 1 && len(post.Rhs) == 1 && is(post.Lhs[0]) {
			if v := fn.unit.info.Types[post.Rhs[0]].Value; v != nil {
				c.step, _ = constant.Int64Val(constant.ToInt(v))
			}
		}
	}
	if c.step <= 0 || c.step > 1<<20 || l.frame.facts.addressed[obj] {
		return c, false
	}
	if (c.closed || c.step > 1) && scalarType(c.typ) != cgo.I64 {
		return c, false
	}
	body := collectFacts(fn, s.Body)
	if body.assigned[obj] || !l.invariant(c.end, body) {
		return c, false
	}
	return c, true
}

// invariant tells whether an expression surely has the same value each time, while code with these facts runs.
func (l *lowering) invariant(e ast.Expr, body *variableFacts) bool {
	fn := l.frame.fn
	if fn.unit.info.Types[e].Value != nil {
		return true
	}
	steady := func(e ast.Expr) bool {
		obj := rootVariable(fn, e)
		if obj == nil {
			return false
		}
		v := l.frame.vars[obj]
		return v != nil && !body.assigned[obj] && !l.frame.facts.addressed[obj]
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.invariant(e.X, body)
	case *ast.Ident:
		return steady(e)
	case *ast.SelectorExpr:
		if steady(e) {
			return true
		}
		id, ok := ast.Unparen(e.X).(*ast.Ident) // a field of the receiver is a parameter
		if !ok {
			return false
		}
		v := l.frame.vars[fn.unit.info.Uses[id]]
		return v != nil && v.val.kind == structured
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.SHR:
			return l.invariant(e.X, body) && l.invariant(e.Y, body)
		}
	case *ast.UnaryExpr:
		return e.Op == token.SUB && l.invariant(e.X, body)
	case *ast.CallExpr:
		return l.invariantCall(e, body, steady)
	}
	return false
}

func (l *lowering) invariantCall(e *ast.CallExpr, body *variableFacts, steady func(ast.Expr) bool) bool {
	info := l.frame.fn.unit.info
	switch tv := info.Types[e.Fun]; {
	case tv.IsType():
		return len(e.Args) == 1 && l.invariant(e.Args[0], body)
	case tv.IsBuiltin():
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		switch id.Name {
		case "len":
			arg := ast.Unparen(e.Args[0])
			if ix, ok := arg.(*ast.IndexExpr); ok { // len(a[0]): all rows are of one length
				if _, inner := l.frame.fn.typeOf(ix.X).Underlying().(*types.Slice); inner && isConstantZero(info, ix.Index) {
					arg = ix.X
				}
			}
			return steady(arg)
		case "min", "max":
			for _, a := range e.Args {
				if !l.invariant(a, body) {
					return false
				}
			}
			return true
		}
	}
	sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Len" && sel.Sel.Name != "Dim" {
		return false
	}
	_, ok = arrayElement(l.frame.fn.typeOf(sel.X))
	return ok && len(e.Args) < 2
}

func isConstantZero(info *types.Info, e ast.Expr) bool {
	v := info.Types[e].Value
	return v != nil && v.Kind() == constant.Int && constant.Sign(v) == 0
}

func (l *lowering) countingFor(s *ast.ForStmt, c counting, loop countedLoop) {
	l.at(s.Init.Pos())
	start := l.settle(l.expression(c.start))
	l.at(s.Cond.Pos())
	end := l.expression(c.end)
	if start.kind == invalid || end.kind == invalid {
		start, end = l.zero(c.typ), l.zero(c.typ)
	}
	if low, high, ok := constantEnds(start, end); ok {
		if c.closed {
			high++
		}
		loop.bounds = []cgo.Expr{l.integer(low), l.integer(high)}
		if c.step > 1 {
			loop.bounds = []cgo.Expr{l.integer(0), l.integer(max(high-low+c.step-1, 0) / c.step)}
		}
		l.countingBody(s, c, loop, l.integer(low), bounds{limit: high})
		return
	}
	first := l.index64(start)
	if !first.stable {
		first.expr = l.bind(first.expr)
	}
	last := l.index64(end).expr
	if c.closed {
		last = l.emit.Binary(cgo.Add, last, l.integer(1))
	}
	loop.bounds = []cgo.Expr{first.expr, last}
	if c.step > 1 { // count trips instead: ceil((last - first) / step)
		trips := l.emit.Binary(cgo.Add, l.emit.Binary(cgo.Sub, last, first.expr), l.integer(c.step-1))
		loop.bounds = []cgo.Expr{l.integer(0), l.emit.Binary(cgo.Div, trips, l.integer(c.step))}
	}
	var b bounds
	if start.constant != nil && constant.Sign(constant.ToInt(start.constant)) >= 0 && !c.closed {
		b = end.most
	}
	l.countingBody(s, c, loop, first.expr, b)
}

// constantEnds are the bounds of a loop from one constant that is not negative to another.
func constantEnds(start, end value) (low, high int64, ok bool) {
	low, ok = smallConstant(start)
	if !ok {
		return
	}
	high, ok = smallConstant(end)
	return low, high, ok && high < 1<<60
}

func (l *lowering) countingBody(s *ast.ForStmt, c counting, loop countedLoop, first cgo.Expr, b bounds) {
	l.at(s.Pos())
	l.counted(loop, func(label cgo.Label) {
		i := intValue(l.emit.LoopIndex(label, 0), true)
		if c.step > 1 {
			i.expr = l.bind(l.emit.Binary(cgo.Add, first, l.emit.Binary(cgo.Mul, i.expr, l.integer(c.step))))
		}
		i.bounds = b
		l.declareCounter(c, l.toInteger(i, c.typ))
		l.statements(s.Body.List)
	})
}

// declareCounter declares the loop's variable as a value: only the loop itself changes it.
func (l *lowering) declareCounter(c counting, v value) {
	obj := l.frame.fn.unit.info.Defs[c.variable]
	l.frame.vars[obj] = &variable{name: obj.Name(), typ: c.typ, val: l.settle(v), region: l.region}
}
