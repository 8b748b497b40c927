package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
)

// isParallel tells whether a range loop at the top level of a kernel or of a StreamParallel scope is a parallel loop: over
// an integer, a slice parameter, or an NDRange.
func (f *function) isParallel(s *ast.RangeStmt) bool {
	x := ast.Unparen(s.X)
	if isNDRangeCall(f.unit.info, x) {
		return true
	}
	t := f.typeOf(x)
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsInteger != 0
	case *types.Slice:
		id, ok := x.(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := f.unit.info.Uses[id].(*types.Var)
		return ok && f.isParameter(v)
	}
	return false
}

func (f *function) isParameter(v *types.Var) bool {
	sig := f.obj.Signature()
	if sig.Recv() == v {
		return true
	}
	for p := range sig.Params().Variables() {
		if p == v {
			return true
		}
	}
	return false
}

func isNDRangeCall(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	name := apiName(info, call)
	return name == "NDRange2" || name == "NDRange3"
}

func (b *body) isNDRange(e ast.Expr) bool { return isNDRangeCall(b.info(), e) }

// apiName is the name of the function of package qd that a call calls; "" where it calls something else.
func apiName(info *types.Info, call *ast.CallExpr) string {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return ""
	}
	obj, ok := info.Uses[id].(*types.Func)
	if !ok || obj.Pkg() == nil || obj.Pkg().Path() != KernelAPIPath || obj.Signature().Recv() != nil {
		return ""
	}
	return obj.Name()
}

// apiCall is the statement's call of a function of package qd; nil where it is something else.
func (b *body) apiCall(s ast.Stmt, name string) *ast.CallExpr {
	if x, ok := s.(*ast.ExprStmt); ok {
		if call, ok := ast.Unparen(x.X).(*ast.CallExpr); ok && apiName(b.info(), call) == name {
			return call
		}
	}
	return nil
}

// loopOptions checks the arguments of LoopConfig, which are read when the kernel is compiled.
func (b *body) loopOptions(call *ast.CallExpr) {
	for _, arg := range call.Args {
		option, ok := ast.Unparen(arg).(*ast.CallExpr)
		if !ok || apiName(b.info(), option) == "" {
			b.report(arg, "write it in place, such as qd.BlockDim(128)", "an option of LoopConfig must be a call of its function")
			continue
		}
		for _, value := range option.Args {
			if b.info().Types[value].Value == nil {
				b.report(value, "", "the options of LoopConfig must be constant")
			}
		}
	}
}

func (b *body) serializes(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if option, ok := ast.Unparen(arg).(*ast.CallExpr); ok && apiName(b.info(), option) == "Serialize" {
			return true
		}
	}
	return false
}

// reductions are the assignments that many iterations may make to one variable, since their order does not matter.
var reductions = map[token.Token]bool{
	token.ADD_ASSIGN: true, token.SUB_ASSIGN: true, token.MUL_ASSIGN: true, token.AND_ASSIGN: true, token.OR_ASSIGN: true,
	token.XOR_ASSIGN: true, token.AND_NOT_ASSIGN: true, token.INC: true, token.DEC: true,
}

// store checks where an assignment goes.
func (b *body) store(lhs ast.Expr, tok token.Token) {
	root, behind := b.root(lhs)
	if root == nil {
		return
	}
	if behind {
		if b.caller == nil && b.fn.isParameter(root) {
			if parameterFault(b.fn.substitute(root.Type())).what == "" {
				b.report(lhs, "use an array of one element", "%s cannot be assigned in a kernel: it is passed by value",
					types.ExprString(lhs))
			}
		} else if b.loop != nil && !declaredIn(root, b.loop) && tok == token.ASSIGN && !b.fn.isParameter(root) {
			b.report(lhs, "use a variable declared inside the loop",
				"assignment through %s, which is declared outside the parallel loop", root.Name())
		}
		return
	}
	b.sharedStore(lhs, root, tok)
}

