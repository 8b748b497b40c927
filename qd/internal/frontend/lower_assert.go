package frontend

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// maxAssertValues is how many values an assertion can report.
const maxAssertValues = 6

func (l *lowering) message(e ast.Expr) (string, bool) {
	v := l.frame.fn.unit.info.Types[e].Value
	if v == nil || v.Kind() != constant.String || strings.ContainsRune(constant.StringVal(v), 0) {
		l.errorf(e.Pos(), "", "a message must be a constant string")
		return "", false
	}
	return constant.StringVal(v), true
}

// assert is qd.Assert. The core formats messages whose only verb is %v. It gives any other back as it is, with the types of
// the values as the check's name, so that the caller of the launch can format it as Go does.
func (l *lowering) assert(e *ast.CallExpr) {
	if len(e.Args) < 2 {
		return
	}
	cond := l.expression(e.Args[0])
	message, ok := l.message(e.Args[1])
	if e.Ellipsis.IsValid() {
		l.errorf(e.Pos(), "write the values one by one", "the number of values of Assert must be known when the kernel is compiled")
		return
	}
	values, fine := l.values(e.Args[2:])
	if !ok || !fine || cond.kind == invalid {
		return
	}
	if len(values) > maxAssertValues {
		l.errorf(e.Pos(), "", "Assert takes at most %d values", maxAssertValues)
		return
	}
	args, names := []cgo.Expr{l.use(cond)}, []string{}
	for i, v := range values {
		at := e.Args[min(2+i, len(e.Args)-1)] // one call may give all values
		if scalarType(v.typ) == cgo.None || v.kind != scalar && v.kind != placed {
			l.errorf(at.Pos(), "put constant text into the message", "Assert reports scalars only")
			return
		}
		if !l.printsPlainly(v, at) {
			return
		}
		args, names = append(args, l.use(v)), append(names, scalarName(v.typ))
	}
	name := ""
	if !formatsPlainly(message, len(values)) {
		name, message = strings.Join(names, " "), strings.ReplaceAll(message, "%", "%%")
	}
	l.at(e.Pos())
	l.check(cgo.CheckAssertion, args, name, message)
}

// formatsPlainly tells whether the core formats a message as Go does: %% and one %v for each value, and nothing else.
func formatsPlainly(message string, values int) bool {
	if values == 0 {
		return !strings.Contains(message, "%") // it is no format
	}
	rest := strings.ReplaceAll(message, "%%", "")
	return strings.Count(rest, "%") == values && strings.Count(rest, "%v") == values
}

// scalarName names the type that a scalar has once its own name is taken away: "int32", "Float16".
func scalarName(t types.Type) string {
	if isHalf(t) {
		return "Float16"
	}
	return types.Default(t.Underlying()).String()
}

// printsPlainly refuses values that fmt prints by calling their methods.
func (l *lowering) printsPlainly(v value, e ast.Expr) bool {
	if v.typ == nil || v.kind == literal {
		return true
	}
	method := printMethod(v.typ, false)
	if method == "" {
		return true
	}
	l.errorf(e.Pos(), "convert it to a type without that method", "%s prints itself by its method %s, which cannot be done in a kernel",
		types.ExprString(e), method)
	return false
}

// printMethod is the method by which fmt prints a value of this type or a part of it; "" where it prints it plainly. What
// lies in an unexported field is hidden from fmt, which then calls no methods.
func printMethod(t types.Type, hidden bool) string {
	if isHalf(t) {
		if hidden {
			return "String" // which compiled kernels call nonetheless
		}
		return ""
	}
	if !hidden {
		methods := types.NewMethodSet(t)
		for _, name := range []string{"Format", "Error", "String"} {
			m := methods.Lookup(nil, name)
			if m == nil {
				continue
			}
			f := m.Type().(*types.Signature)
			if name == "Format" && f.Params().Len() == 2 && f.Results().Len() == 0 ||
				f.Params().Len() == 0 && f.Results().Len() == 1 && isString(f.Results().At(0).Type()) {
				return name
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return printMethod(u.Elem(), hidden)
	case *types.Struct:
		for f := range u.Fields() {
			if m := printMethod(f.Type(), hidden || !f.Exported()); m != "" {
				return m
			}
		}
	}
	return ""
}
