package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
)

// block checks a list of statements.
func (b *body) block(list []ast.Stmt, at level) {
	if at == kernelTop {
		b.onlyScopes(list)
	}
	for i := 0; i < len(list); i++ {
		call := b.apiCall(list[i], "LoopConfig")
		if call == nil || at == inner {
			b.stmt(list[i], at, false)
			continue
		}
		b.loopOptions(call)
		if i+1 == len(list) || !isLoop(list[i+1]) {
			b.report(call, "put it on the line before the loop", "LoopConfig must stand just before a top-level loop")
			continue
		}
		i++
		b.stmt(list[i], at, b.serializes(call))
	}
}

func isLoop(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return isLoop(s.Stmt)
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

func (b *body) inside(s *ast.BlockStmt) {
	if s != nil {
		b.block(s.List, inner)
	}
}

// stmt checks a statement; serial tells that a loop may not run in parallel, wherever it stands.
func (b *body) stmt(s ast.Stmt, at level, serial bool) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt, *ast.BadStmt:
	case *ast.LabeledStmt:
		if b.labels == nil {
			b.labels = map[string]ast.Stmt{}
		}
		b.labels[s.Label.Name] = s.Stmt
		b.stmt(s.Stmt, at, serial)
	case *ast.ExprStmt:
		if call := b.apiCall(s, "StreamParallel"); call != nil {
			b.streamParallel(call, at)
			return
		}
		b.expr(s.X)
	case *ast.AssignStmt:
		b.assignment(s)
	case *ast.IncDecStmt:
		b.expr(s.X)
		b.store(s.X, s.Tok)
	case *ast.DeclStmt:
		b.declaration(s.Decl.(*ast.GenDecl))
	case *ast.ReturnStmt:
		b.returns(s)
	case *ast.BranchStmt:
		b.branch(s)
	case *ast.BlockStmt:
		b.inside(s)
	case *ast.IfStmt:
		b.stmt(s.Init, inner, false)
		b.expr(s.Cond)
		b.inside(s.Body)
		b.stmt(s.Else, inner, false)
	case *ast.ForStmt:
		b.stmt(s.Init, inner, false)
		b.expr(s.Cond)
		b.stmt(s.Post, inner, false)
		b.breakable(s, s.Body)
	case *ast.RangeStmt:
		b.rangeLoop(s, at != inner && !serial && b.fn.isParallel(s))
	case *ast.SwitchStmt:
		b.stmt(s.Init, inner, false)
		b.expr(s.Tag)
		b.breaks = append(b.breaks, s)
		for _, clause := range s.Body.List {
			clause := clause.(*ast.CaseClause)
			b.exprs(clause.List)
			b.block(clause.Body, inner)
		}
		b.breaks = b.breaks[:len(b.breaks)-1]
	case *ast.GoStmt:
		b.report(s, "use a parallel loop, or qd.StreamParallel", "go statements cannot be used in a kernel")
	case *ast.DeferStmt:
		b.report(s, "call it where the function returns", "defer cannot be used in a kernel")
	case *ast.SelectStmt:
		b.report(s, "", "select cannot be used in a kernel, which has no channels")
	case *ast.SendStmt:
		b.report(s, "write to an array", "channels cannot be used in a kernel")
	case *ast.TypeSwitchStmt:
		b.report(s, "use a generic function", "type switches cannot be used in a kernel, which has no interfaces")
	}
}

func (b *body) breakable(s ast.Stmt, block *ast.BlockStmt) {
	b.breaks = append(b.breaks, s)
	b.inside(block)
	b.breaks = b.breaks[:len(b.breaks)-1]
}

func (b *body) assignment(s *ast.AssignStmt) {
	b.exprs(s.Rhs)
	for _, lhs := range s.Lhs {
		if id, ok := lhs.(*ast.Ident); ok {
			if id.Name == "_" {
				continue
			}
			if obj := b.info().Defs[id]; obj != nil {
				b.localType(id, obj.Type())
				continue
			}
		}
		b.expr(lhs)
		tok := s.Tok
		if tok == token.DEFINE {
			tok = token.ASSIGN // of a variable that := does not declare anew
		}
		b.store(lhs, tok)
	}
}

func (b *body) declaration(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			if d.Tok == token.CONST {
				continue
			}
			b.exprs(spec.Values)
			for _, name := range spec.Names {
				if obj := b.info().Defs[name]; obj != nil && name.Name != "_" {
					b.localType(name, obj.Type())
				}
			}
		case *ast.TypeSpec:
			obj := b.info().Defs[spec.Name]
			if obj != nil && len(b.fn.targs) > 0 && mentionsTypeParam(obj.Type().Underlying()) {
				b.report(spec, "declare it outside", "type %s depends on the type parameters of the function it is declared in",
					spec.Name.Name)
			}
		}
	}
}

func mentionsTypeParam(t types.Type) bool {
	found := false
	eachType(t, func(t types.Type) bool {
		_, ok := t.(*types.TypeParam)
		found = found || ok
		return !found
	})
	return found
}

func (b *body) rangeLoop(s *ast.RangeStmt, parallel bool) {
	if !b.isNDRange(s.X) {
		b.expr(s.X)
		b.rangeOperand(s)
	} else {
		b.exprs(ast.Unparen(s.X).(*ast.CallExpr).Args)
	}
	outer := b.loop
	if parallel {
		b.loop = s
	}
	for _, e := range []ast.Expr{s.Key, s.Value} {
		id, ok := e.(*ast.Ident)
		switch {
		case e == nil || ok && id.Name == "_":
		case s.Tok == token.DEFINE && ok:
			if obj := b.info().Defs[id]; obj != nil {
				b.localType(id, obj.Type())
			}
		default:
			b.expr(e)
			b.store(e, token.ASSIGN)
		}
	}
	b.breakable(s, s.Body)
	if parallel {
		b.readsOfReductions(s)
	}
	b.loop = outer
}

func (b *body) rangeOperand(s *ast.RangeStmt) {
	t := b.fn.typeOf(s.X)
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Signature); ok {
		b.report(s.X, "use qd.NDRange2, qd.NDRange3 or nested loops", "range over a function cannot be used in a kernel")
	}
}

// returns checks a return statement and its place.
func (b *body) returns(s *ast.ReturnStmt) {
	b.exprs(s.Results)
	switch {
	case b.loop != nil:
		b.report(s, "a parallel loop has no order; use a serial loop", "return out of a parallel loop")
	case b.scope != nil:
		b.report(s, "put the rest of the scope into an if", "return out of a StreamParallel scope")
	}
}

func (b *body) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.GOTO:
		b.report(s, "use a loop, or a labeled break or continue", "goto cannot be used in a kernel")
	case token.BREAK:
		target := ast.Stmt(nil)
		if s.Label != nil {
			target = b.labels[s.Label.Name]
		} else if len(b.breaks) > 0 {
			target = b.breaks[len(b.breaks)-1]
		}
		if b.loop != nil && target == ast.Stmt(b.loop) {
			b.report(s, "a parallel loop has no order; use a serial loop", "break out of a parallel loop")
		}
	}
}
