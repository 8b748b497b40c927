package frontend

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// printed collects what a print statement writes: a format, and the scalars in it.
type printed struct {
	format strings.Builder
	args   []cgo.Expr
}

// print lowers the print functions: builtin print and println to standard error, qd.Print and qd.Println to standard
// output. separator stands between all operands; without one, qd.Print puts a space between operands that are no strings.
func (l *lowering) print(args []ast.Expr, separator string, newline bool, stream int, pos token.Pos) {
	var out printed
	text := true
	for i, e := range args {
		v := l.expression(e)
		if v.kind == invalid {
			return
		}
		isText := v.kind == literal
		if i > 0 {
			out.format.WriteString(separator)
			if separator == "" && stream == 1 && !text && !isText {
				out.format.WriteByte(' ')
			}
		}
		text = isText
		if stream == 1 && !l.printsPlainly(v, e) || !l.printValue(&out, v, e) {
			return
		}
	}
	if newline {
		out.format.WriteByte('\n')
	}
	if strings.ContainsRune(out.format.String(), 0) {
		l.errorf(pos, "", "a kernel cannot print a NUL byte")
		return
	}
	l.at(pos)
	l.effects++
	l.emit.Print(out.args, out.format.String(), stream)
}

func (l *lowering) printValue(out *printed, v value, e ast.Expr) bool {
	switch {
	case v.kind == literal:
		out.format.WriteString(strings.ReplaceAll(constant.StringVal(v.constant), "%", "%%"))
		return true
	case v.kind == scalar, v.kind == placed && scalarType(v.typ) != cgo.None:
		out.format.WriteString("%v")
		out.args = append(out.args, l.use(v))
		return true
	case v.kind == placed:
		if n := countScalars(v.typ); n > 64 {
			l.errorf(e.Pos(), "print its parts", "%s has too many parts to be printed at once", types.ExprString(e))
			return false
		}
		l.printParts(out, l.comparand(v).place)
		return true
	}
	l.errorf(e.Pos(), "print its elements", "%s cannot be printed in a kernel", types.ExprString(e))
	return false
}

func countScalars(t types.Type) int64 {
	if scalarType(t) != cgo.None {
		return 1
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() * countScalars(u.Elem())
	case *types.Struct:
		n := int64(0)
		for i := range u.NumFields() {
			n += countScalars(u.Field(i).Type())
		}
		return n
	}
	return 0
}

// printParts writes an aggregate as fmt does.
func (l *lowering) printParts(out *printed, p *place) {
	if scalarType(p.typ) != cgo.None {
		out.format.WriteString("%v")
		out.args = append(out.args, l.address(p))
		return
	}
	switch u := p.typ.Underlying().(type) {
	case *types.Array:
		out.format.WriteByte('[')
		for i := range u.Len() {
			if i > 0 {
				out.format.WriteByte(' ')
			}
			l.printParts(out, p.constantItem(l, i, u.Len(), u.Elem()))
		}
		out.format.WriteByte(']')
	case *types.Struct:
		out.format.WriteByte('{')
		for i := range u.NumFields() {
			if i > 0 {
				out.format.WriteByte(' ')
			}
			l.printParts(out, p.inside(step{field: i}, u.Field(i).Type(), token.NoPos))
		}
		out.format.WriteByte('}')
	}
}

// staticAssert is qd.StaticAssert.
func (l *lowering) staticAssert(e *ast.CallExpr) {
	if len(e.Args) != 2 {
		return
	}
	cond := l.expression(e.Args[0])
	message, ok := l.message(e.Args[1])
	switch {
	case !ok || cond.kind == invalid:
	case cond.constant == nil:
		l.errorf(e.Args[0].Pos(), "use qd.Assert", "the condition of StaticAssert must be constant")
	case !isTrue(cond):
		l.errorf(e.Pos(), "", "static assertion failed: %s", message)
	}
}

// staticPrint is qd.StaticPrint: a line of constants for whoever compiles the kernel.
func (l *lowering) staticPrint(e *ast.CallExpr) {
	var words []string
	for _, a := range e.Args {
		v := l.expression(a)
		switch {
		case v.kind == invalid:
			return
		case v.constant == nil:
			l.errorf(a.Pos(), "use qd.Print", "StaticPrint prints constants only")
			return
		case v.kind == literal:
			words = append(words, constant.StringVal(v.constant))
		case isFloat(v.typ):
			f, _ := constant.Float64Val(constant.ToFloat(v.constant))
			words = append(words, fmt.Sprint(f))
		default:
			words = append(words, v.constant.ExactString())
		}
	}
	l.printed = append(l.printed, strings.Join(words, " "))
}
