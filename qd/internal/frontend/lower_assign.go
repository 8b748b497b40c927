package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// binaryTokens are the operators on two values of one type, and shifts.
var binaryTokens = map[token.Token]cgo.BinaryOp{
	token.ADD: cgo.Add, token.SUB: cgo.Sub, token.MUL: cgo.Mul, token.QUO: cgo.Div, token.REM: cgo.Rem,
	token.AND: cgo.And, token.OR: cgo.Or, token.XOR: cgo.Xor, token.AND_NOT: cgo.AndNot,
	token.SHL: cgo.Shl, token.SHR: cgo.Shr,
	token.EQL: cgo.Eq, token.NEQ: cgo.Ne, token.LSS: cgo.Lt, token.LEQ: cgo.Le, token.GTR: cgo.Gt, token.GEQ: cgo.Ge,
}

// assignTokens are the operators of `x op= y`.
var assignTokens = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.AND_NOT_ASSIGN: token.AND_NOT, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// atomicTokens are those that can be one atomic operation.
var atomicTokens = map[token.Token]cgo.AtomicOp{
	token.ADD: cgo.AtomicAdd, token.SUB: cgo.AtomicSub, token.MUL: cgo.AtomicMul, token.AND: cgo.AtomicAnd,
	token.OR: cgo.AtomicOr, token.XOR: cgo.AtomicXor, token.AND_NOT: cgo.AtomicAndNot,
}

func (l *lowering) assignment(s *ast.AssignStmt) {
	if op, ok := assignTokens[s.Tok]; ok && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		l.update(s.Lhs[0], op, func() value { return l.expression(s.Rhs[0]) }, s)
		return
	}
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		l.assignOne(s)
		return
	}
	// Operands of index expressions and pointers on the left, then the right side, then the assignments in order.
	targets := make([]assignee, len(s.Lhs))
	for i, e := range s.Lhs {
		targets[i] = l.assignee(s, e)
		if targets[i].place != nil && len(s.Lhs) > 1 {
			targets[i].place = l.fixIndices(targets[i].place)
		}
	}
	var values []value
	if len(s.Rhs) == len(s.Lhs) {
		for _, e := range s.Rhs {
			values = append(values, l.copyOf(l.expression(e), ""))
		}
	} else if len(s.Rhs) == 1 {
		values = l.unpack(s.Rhs[0], len(s.Lhs))
	} else {
		return
	}
	for i, t := range targets {
		l.at(s.Pos())
		l.finish(t, values[i])
	}
}

func (l *lowering) assignOne(s *ast.AssignStmt) {
	t := l.assignee(s, s.Lhs[0])
	v := l.expression(s.Rhs[0])
	l.at(s.Pos())
	l.finish(t, v)
}

// assignee is where a value goes: a variable that is declared, one that holds a slice or a pointer, a place, or nowhere.
type assignee struct {
	define   *ast.Ident
	variable *variable
	place    *place
	pos      token.Pos
	broken   bool
}

func (l *lowering) assignee(s *ast.AssignStmt, e ast.Expr) assignee {
	if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE && l.frame.fn.unit.info.Defs[id] != nil {
		return assignee{define: id, pos: e.Pos()}
	}
	return l.destination(e)
}

func (l *lowering) destination(e ast.Expr) assignee {
	e = ast.Unparen(e)
	t := assignee{pos: e.Pos()}
	if id, ok := e.(*ast.Ident); ok {
		if id.Name == "_" {
			return t
		}
		t.variable = l.variableOf(id)
		t.broken = t.variable == nil
		return t
	}
	v := l.expression(e)
	if v.kind != placed {
		if v.kind != invalid {
			l.errorf(e.Pos(), "write results to an array", "%s cannot be assigned in a kernel", types.ExprString(e))
		}
		t.broken = true
		return t
	}
	t.place = v.place
	return t
}

// variableOf is the variable an identifier uses; what is wrong was reported where it was declared.
func (l *lowering) variableOf(id *ast.Ident) *variable {
	obj := l.frame.fn.unit.info.ObjectOf(id)
	if v := l.frame.vars[obj]; v != nil {
		return v
	}
	if _, ok := obj.(*types.Var); ok && obj.Parent() != nil && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
		l.errorf(id.Pos(), "pass it as an argument or make it a constant", "package-level variable %s", id.Name)
	}
	return nil
}

// fixIndices evaluates the indices of a place without checking them: Go does that when it assigns.
func (l *lowering) fixIndices(p *place) *place {
	q := *p
	q.indices = append([]index(nil), p.indices...)
	q.steps = append([]step(nil), p.steps...)
	fix := func(i *index) {
		if !i.stable {
			i.expr, i.stable = l.bind(i.expr), true
		}
	}
	for n := range q.indices {
		fix(&q.indices[n])
	}
	for n := range q.steps {
		if q.steps[n].item {
			fix(&q.steps[n].index)
		}
	}
	return &q
}

func (l *lowering) finish(t assignee, v value) {
	switch {
	case t.broken:
	case t.define != nil:
		l.define(t.define, v)
	case t.variable != nil:
		l.assignVariable(t.variable, v, t.pos)
	case t.place != nil:
		l.assignPlace(t.place, v, t.pos)
	default:
		l.discard(v)
	}
}

