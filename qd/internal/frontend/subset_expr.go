package frontend

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func (b *body) exprs(list []ast.Expr) {
	for _, e := range list {
		b.expr(e)
	}
}

// expr checks an expression that is evaluated.
func (b *body) expr(e ast.Expr) {
	if e == nil {
		return
	}
	tv := b.info().Types[e]
	if tv.Value != nil {
		if tv.Value.Kind() == constant.String && !b.messages {
			b.typeFault(e, types.Typ[types.String])
		} else if tv.Type != nil && isComplex(tv.Type) {
			b.typeFault(e, tv.Type)
		}
		return
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		b.expr(x.X)
	case *ast.Ident:
		b.name(x, b.info().Uses[x])
	case *ast.SelectorExpr:
		b.selector(x)
	case *ast.IndexExpr:
		if b.isFunction(x.X) {
			b.functionValue(x)
			return
		}
		b.expr(x.X)
		b.expr(x.Index)
		b.typeFault(x, b.fn.typeOf(x))
	case *ast.IndexListExpr:
		b.functionValue(x)
	case *ast.SliceExpr:
		b.expr(x.X)
		b.expr(x.Low)
		b.expr(x.High)
		b.expr(x.Max)
		b.typeFault(x, b.fn.typeOf(x))
	case *ast.StarExpr:
		b.expr(x.X)
		b.typeFault(x, b.fn.typeOf(x))
	case *ast.UnaryExpr:
		b.unary(x)
	case *ast.BinaryExpr:
		b.expr(x.X)
		b.expr(x.Y)
		b.typeFault(x, b.fn.typeOf(x))
	case *ast.CompositeLit:
		b.composite(x)
	case *ast.FuncLit:
		b.report(x, "declare it as a function", "function literals cannot be used in a kernel, except by qd.StreamParallel")
	case *ast.TypeAssertExpr:
		b.report(x, "use a generic function", "type assertions cannot be used in a kernel, which has no interfaces")
	case *ast.CallExpr:
		b.call(x)
	}
}

// name checks what an identifier, or the member of a package, stands for.
func (b *body) name(e ast.Expr, obj types.Object) {
	switch obj := obj.(type) {
	case *types.Var:
		if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			b.report(e, "pass it as an argument or make it a constant", "package-level variable %s", types.ExprString(e))
		}
	case *types.Func:
		b.functionValue(e)
	}
}

func (b *body) functionValue(e ast.Expr) {
	b.report(e, "call it", "function %s is used as a value", types.ExprString(e))
}

func (b *body) isFunction(e ast.Expr) bool {
	t := b.info().TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// member is the package whose member a selector names; nil for fields and methods.
func (b *body) member(x *ast.SelectorExpr) *types.PkgName {
	if id, ok := x.X.(*ast.Ident); ok {
		pkg, _ := b.info().Uses[id].(*types.PkgName)
		return pkg
	}
	return nil
}

func (b *body) selector(x *ast.SelectorExpr) {
	if b.member(x) != nil {
		if obj := b.info().Uses[x.Sel]; obj != nil {
			b.name(x, obj)
		} else {
			b.report(x, "", "%s cannot be used in a kernel", types.ExprString(x))
		}
		return
	}
	switch sel := b.info().Selections[x]; {
	case sel == nil:
		b.expr(x.X)
	case sel.Kind() == types.FieldVal:
		b.expr(x.X)
		if sel.Type() == types.Typ[types.Invalid] {
			b.reportOnce(x, "", "%s has a type that kernels cannot use", types.ExprString(x))
			return
		}
		b.typeFault(x, b.fn.typeOf(x))
	case sel.Kind() == types.MethodVal:
		b.report(x, "call it", "the method value %s cannot be used in a kernel", types.ExprString(x))
	default:
		b.functionValue(x)
	}
}

func (b *body) unary(x *ast.UnaryExpr) {
	switch x.Op {
	case token.ARROW:
		b.report(x, "", "channels cannot be used in a kernel")
		return
	case token.AND:
		if _, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
			b.report(x, "declare a variable and take its address", "%s allocates memory, which a kernel cannot", "&"+literalName(x.X))
			return
		}
		b.sharedAddress(x, x.X)
	}
	b.expr(x.X)
}

func literalName(e ast.Expr) string {
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok && lit.Type != nil {
		return types.ExprString(lit.Type) + "{…}"
	}
	return "{…}"
}

func (b *body) composite(x *ast.CompositeLit) {
	t := b.fn.typeOf(x)
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Slice); ok {
		b.report(x, "use an array, such as [4]float32{…}", "a slice literal allocates memory, which a kernel cannot")
		return
	}
	if b.typeFault(x, t) {
		return
	}
	for _, elt := range x.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value // a key is a field or a constant
		}
		b.expr(elt)
	}
}
