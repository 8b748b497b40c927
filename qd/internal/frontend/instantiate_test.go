//lint:file-ignore U1000 fields that only a kernel's types need

package frontend

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

type testVec struct{ x, y float32 }

type testPair[A, B any] struct {
	a A
	b B
}

func genericKernel[T any, U any](a []T, b [2]testPair[T, U]) {
	local := testPair[U, T]{b[0].b, a[0]}
	a[0] = local.b
}

func phantomKernel[T any](a []float32) { var x T; _ = x; a[0] = 1 }

func TestInfer(t *testing.T) {
	r := newTestRegistry(t)
	for _, c := range []struct {
		kernel any
		want   []string
	}{
		{genericKernel[float32, int8], []string{"float32", "int8"}},
		{genericKernel[testVec, [3]uint16], []string{testPath + ".testVec", "[3]uint16"}},
		{genericKernel[testPair[int32, []testVec], bool],
			[]string{testPath + ".testPair[int32, []" + testPath + ".testVec]", "bool"}},
		{(*testBox[int32]).Fill, []string{"int32"}},
	} {
		f, err := FuncOf(c.kernel)
		require.NoError(t, err)
		_, fn, err := r.load(f)
		require.NoError(t, err)
		var got []string
		for _, p := range typeParams(fn.obj.Signature()) {
			got = append(got, types.TypeString(fn.substitute(p), nil))
		}
		require.Equal(t, c.want, got)
		for p := range fn.signature().Params().Variables() {
			require.False(t, mentionsTypeParam(p.Type()), p)
		}
	}
}

func TestInferRefuses(t *testing.T) {
	type local struct{ x float32 }
	r := newTestRegistry(t)
	f, err := FuncOf(phantomKernel[int32])
	require.NoError(t, err)
	_, _, err = r.load(f)
	require.ErrorContains(t, err, "type argument of T cannot be told")

	f, err = FuncOf(genericKernel[local, int32])
	require.NoError(t, err)
	_, _, err = r.load(f)
	require.ErrorContains(t, err, "type local is not declared at the top level")

	f, err = FuncOf(genericKernel[struct{ X int32 }, int32])
	require.NoError(t, err)
	_, _, err = r.load(f)
	require.ErrorContains(t, err, "has no name")
}

func TestSubstitute(t *testing.T) {
	r := newTestRegistry(t)
	f, err := FuncOf(genericKernel[float32, int8])
	require.NoError(t, err)
	_, fn, err := r.load(f)
	require.NoError(t, err)
	params := typeParams(fn.obj.Signature())
	first := params[0]
	for want, in := range map[string]types.Type{
		"[]float32":      types.NewSlice(first),
		"[4]*float32":    types.NewArray(types.NewPointer(first), 4),
		"map[int]int8":   types.NewMap(types.Typ[types.Int], params[1]),
		"chan float32":   types.NewChan(types.SendRecv, first),
		"[]bool":         types.NewSlice(types.Typ[types.Bool]),
		"func(float32)":  types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", first)), nil, false),
		"struct{X int8}": types.NewStruct([]*types.Var{types.NewField(0, nil, "X", params[1], false)}, nil),
	} {
		require.Equal(t, want, fn.substitute(in).String())
	}
}
