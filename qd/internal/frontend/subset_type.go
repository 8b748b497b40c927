package frontend

import (
	"fmt"
	"go/ast"
	"go/types"
)

// fault is what is wrong with a type.
type fault struct{ what, hint string }

// typeFaultOf finds the first part of a type that kernels do not have; the zero fault where it is fine. What lies behind a
// pointer to a struct is not looked at: a receiver may hold host fields that the kernel does not use.
func typeFaultOf(t types.Type) fault {
	var f fault
	eachType(t, func(t types.Type) bool {
		if f.what == "" {
			f = shallowFault(t)
		}
		return f.what == ""
	})
	return f
}

func shallowFault(t types.Type) fault {
	switch t := t.(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsString != 0:
			return fault{"strings", "only constant messages may be strings"}
		case t.Info()&types.IsComplex != 0:
			return fault{"complex numbers", "use two floats"}
		case t.Kind() == types.Uintptr:
			return fault{"uintptr", "use uint64"}
		case t.Kind() == types.UnsafePointer:
			return fault{"unsafe pointers", ""}
		}
	case *types.Array:
		if t.Len() == 0 {
			return fault{"arrays of length 0", "leave it out"}
		}
	case *types.Struct:
		if t.NumFields() == 0 {
			return fault{"structs without fields", "leave it out"}
		}
	case *types.Map:
		return fault{"maps", "use an array, or search a sorted one"}
	case *types.Chan:
		return fault{"channels", "write to an array"}
	case *types.Interface:
		return fault{"interfaces", "use a concrete type or a type parameter"}
	case *types.Signature:
		return fault{"function values", "call a declared function"}
	}
	return fault{}
}

// eachType goes through the parts of a type until visit returns false.
func eachType(t types.Type, visit func(types.Type) bool) {
	seen := map[types.Type]bool{}
	var walk func(types.Type) bool
	walk = func(t types.Type) bool {
		t = types.Unalias(t)
		if seen[t] {
			return true
		}
		seen[t] = true
		if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == KernelAPIPath {
			return true // the lowering knows it
		}
		if p, ok := t.(*types.TypeParam); ok {
			return visit(p)
		}
		u := t.Underlying()
		if !visit(u) {
			return false
		}
		switch u := u.(type) {
		case *types.Pointer:
			if _, ok := u.Elem().Underlying().(*types.Struct); ok {
				return true
			}
			return walk(u.Elem())
		case *types.Slice:
			return walk(u.Elem())
		case *types.Array:
			return walk(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if !walk(f.Type()) {
					return false
				}
			}
		case *types.Tuple:
			for v := range u.Variables() {
				if !walk(v.Type()) {
					return false
				}
			}
		}
		return true
	}
	walk(t)
}

func isComplex(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsComplex != 0
}

// typeFault reports an expression of a type that kernels do not have, once a line, and tells whether it did.
func (b *body) typeFault(e ast.Expr, t types.Type) bool {
	if t == nil {
		return false
	}
	f := typeFaultOf(t)
	if f.what == "" {
		return false
	}
	if !b.excused[f.what] {
		b.reportOnce(e, f.hint, "%s cannot be used in a kernel", f.what)
	}
	return true
}

// localType checks the type of a variable where it is declared; uses of it are not reported again.
func (b *body) localType(id *ast.Ident, t types.Type) { b.typeFault(id, b.fn.substitute(t)) }

// signatureTypes checks the types of a called function's parameters and results.
func (b *body) signatureTypes() {
	for _, fields := range []*ast.FieldList{b.fn.decl.Recv, b.fn.decl.Type.Params, b.fn.decl.Type.Results} {
		for _, field := range fieldsOf(fields) {
			t := b.fn.typeOf(field.Type)
			if t == nil {
				continue
			}
			f := typeFaultOf(t)
			if _, isStruct := t.Underlying().(*types.Struct); f.what == "" || isStruct {
				continue
			}
			b.excuse(f.what)
			b.reportOnce(field.Type, f.hint, "%s cannot be used in a kernel", f.what)
		}
	}
}

func fieldsOf(list *ast.FieldList) []*ast.Field {
	if list == nil {
		return nil
	}
	return list.List
}

func (b *body) excuse(what string) {
	if b.excused == nil {
		b.excused = map[string]bool{}
	}
	b.excused[what] = true
}

// kernelSignature checks what a launch can pass, and that it gets nothing back.
func (c *checker) kernelSignature(b *body) {
	ft := b.fn.decl.Type
	if results := fieldsOf(ft.Results); len(results) > 0 {
		b.report(results[0], "write results to an array", "a kernel returns nothing")
	}
	for _, fields := range []*ast.FieldList{b.fn.decl.Recv, ft.Params} {
		for _, field := range fieldsOf(fields) {
			b.kernelParameter(field)
		}
	}
}

func (b *body) kernelParameter(field *ast.Field) {
	name := "_"
	if len(field.Names) > 0 {
		name = field.Names[0].Name
	}
	if _, ok := field.Type.(*ast.Ellipsis); ok {
		b.report(field.Type, "declare it as a slice", "a kernel cannot be variadic")
		return
	}
	t := b.fn.typeOf(field.Type)
	if t == nil {
		return
	}
	f := parameterFault(t)
	if f.what == "" {
		return
	}
	b.excuse(typeFaultOf(t).what)
	typ := types.TypeString(t, types.RelativeTo(b.fn.unit.pkg))
	if t == types.Typ[types.Invalid] {
		typ = types.ExprString(field.Type)
	}
	b.report(field.Type, f.hint, "parameter %s has type %s, which a kernel cannot take: %s", name, typ, f.what)
}

const parameterHint = "a parameter is a scalar, an array, a struct, or a slice of these with up to three dimensions"

func parameterFault(t types.Type) fault {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.Invalid {
			return fault{"it is not known here", parameterHint}
		}
	case *types.Struct:
		return fault{} // fields that the kernel does not use may be anything
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			return fault{}
		}
		return fault{"pointers", "declare it as a slice"}
	case *types.Slice:
		rank, elem := 1, u.Elem()
		for {
			s, ok := elem.Underlying().(*types.Slice)
			if !ok {
				break
			}
			rank, elem = rank+1, s.Elem()
		}
		if rank > 3 {
			return fault{fmt.Sprintf("%d dimensions", rank), "use at most three"}
		}
		return elementFault(elem)
	}
	return typeFaultOf(t)
}

// elementFault is what keeps a type from being an array's element.
func elementFault(t types.Type) fault {
	if f := typeFaultOf(t); f.what != "" {
		return f
	}
	var f fault
	eachType(t, func(t types.Type) bool {
		switch u := t.(type) {
		case *types.Pointer:
			f = fault{"pointers", "store indices"}
		case *types.Slice:
			f = fault{"slices in elements", "use arrays"}
		case *types.Basic:
			if u.Kind() == types.Invalid {
				f = fault{"a type that is not known here", parameterHint}
			}
		}
		return f.what == ""
	})
	return f
}
