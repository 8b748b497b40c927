package frontend

import (
	"go/types"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// typeIDs gives the builder's types for Go's.
type typeIDs struct {
	emit  emitter
	sizes types.Sizes
	known []knownType
}

type knownType struct {
	typ types.Type
	id  cgo.Type
}

var basicTypes = map[types.BasicKind]cgo.Type{
	types.Bool: cgo.U1, types.UntypedBool: cgo.U1,
	types.Int: cgo.I64, types.Int8: cgo.I8, types.Int16: cgo.I16, types.Int32: cgo.I32, types.Int64: cgo.I64,
	types.Uint: cgo.U64, types.Uint8: cgo.U8, types.Uint16: cgo.U16, types.Uint32: cgo.U32, types.Uint64: cgo.U64,
	types.Uintptr: cgo.U64, types.Float32: cgo.F32, types.Float64: cgo.F64,
	types.UntypedInt: cgo.I64, types.UntypedRune: cgo.I32, types.UntypedFloat: cgo.F64,
}

// scalarType is the primitive for a Go type; cgo.None where it is not a scalar.
func scalarType(t types.Type) cgo.Type {
	if t == nil {
		return cgo.None
	}
	if isAPIType(t, "Float16") {
		return cgo.F16
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return basicTypes[b.Kind()]
	}
	return cgo.None
}

// isAPIType tells whether t is the named type of package qd.
func isAPIType(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	obj := named.Obj()
	return obj.Name() == name && obj.Pkg() != nil && obj.Pkg().Path() == KernelAPIPath
}

// arrayElement is T where t is *qd.NDArray[T].
func arrayElement(t types.Type) (types.Type, bool) {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok || !isAPIType(p.Elem(), "NDArray") {
		return nil, false
	}
	args := types.Unalias(p.Elem()).(*types.Named).TypeArgs()
	if args.Len() != 1 {
		return nil, false
	}
	return args.At(0), true
}

// isPlain tells whether values of t are memory without references: scalars, arrays and structs of them. The builder has no
// types without a size.
func isPlain(t types.Type) bool { return plainTo(t, 0) }

func plainTo(t types.Type, depth int) bool {
	if t == nil || depth > 64 {
		return false
	}
	if scalarType(t) != cgo.None {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() > 0 && plainTo(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if !plainTo(u.Field(i).Type(), depth+1) {
				return false
			}
		}
		return u.NumFields() > 0
	}
	return false
}

// id is the builder's type for a plain Go type; cgo.None for any other.
func (t *typeIDs) id(typ types.Type) cgo.Type {
	if s := scalarType(typ); s != cgo.None {
		return s
	}
	if !isPlain(typ) {
		return cgo.None
	}
	for _, k := range t.known {
		if types.Identical(k.typ, typ) {
			return k.id
		}
	}
	id := cgo.None
	switch u := typ.Underlying().(type) {
	case *types.Array:
		id = t.emit.ArrayType(t.id(u.Elem()), u.Len())
	case *types.Struct:
		fields := make([]*types.Var, u.NumFields())
		ids := make([]cgo.Type, len(fields))
		for i := range fields {
			fields[i] = u.Field(i)
			ids[i] = t.id(fields[i].Type())
		}
		id = t.emit.StructType(ids, t.sizes.Offsetsof(fields), t.sizes.Sizeof(typ), int(t.sizes.Alignof(typ)))
	}
	t.known = append(t.known, knownType{typ, id})
	return id
}

// Predicates on types as operations see them.

func basicInfo(t types.Type) types.BasicInfo {
	if t == nil || isAPIType(t, "Float16") {
		return 0
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()
	}
	return 0
}

func isInteger(t types.Type) bool  { return basicInfo(t)&types.IsInteger != 0 }
func isUnsigned(t types.Type) bool { return basicInfo(t)&types.IsUnsigned != 0 }
func isFloat(t types.Type) bool    { return basicInfo(t)&types.IsFloat != 0 }
func isString(t types.Type) bool   { return basicInfo(t)&types.IsString != 0 }
func isBoolean(t types.Type) bool  { return basicInfo(t)&types.IsBoolean != 0 }

// isHalf tells whether t is qd.Float16.
func isHalf(t types.Type) bool { return isAPIType(t, "Float16") }

// bitsOf is the width of an integer type.
func (l *lowering) bitsOf(t types.Type) int64 { return 8 * l.types.sizes.Sizeof(t.Underlying()) }

// sliceRank is how many slices lie around the element of t, and that element: [][]T gives 2 and T.
func sliceRank(t types.Type) (int, types.Type) {
	rank := 0
	for {
		s, ok := t.Underlying().(*types.Slice)
		if !ok {
			return rank, t
		}
		rank, t = rank+1, s.Elem()
	}
}

func pointee(t types.Type) (types.Type, bool) {
	if t == nil {
		return nil, false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem(), true
	}
	return nil, false
}

func arrayOf(t types.Type) (*types.Array, bool) {
	if t == nil {
		return nil, false
	}
	a, ok := t.Underlying().(*types.Array)
	return a, ok
}

func structOf(t types.Type) (*types.Struct, bool) {
	if t == nil {
		return nil, false
	}
	s, ok := t.Underlying().(*types.Struct)
	return s, ok
}
