package frontend

import (
	"go/ast"
	"go/token"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// statements lowers a list up to the first statement that always leaves it; what follows can never run.
func (l *lowering) statements(list []ast.Stmt) {
	for _, s := range list {
		l.statement(s, "")
		if leaves(s) {
			return
		}
	}
}

func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	}
	return false
}

// nested lowers a list that is not at the top level of the kernel or its scope.
func (l *lowering) nested(list []ast.Stmt) {
	l.nesting++
	l.statements(list)
	l.nesting--
}

// statement lowers one statement; label is the Go label that stands before it.
func (l *lowering) statement(s ast.Stmt, label string) {
	l.at(s.Pos())
	switch s := s.(type) {
	case *ast.AssignStmt:
		l.assignment(s)
	case *ast.IncDecStmt:
		l.incDec(s)
	case *ast.ExprStmt:
		l.discard(l.expression(s.X))
	case *ast.DeclStmt:
		l.declaration(s)
	case *ast.BlockStmt:
		l.nested(s.List)
	case *ast.IfStmt:
		l.ifStatement(s)
	case *ast.ForStmt:
		l.nesting++
		l.forStatement(s, label)
		l.nesting--
	case *ast.RangeStmt:
		l.rangeStatement(s, label)
	case *ast.SwitchStmt:
		l.nesting++
		l.switchStatement(s, label)
		l.nesting--
	case *ast.LabeledStmt:
		l.statement(s.Stmt, s.Label.Name)
	case *ast.BranchStmt:
		l.branch(s)
	case *ast.ReturnStmt:
		l.returnStatement(s)
	case *ast.EmptyStmt:
	default:
		l.errorf(s.Pos(), "", "this statement is not part of the kernel language")
	}
}

func (l *lowering) beginScope() cgo.Label {
	l.effects++
	return l.emit.BeginScope()
}

func (l *lowering) pushTarget(t target) { l.frame.targets = append(l.frame.targets, t) }

func (l *lowering) popTarget() { l.frame.targets = l.frame.targets[:len(l.frame.targets)-1] }

// breaksOut tells whether a break inside a switch leaves it: by its label, or as the innermost statement that has breaks.
func breaksOut(s *ast.SwitchStmt, label string) bool {
	found := false
	var look func(n ast.Node, inner bool)
	look = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			if m == nil || m == n {
				return true
			}
			switch m := m.(type) {
			case *ast.BranchStmt:
				if m.Tok == token.BREAK && (m.Label == nil && !inner || m.Label != nil && m.Label.Name == label) {
					found = true
				}
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				look(m, true)
				return false
			case *ast.FuncLit:
				return false
			}
			return true
		})
	}
	look(s, false)
	return found
}

func (l *lowering) ifStatement(s *ast.IfStmt) {
	if s.Init != nil {
		l.nesting++
		l.statement(s.Init, "")
		l.nesting--
	}
	cond := l.expression(s.Cond)
	if cond.constant != nil && cond.kind == scalar {
		l.constantIf(s, isTrue(cond))
		return
	}
	l.at(s.Pos())
	l.effects++
	l.emit.BeginIf(l.use(cond))
	l.nested(s.Body.List)
	if s.Else != nil {
		l.emit.BeginElse()
		l.nesting++
		l.statement(s.Else, "")
		l.nesting--
	}
	l.emit.EndIf()
}

// constantIf lowers the branch that is taken, in an if all the same, since it may end in a jump that more code follows.
func (l *lowering) constantIf(s *ast.IfStmt, taken bool) {
	if !taken && s.Else == nil {
		return
	}
	l.effects++
	l.at(s.Pos())
	l.emit.BeginIf(l.boolean(true))
	if taken {
		l.nested(s.Body.List)
	} else if s.Else != nil {
		l.nesting++
		l.statement(s.Else, "")
		l.nesting--
	}
	l.emit.EndIf()
}

// declaration lowers `var` inside a function; constants and types need nothing.
func (l *lowering) declaration(s *ast.DeclStmt) {
	g, ok := s.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return
	}
	for _, sp := range g.Specs {
		spec, ok := sp.(*ast.ValueSpec)
		if !ok {
			continue
		}
		l.at(spec.Pos())
		values := make([]value, len(spec.Names))
		switch {
		case len(spec.Values) == len(spec.Names):
			for i, e := range spec.Values {
				values[i] = l.expression(e)
				if len(spec.Values) > 1 {
					values[i] = l.copyOf(values[i], spec.Names[i].Name)
				}
			}
		case len(spec.Values) == 1:
			values = l.unpack(spec.Values[0], len(spec.Names))
		default:
			for i := range values {
				values[i] = value{kind: nothing}
			}
		}
		l.at(spec.Pos())
		for i, id := range spec.Names {
			l.define(id, values[i])
		}
	}
}

