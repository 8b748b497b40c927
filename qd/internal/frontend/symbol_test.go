package frontend

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type testSim struct{ n int }

func (s *testSim) Step(a []float32) { a[0] = float32(s.n) }
func (s testSim) Value(a []float32) { a[0] = float32(s.n) }
func (s testSim) func1(a []float32) { a[0] = float32(s.n) }

type stepper interface{ Step(a []float32) }

type testBox[T any] struct{ v T }

func (b *testBox[T]) Fill(a []T) { a[0] = b.v }

func testKernel(a []float32) {
	for i := range a {
		a[i] = 1
	}
}

func testGeneric[T, U any](a []T, b testBox[U], out []U) { out[0] = b.v }

var literalKernel = func(a []float32) { a[0] = 1 }

const testPath = "github.com/quadrants-go/quadrants/qd/internal/frontend"

func TestFuncOf(t *testing.T) {
	for _, c := range []struct {
		fn     any
		symbol string
	}{
		{testKernel, ".testKernel"},
		{(*testSim).Step, ".(*testSim).Step"},
		{testSim.Value, ".testSim.Value"},
		{testSim.func1, ".testSim.func1"},
		{testGeneric[float32, int8], ".testGeneric[...]"},
		{(*testBox[int32]).Fill, ".(*testBox[...]).Fill"},
	} {
		f, err := FuncOf(c.fn)
		require.NoError(t, err, c.symbol)
		require.Equal(t, testPath+c.symbol, f.Symbol)
		require.Equal(t, "symbol_test.go", filepath.Base(f.File))
		require.Positive(t, f.Line)
		require.NotNil(t, f.Type)
	}
}

func TestFuncOfRefuses(t *testing.T) {
	captured := 3
	sim := &testSim{}
	var none func([]float32)
	for _, c := range []struct {
		name string
		fn   any
		want string
	}{
		{"number", 3, "must be a function, not int"},
		{"nil", nil, "must be a function"},
		{"nil function", none, "nil function value"},
		{"closure", func(a []float32) { a[0] = float32(captured) }, "declare it as a function"},
		{"package-level literal", literalKernel, "declare it as a function"},
		{"method value", sim.Step, "use the method expression (*frontend.testSim).Step"},
		{"value method value", sim.Value, "use the method expression frontend.testSim.Value"},
		{"library function", slices.Sort[[]int32], "slices.Sort[...] of the standard library cannot be a kernel"},
		{"interface method", stepper.Step, "interface method stepper.Step"},
	} {
		if c.name == "library function" && standardRoot == "" {
			continue // built with -trimpath, or by Bazel
		}
		_, err := FuncOf(c.fn)
		require.ErrorContains(t, err, c.want, c.name)
	}
}

func TestParseSymbol(t *testing.T) {
	for name, want := range map[string]symbol{
		"main.saxpy":                    {pkgPath: "main", name: "saxpy"},
		"main.saxpy[...]":               {pkgPath: "main", name: "saxpy"},
		"main.(*Sim).Step":              {pkgPath: "main", receiver: "Sim", pointer: true, name: "Step"},
		"main.Sim.Val":                  {pkgPath: "main", receiver: "Sim", name: "Val"},
		"main.(*Sim[...]).Step":         {pkgPath: "main", receiver: "Sim", pointer: true, name: "Step"},
		"main.main.func1":               {pkgPath: "main", receiver: "main", name: "func1", closure: true},
		"main.(*Sim).Run.func2":         {pkgPath: "main", receiver: "Sim", pointer: true, name: "Run.func2", closure: true},
		"example.com/a.b/c%2ed.f":       {pkgPath: "example.com/a.b/c.d", name: "f"},
		"example.com/a/v2.(*T).M":       {pkgPath: "example.com/a/v2", receiver: "T", pointer: true, name: "M"},
		"example.com/a.init.func1":      {pkgPath: "example.com/a", receiver: "init", name: "func1", closure: true},
		"example.com/a.main.func1.2":    {pkgPath: "example.com/a", name: "main.func1.2", closure: true},
		"example.com/a_test.TestX.func": {pkgPath: "example.com/a_test", receiver: "TestX", name: "func"},
	} {
		require.Equal(t, want, parseSymbol(name), name)
	}
	require.True(t, strings.HasSuffix(methodExpression("example.com/sim", "S", true, "Step"), "(*sim.S).Step"))
}