func (b *body) sharedStore(lhs ast.Expr, root *types.Var, tok token.Token) {
	switch {
	case b.scope != nil && !declaredIn(root, b.scope):
		b.report(lhs, "declare it inside the scope, or use an array",
			"%s is declared outside the StreamParallel scope and cannot be assigned in it", root.Name())
	case b.loop == nil || declaredIn(root, b.loop) || reductions[tok]:
	case tok == token.ASSIGN:
		b.report(lhs, "declare it inside the loop, use += or its kin, or write to an array",
			"%s is declared outside the parallel loop, whose iterations would overwrite each other's value", root.Name())
	default:
		b.report(lhs, "only +=, -=, *=, &=, |=, ^=, &^=, ++ and -- are reductions",
			"%s is declared outside the parallel loop and cannot be changed by %s in it", root.Name(), tok)
	}
}

// atomicPlace checks the place of an atomic function of package qd.
func (b *body) atomicPlace(place ast.Expr) {
	root, behind := b.root(place)
	if root != nil && !behind && b.scope != nil && !declaredIn(root, b.scope) {
		b.sharedStore(place, root, token.ADD_ASSIGN)
	}
}

// sharedAddress refuses the address of a variable that all iterations share: what is done with it could not be seen.
func (b *body) sharedAddress(at, place ast.Expr) {
	root, behind := b.root(place)
	if root == nil || behind || b.loop == nil || declaredIn(root, b.loop) {
		return
	}
	b.report(at, "copy it to a variable declared inside the loop",
		"the address of %s, which is declared outside the parallel loop, cannot be taken in it", root.Name())
}

// root is the local variable that a place is part of; behind tells that the place is reached through a pointer field
// selection or dereference of it. It is nil for elements of slices, which are not part of any variable.
func (b *body) root(e ast.Expr) (v *types.Var, behind bool) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := b.info().ObjectOf(x).(*types.Var)
			if v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				return nil, false
			}
			return v, behind
		case *ast.SelectorExpr:
			sel := b.info().Selections[x]
			if sel == nil || sel.Kind() != types.FieldVal {
				return nil, false
			}
			behind = behind || sel.Indirect()
			e = x.X
		case *ast.IndexExpr:
			switch underlying(b.fn.typeOf(x.X)).(type) {
			case *types.Array:
			case *types.Pointer:
				behind = true
			default:
				return nil, false
			}
			e = x.X
		case *ast.StarExpr:
			if _, ok := ast.Unparen(x.X).(*ast.CallExpr); ok {
				return nil, false // *array.At(i)
			}
			behind = true
			e = x.X
		default:
			return nil, false
		}
	}
}

// underlying is for types that may be missing where the source has errors.
func underlying(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t.Underlying()
}

func declaredIn(v *types.Var, n ast.Node) bool { return n.Pos() <= v.Pos() && v.Pos() < n.End() }

// readsOfReductions warns about variables that a parallel loop both reduces into and reads: what it reads is any partial
// value.
func (b *body) readsOfReductions(s *ast.RangeStmt) {
	reduced, stores := map[*types.Var]bool{}, map[*ast.Ident]bool{}
	ast.Inspect(s.Body, func(n ast.Node) bool {
		var lhs ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if reductions[n.Tok] {
				lhs = n.Lhs[0]
			}
		case *ast.IncDecStmt:
			lhs = n.X
		}
		if id, ok := lhs.(*ast.Ident); ok {
			if v, ok := b.info().Uses[id].(*types.Var); ok && !declaredIn(v, s) {
				reduced[v], stores[id] = true, true
			}
		}
		return true
	})
	ast.Inspect(s.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || stores[id] {
			return true
		}
		if v, ok := b.info().Uses[id].(*types.Var); ok && reduced[v] {
			b.warn(id, "read it after the loop", "%s is read in the parallel loop that sums it up, and may have any partial value",
				v.Name())
		}
		return true
	})
}
