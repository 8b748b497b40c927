package frontend

import (
	"fmt"
	"go/types"
	"reflect"
)

// sharedContext makes equal instances of generic types one and the same.
var sharedContext = types.NewContext()

// substitute puts type arguments in the place of type parameters.
func substitute(t types.Type, targs map[*types.TypeParam]types.Type) types.Type {
	if len(targs) == 0 {
		return t
	}
	return substitution(targs).in(t)
}

type substitution map[*types.TypeParam]types.Type

func (s substitution) in(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if arg, ok := s[t]; ok {
			return arg
		}
	case *types.Alias:
		if t.TypeArgs().Len() > 0 {
			return s.in(types.Unalias(t))
		}
		if in := s.in(t.Rhs()); in != t.Rhs() {
			return in
		}
	case *types.Named:
		args, changed := make([]types.Type, t.TypeArgs().Len()), false
		for i := range args {
			args[i] = s.in(t.TypeArgs().At(i))
			changed = changed || args[i] != t.TypeArgs().At(i)
		}
		if changed {
			if instance, err := types.Instantiate(sharedContext, t.Origin(), args, false); err == nil {
				return instance
			}
		}
	case *types.Pointer:
		if in := s.in(t.Elem()); in != t.Elem() {
			return types.NewPointer(in)
		}
	case *types.Slice:
		if in := s.in(t.Elem()); in != t.Elem() {
			return types.NewSlice(in)
		}
	case *types.Array:
		if in := s.in(t.Elem()); in != t.Elem() {
			return types.NewArray(in, t.Len())
		}
	case *types.Map:
		return types.NewMap(s.in(t.Key()), s.in(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), s.in(t.Elem()))
	case *types.Struct:
		return s.inStruct(t)
	case *types.Tuple:
		return s.inTuple(t)
	case *types.Signature:
		recv := t.Recv()
		if recv != nil {
			recv = s.inVar(recv)
		}
		return types.NewSignatureType(recv, nil, nil, s.inTuple(t.Params()), s.inTuple(t.Results()), t.Variadic())
	}
	return t
}

func (s substitution) inVar(v *types.Var) *types.Var {
	in := s.in(v.Type())
	switch {
	case in == v.Type():
		return v
	case v.IsField():
		return types.NewField(v.Pos(), v.Pkg(), v.Name(), in, v.Embedded())
	default:
		return types.NewParam(v.Pos(), v.Pkg(), v.Name(), in)
	}
}

func (s substitution) inTuple(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		vars[i] = s.inVar(t.At(i))
	}
	return types.NewTuple(vars...)
}

func (s substitution) inStruct(t *types.Struct) types.Type {
	fields, tags, changed := make([]*types.Var, t.NumFields()), make([]string, t.NumFields()), false
	for i := range fields {
		fields[i], tags[i] = s.inVar(t.Field(i)), t.Tag(i)
		changed = changed || fields[i] != t.Field(i)
	}
	if !changed {
		return t
	}
	return types.NewStruct(fields, tags)
}

// infer finds the type arguments of a generic kernel. The running program does not name them, but its function has the
// types of the parameters.
func (l *loader) infer(fn *function, running reflect.Type) (map[*types.TypeParam]types.Type, error) {
	sig := fn.obj.Signature()
	open := typeParams(sig)
	if len(open) == 0 {
		return nil, nil
	}
	var declared []types.Type
	if sig.Recv() != nil {
		declared = append(declared, sig.Recv().Type())
	}
	for p := range sig.Params().Variables() {
		declared = append(declared, p.Type())
	}
	if len(declared) != running.NumIn() {
		return nil, fmt.Errorf("%s has %d parameters in the source found and %d in this program (build the program again)",
			fn.obj.Name(), len(declared), running.NumIn())
	}
	b := &binder{world: l.world, bound: map[*types.TypeParam]types.Type{}}
	for i, t := range declared {
		actual, err := b.world.typeOf(running.In(i))
		if err != nil {
			return nil, fmt.Errorf("find the type arguments of %s: %w", fn.obj.Name(), err)
		}
		b.unify(t, actual)
	}
	for _, p := range open {
		if b.bound[p] == nil {
			pos := l.position(p.Obj().Pos())
			return nil, Diagnostics{{Pos: pos,
				Msg:  fmt.Sprintf("the type argument of %s cannot be told from the parameters of kernel %s", p.Obj().Name(), fn.obj.Name()),
				Hint: "use it in the type of a parameter"}}
		}
	}
	return b.bound, nil
}

func typeParams(sig *types.Signature) []*types.TypeParam {
	var all []*types.TypeParam
	for p := range sig.RecvTypeParams().TypeParams() {
		all = append(all, p)
	}
	for p := range sig.TypeParams().TypeParams() {
		all = append(all, p)
	}
	return all
}

// binder matches types with type parameters against types without.
type binder struct {
	world *world
	bound map[*types.TypeParam]types.Type
}

func (b *binder) unify(declared, actual types.Type) {
	declared, actual = types.Unalias(declared), types.Unalias(actual)
	if p, ok := declared.(*types.TypeParam); ok {
		if b.bound[p] == nil {
			b.bound[p] = actual
		}
		return
	}
	switch d := declared.(type) {
	case *types.Named:
		if a, ok := actual.(*types.Named); ok && d.TypeArgs().Len() == a.TypeArgs().Len() {
			for i := range d.TypeArgs().Len() {
				b.unify(d.TypeArgs().At(i), a.TypeArgs().At(i))
			}
		}
	case *types.Pointer:
		if a, ok := actual.(*types.Pointer); ok {
			b.unify(d.Elem(), a.Elem())
		}
	case *types.Slice:
		if a, ok := actual.(*types.Slice); ok {
			b.unify(d.Elem(), a.Elem())
		}
	case *types.Array:
		if a, ok := actual.(*types.Array); ok {
			b.unify(d.Elem(), a.Elem())
		}
	case *types.Struct:
		if a, ok := actual.(*types.Struct); ok && a.NumFields() == d.NumFields() {
			for i := range d.NumFields() {
				b.unify(d.Field(i).Type(), a.Field(i).Type())
			}
		}
	}
}
