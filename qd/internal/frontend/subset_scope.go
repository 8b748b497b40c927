package frontend

import (
	"go/ast"
	"go/token"
)

// emitsNothing are the functions of package qd that may stand beside StreamParallel scopes.
var emitsNothing = map[string]bool{"StaticAssert": true, "StaticPrint": true, "AssumeDisjoint": true}

// onlyScopes reports every top-level statement beside StreamParallel scopes that emits code.
func (b *body) onlyScopes(list []ast.Stmt) {
	any := false
	for _, s := range list {
		any = any || b.apiCall(s, "StreamParallel") != nil
	}
	if !any {
		return
	}
	for _, s := range list {
		if b.apiCall(s, "StreamParallel") == nil && !b.silent(s) {
			b.report(s, "", "all top-level statements must be StreamParallel scopes; move the rest to another kernel")
		}
	}
}

// silent tells whether a statement emits no code.
func (b *body) silent(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return true
	case *ast.DeclStmt:
		tok := s.Decl.(*ast.GenDecl).Tok
		return tok == token.CONST || tok == token.TYPE
	case *ast.AssignStmt:
		for i, lhs := range s.Lhs {
			if id, ok := lhs.(*ast.Ident); !ok || id.Name != "_" || len(s.Rhs) != len(s.Lhs) || !b.plain(s.Rhs[i]) {
				return false
			}
		}
		return true
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			return emitsNothing[apiName(b.info(), call)]
		}
	}
	return false
}

// plain tells whether evaluating the expression can do nothing: a name or a constant.
func (b *body) plain(e ast.Expr) bool {
	_, isName := ast.Unparen(e).(*ast.Ident)
	return isName || b.info().Types[e].Value != nil
}

// streamParallel checks a call of qd.StreamParallel and the scope it opens.
func (b *body) streamParallel(call *ast.CallExpr, at level) {
	if len(call.Args) != 1 {
		return // the type checker reports it
	}
	lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit)
	switch {
	case b.scope != nil:
		b.report(call, "put its loops into the enclosing scope", "StreamParallel scopes cannot nest")
	case at != kernelTop:
		b.report(call, "move it there", "a StreamParallel scope may stand only at the top level of a kernel")
	case !ok:
		b.report(call, "write qd.StreamParallel(func() { … })", "StreamParallel needs a function literal")
	}
	if !ok {
		return
	}
	outerScope, outerLoop, outerBreaks := b.scope, b.loop, b.breaks
	b.scope, b.loop, b.breaks = lit, nil, nil
	b.block(lit.Body.List, scopeTop)
	b.scope, b.loop, b.breaks = outerScope, outerLoop, outerBreaks
}
