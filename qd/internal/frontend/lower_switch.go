package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// switchStatement lowers a switch to a chain of ifs; with a fallthrough, to a chain that finds the number of the clause,
// and the clauses in order, each run if it is that number's.
func (l *lowering) switchStatement(s *ast.SwitchStmt, label string) {
	if s.Init != nil {
		l.statement(s.Init, "")
	}
	tag := value{kind: nothing}
	if s.Tag != nil {
		tag = l.steady(l.expression(s.Tag))
	}
	var clauses []*ast.CaseClause
	for _, c := range s.Body.List {
		if clause, ok := c.(*ast.CaseClause); ok {
			clauses = append(clauses, clause)
		}
	}
	leaves := breaksOut(s, label)
	if leaves {
		l.pushTarget(target{label: label, exit: l.beginScope()})
	}
	if fallsThrough(clauses) {
		l.numberedSwitch(clauses, tag)
	} else {
		l.chainedSwitch(clauses, tag)
	}
	if leaves {
		l.popTarget()
		l.emit.EndScope()
	}
}

func fallsThrough(clauses []*ast.CaseClause) bool {
	for _, c := range clauses {
		if endsInFallthrough(c.Body) {
			return true
		}
	}
	return false
}

func endsInFallthrough(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	b, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// steady makes a value that is compared several times.
func (l *lowering) steady(v value) value {
	if v.kind == placed && scalarType(v.typ) == cgo.None {
		return l.copyOf(v, "")
	}
	return l.settle(v)
}

// maxChained is how many clauses become nested ifs; with more, they stand one after the other in a scope.
const maxChained = 64

// chain builds the ifs that find a clause. body lowers the clause and tells whether control can come out at its end.
func (l *lowering) chain(clauses []*ast.CaseClause, tag value, body func(number int) bool) {
	depth, other := 0, -1
	flat := len(clauses) > maxChained
	var end cgo.Label
	if flat {
		end = l.beginScope()
	}
	for n, c := range clauses {
		if c.List == nil {
			other = n
			continue
		}
		l.at(c.Pos())
		cond := l.anyCase(c.List, tag)
		l.at(c.Pos())
		l.effects++
		l.emit.BeginIf(cond)
		ends := body(n)
		if flat {
			if ends {
				l.emit.Break(end)
			}
			l.emit.EndIf()
			continue
		}
		l.emit.BeginElse()
		depth++
	}
	if other >= 0 {
		body(other)
	}
	if flat {
		l.emit.EndScope()
	}
	for range depth {
		l.emit.EndIf()
	}
}

func (l *lowering) chainedSwitch(clauses []*ast.CaseClause, tag value) {
	l.chain(clauses, tag, func(n int) bool {
		l.nested(clauses[n].Body)
		list := clauses[n].Body
		return len(list) == 0 || !leaves(list[len(list)-1])
	})
}

func (l *lowering) numberedSwitch(clauses []*ast.CaseClause, tag value) {
	chosen := l.localInt("", l.integer(-1))
	l.chain(clauses, tag, func(n int) bool {
		l.store(chosen, l.integer(int64(n)))
		return true
	})
	for n, c := range clauses {
		l.at(c.Pos())
		l.effects++
		l.emit.BeginIf(l.emit.Binary(cgo.Eq, chosen, l.integer(int64(n))))
		list := c.Body
		next := endsInFallthrough(list)
		if next {
			list = list[:len(list)-1]
		}
		l.nested(list)
		if next && (len(list) == 0 || !leaves(list[len(list)-1])) {
			l.store(chosen, l.integer(int64(n+1)))
		}
		l.emit.EndIf()
	}
}

// anyCase is whether the tag equals one of the expressions, or one of them holds where there is no tag.
func (l *lowering) anyCase(list []ast.Expr, tag value) cgo.Expr {
	one := func(e ast.Expr) value {
		v := l.expression(e)
		if tag.kind == nothing {
			return v
		}
		l.at(e.Pos())
		return l.compare(token.EQL, tag, v, e.Pos())
	}
	result := one(list[0])
	for _, e := range list[1:] {
		e := e
		result = l.shortCircuit(token.LOR, result, l.needsStatements(e) || tag.kind == placed, e.Pos(), func() value { return one(e) })
	}
	return l.use(result)
}

// shortCircuit is x && y or x || y, where y is evaluated only if x does not decide. statements: y needs some.
func (l *lowering) shortCircuit(op token.Token, x value, statements bool, pos token.Pos, y func() value) value {
	boolean := types.Typ[types.Bool]
	if !statements && x.depth <= maxNested {
		before := l.effects
		right := y()
		if l.effects != before {
			l.errorf(pos, "please report it with the source of the kernel",
				"the compiler's front end failed: an operand of %s took statements", op)
			return bad
		}
		if x.kind == invalid || right.kind == invalid {
			return bad
		}
		binary := cgo.LogicAnd
		if op == token.LOR {
			binary = cgo.LogicOr
		}
		l.at(pos)
		out := scalarValue(l.emit.Binary(binary, l.use(x), l.use(right)), boolean)
		out.depth = deeper(x, right)
		return out
	}
	l.at(pos)
	l.effects++
	result := l.emit.Local("", cgo.U1, l.use(x))
	cond := result
	if op == token.LOR {
		cond = l.emit.Unary(cgo.LogicNot, result)
	}
	l.emit.BeginIf(cond)
	l.nesting++
	right := y()
	l.store(result, l.use(right))
	l.nesting--
	l.emit.EndIf()
	if right.kind == invalid {
		return bad
	}
	return stableValue(result, boolean)
}
