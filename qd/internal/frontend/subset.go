package frontend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// check reports everything in the kernel and the functions it reaches that is not in the kernel language. The result is
// sorted; it may hold warnings only.
func (l *loader) check(kernel *function) Diagnostics {
	c := &checker{l: l, kernel: kernel, checked: map[string]bool{}, reported: map[string]bool{}}
	b := &body{checker: c, fn: kernel}
	c.kernelSignature(b)
	b.block(kernel.decl.Body.List, kernelTop)
	b.typeErrors()
	return c.found.Sorted()
}

// checker goes through a kernel and all that it calls.
type checker struct {
	l        *loader
	kernel   *function
	found    Diagnostics
	checked  map[string]bool // called functions, with their type arguments
	reported map[string]bool // file and line, and message where one mention a line is enough
}

// body is one function's body as it is reached by one chain of calls.
type body struct {
	*checker
	fn      *function
	caller  *body // nil for the kernel
	callPos token.Pos

	loop     *ast.RangeStmt // the enclosing parallel loop
	scope    *ast.FuncLit   // the enclosing StreamParallel scope
	breaks   []ast.Stmt     // what an unlabeled break may leave, innermost last
	labels   map[string]ast.Stmt
	excused  map[string]bool // faults of types that the signature was already reported for
	messages bool            // constant strings may stand here
}

// level tells how a statement list lies in the kernel.
type level int

const (
	inner     level = iota
	kernelTop       // the kernel's own statements
	scopeTop        // the statements of a StreamParallel scope
)

func (b *body) info() *types.Info { return b.fn.unit.info }

func (b *body) report(n ast.Node, hint, format string, args ...any) {
	b.reportAt(n.Pos(), hint, format, args...)
}

func (b *body) reportAt(pos token.Pos, hint, format string, args ...any) {
	d := Diagnostic{Pos: b.l.position(pos), Msg: fmt.Sprintf(format, args...), Hint: hint}
	for at := b; at.caller != nil; at = at.caller {
		d.Chain = append(d.Chain, Call{Function: displayName(at.fn.obj), Pos: b.l.position(at.callPos)})
	}
	b.reported[lineKey(d.Pos)] = true
	b.found = append(b.found, d)
}

// warn reports what is no error; a type error on the same line is still one.
func (b *body) warn(n ast.Node, hint, format string, args ...any) {
	key := lineKey(b.l.position(n.Pos()))
	before := b.reported[key]
	b.report(n, hint, format, args...)
	b.found[len(b.found)-1].Warning = true
	b.reported[key] = before
}

// reportOnce is report, but says the same thing only once a line.
func (b *body) reportOnce(n ast.Node, hint, format string, args ...any) {
	key := lineKey(b.l.position(n.Pos())) + fmt.Sprintf(format, args...)
	if !b.reported[key] {
		b.reported[key] = true
		b.report(n, hint, format, args...)
	}
}

func lineKey(p token.Position) string { return fmt.Sprintf("%s:%d:", p.Filename, p.Line) }

// displayName is what messages call a function: fact, Sim.Step, vec.Dot for one of another package.
func displayName(fn *types.Func) string {
	if recv := receiverName(fn); recv != "" {
		return recv + "." + fn.Name()
	}
	return fn.Name()
}

// undefinedMember matches what the type checker says of a member that the Go compiler knows and kernels do not have, such as
// a.Fill of an NDArray.
var undefinedMember = regexp.MustCompile(`^undefined: (\w+\.\w+)$|^(\S+) undefined \(type .* has no field or method \w+\)$`)

// typeErrors reports what the type checker found in the function, on lines where nothing clearer was said. Soft errors are
// for the Go compiler alone: a variable may look unused here only because what uses it is not known.
func (b *body) typeErrors() {
	for _, e := range b.fn.unit.errs {
		pos := b.l.position(e.Pos)
		if e.Soft || e.Pos < b.fn.decl.Pos() || e.Pos >= b.fn.decl.End() || b.reported[lineKey(pos)] {
			continue
		}
		if m := undefinedMember.FindStringSubmatch(e.Msg); m != nil {
			b.reportAt(e.Pos, "", "%s cannot be used in a kernel", m[1]+m[2])
			continue
		}
		b.reportAt(e.Pos, "", "%s", strings.TrimSpace(e.Msg))
	}
}

// enter checks a function that the body calls.
func (b *body) enter(fn *function, call *ast.CallExpr) {
	for at := b; at != nil; at = at.caller {
		if at.fn.obj == fn.obj {
			b.report(call, "rewrite it as a loop", "recursive call of %s", displayName(fn.obj))
			return
		}
	}
	key := fn.obj.FullName() + fmt.Sprint(fn.signature())
	if b.checked[key] {
		return
	}
	b.checked[key] = true
	callee := &body{checker: b.checker, fn: fn, caller: b, callPos: call.Pos()}
	callee.signatureTypes()
	callee.block(fn.decl.Body.List, inner)
	callee.typeErrors()
}
