package frontend

import (
	"fmt"
	"go/ast"
	"go/types"
	"runtime/debug"
	"strings"
)

// builtinHints tells what to do instead of a builtin function that kernels do not have.
var builtinHints = map[string]string{
	"append":  "write to an array that is long enough",
	"make":    "use an array, or pass a slice as an argument",
	"new":     "declare a variable and take its address",
	"panic":   "use qd.Assert",
	"recover": "",
	"close":   "",
	"delete":  "",
	"complex": "use two floats",
	"real":    "use two floats",
	"imag":    "use two floats",
}

// messageFunctions are those of package qd that take constant strings.
var messageFunctions = map[string]bool{
	"Assert": true, "StaticAssert": true, "StaticPrint": true, "Print": true, "Printf": true, "Println": true,
	"LoopConfig": true, "Name": true,
}

func (b *body) call(x *ast.CallExpr) {
	fun := ast.Unparen(x.Fun)
	tv := b.info().Types[fun]
	switch {
	case tv.IsType():
		if !b.typeFault(x, b.fn.substitute(tv.Type)) {
			b.exprs(x.Args)
		}
		return
	case tv.IsBuiltin():
		b.builtin(x, fun)
		return
	}
	if _, ok := fun.(*ast.FuncLit); ok {
		b.report(fun, "declare it as a function", "function literals cannot be used in a kernel, except by qd.StreamParallel")
		return
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok && b.member(sel) != nil && b.info().Uses[sel.Sel] == nil {
		b.report(x, b.sourceHint(b.member(sel).Imported()), "%s cannot be called in a kernel", types.ExprString(sel))
		return
	}
	obj, fn := b.l.callee(b.fn, x)
	switch {
	case obj == nil:
		if b.isFunction(fun) {
			b.report(x, "call a declared function", "the function value %s cannot be called in a kernel", types.ExprString(fun))
			return
		}
		b.expr(fun)
		b.exprs(x.Args)
		return
	case isInterfaceMethod(obj):
		b.report(x, "use a concrete type or a type parameter", "%s is a method of an interface, which kernels do not have",
			types.ExprString(fun))
		return
	case obj.Pkg() != nil && obj.Pkg().Path() == KernelAPIPath:
		b.apiFunction(x, obj)
		return
	}
	b.receiver(fun, obj)
	b.exprs(x.Args)
	switch {
	case fn != nil && obj.Signature().Variadic():
		b.report(x, "pass an array", "%s is variadic, which functions called from a kernel cannot be", displayName(obj))
	case fn != nil:
		b.enter(fn, x)
	case !b.l.declaredOnly(obj.Pkg()):
		b.report(x, b.sourceHint(obj.Pkg()), "%s has no source in Go", types.ExprString(fun))
	}
	b.typeFault(x, b.fn.typeOf(x))
}

func isInterfaceMethod(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// receiver checks the expression whose method is called.
func (b *body) receiver(fun ast.Expr, obj *types.Func) {
	x, ok := fun.(*ast.SelectorExpr)
	if !ok || b.member(x) != nil {
		return
	}
	sel := b.info().Selections[x]
	if sel == nil || sel.Kind() != types.MethodVal {
		return
	}
	b.expr(x.X)
	_, wantsPointer := types.Unalias(obj.Signature().Recv().Type()).(*types.Pointer)
	_, isPointer := sel.Recv().Underlying().(*types.Pointer)
	if wantsPointer && !isPointer {
		b.sharedAddress(x, x.X)
	}
}

// apiFunction checks the call of a function of package qd; what it may be given, the lowering knows.
func (b *body) apiFunction(x *ast.CallExpr, obj *types.Func) {
	switch obj.Name() {
	case "StreamParallel":
		b.streamParallel(x, inner)
		return
	case "LoopConfig":
		b.report(x, "put it on the line before the loop", "LoopConfig must stand just before a top-level loop")
		return
	}
	b.receiver(ast.Unparen(x.Fun), obj)
	outer := b.messages
	b.messages = messageFunctions[obj.Name()] && obj.Signature().Recv() == nil
	for _, arg := range x.Args {
		if place := addressed(arg); place != nil && strings.HasPrefix(obj.Name(), "Atomic") {
			b.expr(place)
			b.atomicPlace(place)
			continue
		}
		b.expr(arg)
	}
	b.messages = outer
}

// addressed is x in &x; nil for anything else.
func addressed(e ast.Expr) ast.Expr {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op.String() == "&" {
		if _, lit := ast.Unparen(u.X).(*ast.CompositeLit); !lit {
			return u.X
		}
	}
	return nil
}

func (b *body) builtin(x *ast.CallExpr, fun ast.Expr) {
	name := types.ExprString(fun)
	hint, refused := builtinHints[name]
	switch {
	case refused:
		b.report(x, hint, "%s cannot be called in a kernel", name)
	case strings.HasPrefix(name, "unsafe."):
		b.report(x, "", "%s cannot be called in a kernel", name)
	default:
		outer := b.messages
		b.messages = name == "print" || name == "println"
		b.exprs(x.Args)
		b.messages = outer
	}
}

// sourceHint tells how a package gets its source into the program, where that is what is missing.
func (b *body) sourceHint(pkg *types.Package) string {
	if pkg == nil {
		return ""
	}
	if err := b.l.world.failure(pkg.Path()); err != nil {
		return fmt.Sprintf("the source of package %s cannot be used: %v", pkg.Path(), err)
	}
	if !isUserPackage(pkg.Path()) || b.l.declaredOnly(pkg) {
		return ""
	}
	return fmt.Sprintf(embedHint, pkg.Path())
}

// isUserPackage tells a package of the program's own modules from one of the standard library, whose paths have no dot
// in their first element.
func isUserPackage(path string) bool {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		if path == info.Main.Path || strings.HasPrefix(path, info.Main.Path+"/") {
			return true
		}
	}
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// declaredOnly tells whether the package is one whose functions the lowering knows, so that they need no source.
func (l *loader) declaredOnly(pkg *types.Package) bool {
	if pkg == nil {
		return true
	}
	_, isStub := stubFiles[pkg.Path()]
	return isStub || pkg.Path() == KernelAPIPath
}
