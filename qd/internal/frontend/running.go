package frontend

import (
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"
)

// typeOf is the declared type that a type of the running program is.
func (w *world) typeOf(t reflect.Type) (types.Type, error) {
	if t.Name() != "" {
		return w.named(t.PkgPath(), t.Name())
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		elem, err := w.typeOf(t.Elem())
		if err != nil {
			return nil, err
		}
		switch t.Kind() {
		case reflect.Pointer:
			return types.NewPointer(elem), nil
		case reflect.Slice:
			return types.NewSlice(elem), nil
		default:
			return types.NewArray(elem, int64(t.Len())), nil
		}
	case reflect.Struct:
		fields, tags := make([]*types.Var, t.NumField()), make([]string, t.NumField())
		for i := range fields {
			f := t.Field(i)
			ft, err := w.typeOf(f.Type)
			if err != nil {
				return nil, err
			}
			var pkg *types.Package
			if f.PkgPath != "" {
				pkg = w.packages[f.PkgPath]
			}
			fields[i], tags[i] = types.NewField(0, pkg, f.Name, ft, f.Anonymous), string(f.Tag)
		}
		return types.NewStruct(fields, tags), nil
	}
	return nil, fmt.Errorf("%s is not a kernel type", t)
}

// named finds a type by the name that the running program has for it, such as Pair[float32,example.com/vec.Vec].
func (w *world) named(pkgPath, name string) (types.Type, error) {
	p := typeNameParser{world: w, text: name}
	return p.instance(pkgPath, p.until("["))
}

// typeNameParser reads type names as package reflect writes them: package paths in full, no spaces that matter.
type typeNameParser struct {
	world *world
	text  string
}

// until takes the text before any of the stop characters.
func (p *typeNameParser) until(stops string) string {
	end := strings.IndexAny(p.text, stops)
	if end < 0 {
		end = len(p.text)
	}
	taken := p.text[:end]
	p.text = p.text[end:]
	return taken
}

func (p *typeNameParser) accept(prefix string) bool {
	rest, ok := strings.CutPrefix(p.text, prefix)
	p.text = rest
	return ok
}

func (p *typeNameParser) parse() (types.Type, error) {
	switch {
	case p.accept("*"):
		elem, err := p.parse()
		if err != nil {
			return nil, err
		}
		return types.NewPointer(elem), nil
	case p.accept("[]"):
		elem, err := p.parse()
		if err != nil {
			return nil, err
		}
		return types.NewSlice(elem), nil
	case p.accept("["):
		count, err := strconv.ParseInt(p.until("]"), 10, 64)
		if err != nil || !p.accept("]") {
			return nil, fmt.Errorf("the type name %q cannot be read", p.text)
		}
		elem, err := p.parse()
		if err != nil {
			return nil, err
		}
		return types.NewArray(elem, count), nil
	}
	qualified := p.until("[,]")
	if strings.ContainsAny(qualified, " {(") {
		return nil, fmt.Errorf("the type argument %s has no name (declare it as a type)", qualified)
	}
	slash := strings.LastIndexByte(qualified, '/') + 1
	pkgPath, name := "", qualified
	if dot := strings.IndexByte(qualified[slash:], '.'); dot >= 0 {
		pkgPath, name = qualified[:slash+dot], qualified[slash+dot+1:]
	}
	return p.instance(pkgPath, name)
}

// instance reads the type arguments that follow the name of a generic type.
func (p *typeNameParser) instance(pkgPath, name string) (types.Type, error) {
	obj, err := p.world.typeName(pkgPath, name)
	if err != nil || !p.accept("[") {
		return obj, err
	}
	var args []types.Type
	for {
		arg, err := p.parse()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
		if p.accept("]") {
			return types.Instantiate(sharedContext, obj, args, true)
		}
		if !p.accept(",") {
			return nil, fmt.Errorf("the type name %s cannot be read", name)
		}
	}
}

func (w *world) typeName(pkgPath, name string) (types.Type, error) {
	scope := types.Universe
	if pkgPath != "" {
		pkg := w.packages[pkgPath]
		if u := w.units[pkgPath]; u != nil {
			pkg = u.pkg
		}
		if pkg == nil {
			return nil, fmt.Errorf("type %s.%s is declared in a package that the kernel's package does not import", pkgPath, name)
		}
		scope = pkg.Scope()
	}
	if obj, ok := scope.Lookup(name).(*types.TypeName); ok {
		return obj.Type(), nil
	}
	plain, _, _ := strings.Cut(name, "·")
	return nil, fmt.Errorf("type %s is not declared at the top level of package %s (declare it there)", plain, pkgPath)
}