// unpack lowers a call with several results.
func (l *lowering) unpack(e ast.Expr, count int) []value {
	v := l.expression(e)
	if v.kind == several && len(v.list) == count {
		return v.list
	}
	if v.kind != invalid {
		l.errorf(e.Pos(), "", "this does not give %d values", count)
	}
	list := make([]value, count)
	for i := range list {
		list[i] = bad
	}
	return list
}

// define declares the variable of an identifier on the left of := or in a var declaration.
func (l *lowering) define(id *ast.Ident, v value) {
	obj := l.frame.fn.unit.info.Defs[id]
	if id.Name == "_" || obj == nil {
		l.discard(v)
		return
	}
	l.declareVariable(obj, l.frame.fn.substitute(obj.Type()), v)
}

// discard evaluates what is left of an expression whose value is not used: its checks may fail.
func (l *lowering) discard(v value) {
	switch v.kind {
	case scalar:
		if !v.stable {
			l.bind(v.expr)
		}
	case placed:
		if len(v.place.indices) > 0 || hasIndices(v.place) {
			l.pin(v.place)
		}
	case viewed:
		l.pinView(v.view)
	case pointed:
		l.pin(v.place)
	case several:
		for _, x := range v.list {
			l.discard(x)
		}
	}
}

func (l *lowering) branch(s *ast.BranchStmt) {
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		l.errorf(s.Pos(), "", "%s is not part of the kernel language here", s.Tok)
		return
	}
	for i := len(l.frame.targets) - 1; i >= 0; i-- {
		t := l.frame.targets[i]
		if s.Label != nil && t.label != s.Label.Name {
			continue
		}
		if s.Tok == token.CONTINUE {
			if !t.loop {
				continue
			}
			l.effects++
			l.emit.Continue(t.next)
			return
		}
		if t.parallel {
			l.errorf(s.Pos(), "write a serial loop: for i := 0; i < n; i++", "break out of a parallel loop: it has no order; use a serial loop")
			return
		}
		l.effects++
		l.emit.Break(t.exit)
		return
	}
	l.errorf(s.Pos(), "", "%s has nothing to leave", s.Tok)
}

func (l *lowering) returnStatement(s *ast.ReturnStmt) {
	f := l.frame
	if f.caller == nil {
		switch {
		case l.region != 0:
			l.errorf(s.Pos(), "use continue", "return out of a parallel loop: it has no order; use a serial loop")
		case l.scope:
			l.errorf(s.Pos(), "", "return inside a StreamParallel scope")
		default:
			l.effects++
			l.emit.Return()
		}
		return
	}
	count := f.fn.signature().Results().Len()
	var values []value
	switch {
	case len(s.Results) == 0 && count > 0: // bare: the named results hold the values
		if s == f.final {
			for _, r := range f.results {
				values = append(values, r.val)
			}
		}
	case len(s.Results) == 1 && count > 1:
		values = l.unpack(s.Results[0], count)
	default:
		for _, e := range s.Results {
			values = append(values, l.expression(e))
		}
	}
	l.at(s.Pos())
	if s == f.final {
		f.direct = l.ownResults(values)
		return
	}
	if len(values) > 0 {
		if len(values) > 1 {
			for i := range values {
				values[i] = l.copyOf(values[i], "")
			}
		}
		for i, v := range values {
			if i < len(f.results) {
				l.assignVariable(f.results[i], v, s.Pos())
			}
		}
	}
	l.effects++
	l.emit.Break(f.out)
}

// ownResults makes results that outlive the function's variables.
func (l *lowering) ownResults(values []value) []value {
	out := make([]value, len(values))
	seen := map[*local]bool{}
	for i, v := range values {
		if v.kind == placed && scalarType(v.typ) == cgo.None {
			if p := v.place; p.local != nil && len(p.steps) == 0 && !p.local.addressed && !seen[p.local] && p.local.frame == l.frame {
				seen[p.local] = true
				v.fresh = true
				out[i] = v
				continue
			}
		}
		out[i] = l.copyOf(v, "")
	}
	return out
}
