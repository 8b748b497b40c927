package frontend

import (
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A stub that differs from the standard library would give kernels that Go compiles in another way, or not at all.
func TestStubsMatchTheStandardLibrary(t *testing.T) {
	if _, err := os.Stat(filepath.Join(build.Default.GOROOT, "src", "math")); err != nil {
		t.Skip("the standard library's sources are not here:", err)
	}
	w := newWorld(nil, nil, "")
	std := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for path := range stubFiles {
		stub, err := w.Import(path)
		require.NoError(t, err)
		require.NoError(t, w.failed[path])
		require.NotEmpty(t, stub.Scope().Names(), path)
		real, err := std.Import(path)
		require.NoError(t, err)
		for _, name := range stub.Scope().Names() {
			declared, actual := stub.Scope().Lookup(name), real.Scope().Lookup(name)
			if !declared.Exported() {
				continue
			}
			require.NotNil(t, actual, "%s.%s", path, name)
			require.Equal(t, typeText(actual), typeText(declared), "%s.%s", path, name)
			if c, ok := declared.(*types.Const); ok {
				require.Equal(t, actual.(*types.Const).Val().ExactString(), c.Val().ExactString(), "%s.%s", path, name)
			}
		}
	}
}

// typeText is a type without the names of parameters and results, which differ harmlessly.
func typeText(obj types.Object) string {
	if sig, ok := obj.Type().(*types.Signature); ok {
		unnamed := func(t *types.Tuple) *types.Tuple {
			var vars []*types.Var
			for v := range t.Variables() {
				vars = append(vars, types.NewParam(0, nil, "", v.Type()))
			}
			return types.NewTuple(vars...)
		}
		text := unnamed(sig.Params()).String() + unnamed(sig.Results()).String()
		for p := range sig.TypeParams().TypeParams() {
			text += p.String() + " " + p.Constraint().String()
		}
		return text
	}
	return obj.Type().Underlying().String()
}