func (l *lowering) assignTo(e ast.Expr, v value, pos token.Pos) { l.finish(l.destination(e), v) }

func (l *lowering) assignVariable(to *variable, v value, pos token.Pos) {
	if v.kind == invalid || to.val.kind == invalid {
		return
	}
	switch to.val.kind {
	case placed:
		l.assignPlace(to.val.place, v, pos)
	case viewed, pointed:
		if to.region != l.region {
			l.sharedAssignment(to.name, pos)
			return
		}
		if !to.mutable {
			return
		}
		if to.val.kind == viewed {
			if v.kind == viewed || v.kind == null {
				l.moveView(to, v, pos)
			}
			return
		}
		if v.kind != pointed {
			l.errorf(pos, "", "a pointer in a kernel must point to a variable")
			return
		}
		now := l.pin(v.place)
		if !sameWay(to.val.place, now) {
			l.errorf(pos, "use a variable of its own for each",
				"%s cannot be made to point to another variable: which one it points to must be known when the kernel is compiled", to.name)
			return
		}
		l.move(to.val.place, now)
	default:
		l.errorf(pos, "", "%s cannot be assigned in a kernel", to.name)
	}
}

func (l *lowering) sharedAssignment(name string, pos token.Pos) {
	l.errorf(pos, "declare it inside the loop, use += or its kin, or write to an array",
		"%s is declared outside the parallel loop, whose iterations would overwrite each other's value", name)
}

// writable reports a place that cannot be assigned.
func (l *lowering) writable(p *place, pos token.Pos) bool {
	switch {
	case p.readonly != "":
		l.errorf(pos, "write to an array of one element", "%s", p.readonly)
	case p.value != nil:
		l.errorf(pos, "", "%s cannot be assigned in a kernel: it is passed by value", p.value.name)
	default:
		return true
	}
	return false
}

func (l *lowering) assignPlace(p *place, v value, pos token.Pos) {
	if v.kind == invalid || !l.writable(p, pos) {
		return
	}
	if l.isShared(p) {
		l.sharedAssignment(p.local.name, pos)
		return
	}
	if v.kind != scalar && v.kind != placed {
		l.errorf(pos, "", "a kernel cannot store a value of type %s", l.typeName(v.typ))
		return
	}
	v = l.typed(v, p.typ)
	if v.kind == invalid {
		return
	}
	e := l.use(v)
	to := l.address(p)
	l.at(pos)
	l.store(to, e)
}

// isShared tells whether a place is part of a variable that all iterations of the parallel loop share.
func (l *lowering) isShared(p *place) bool {
	return p.local != nil && l.region != 0 && p.local.region != l.region
}

func (l *lowering) incDec(s *ast.IncDecStmt) {
	op := token.ADD
	if s.Tok == token.DEC {
		op = token.SUB
	}
	t := l.frame.fn.typeOf(s.X)
	l.update(s.X, op, func() value { return l.one(t) }, s)
}

// update is `x op= y`: one atomic operation where other iterations may update the same memory, else read, operate, write.
func (l *lowering) update(lhs ast.Expr, op token.Token, operand func() value, s ast.Stmt) {
	target := l.destination(lhs)
	if target.broken {
		l.discard(operand())
		return
	}
	p := target.place
	if target.variable != nil {
		if target.variable.val.kind != placed {
			if target.variable.val.kind != invalid {
				l.errorf(lhs.Pos(), "", "%s cannot be changed by %s= in a kernel", target.variable.name, op)
			}
			return
		}
		p = target.variable.val.place
	}
	if p == nil {
		return
	}
	y := operand()
	if y.kind == invalid || !l.writable(p, lhs.Pos()) {
		return
	}
	l.at(s.Pos())
	shared := l.isShared(p)
	if atomic, ok := atomicTokens[op]; ok && (shared || l.othersWrite(p) && op != token.MUL) {
		y = l.typed(y, p.typ)
		if y.kind == invalid {
			return
		}
		value := l.use(y)
		l.effects++
		l.emit.Atomic(atomic, l.address(p), value)
		return
	}
	if shared {
		l.errorf(lhs.Pos(), "only +=, -=, *=, &=, |=, ^=, &^=, ++ and -- are reductions",
			"%s is declared outside the parallel loop and cannot be changed by %s= in it", p.local.name, op)
		return
	}
	p = l.pinForUpdate(p)
	old := placeValue(p)
	result := l.arithmetic(op, old, y, p.typ, s.Pos())
	if result.kind == invalid {
		return
	}
	l.at(s.Pos())
	l.store(l.address(trusted(p)), l.use(result))
}

// othersWrite tells whether a place may be updated by other iterations or by another StreamParallel scope.
func (l *lowering) othersWrite(p *place) bool { return p.array != nil && (l.region != 0 || l.scope) }

// pinForUpdate evaluates the indices of a place that is read and then written; the read checks them.
func (l *lowering) pinForUpdate(p *place) *place {
	if p.array == nil && !hasIndices(p) {
		return p
	}
	return l.fixIndices(p)
}

// trusted is a place whose indices were checked just before.
func trusted(p *place) *place {
	q := *p
	q.indices = append([]index(nil), p.indices...)
	q.steps = append([]step(nil), p.steps...)
	for n := range q.indices {
		q.indices[n].safe = true
	}
	for n := range q.steps {
		q.steps[n].index.safe = true
	}
	return &q
}
