package frontend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Whatever a program says, lowering it ends, and what it accepts the core accepts as well: the builder's own errors and
// those of the core's verification would be faults of the lowering.
func FuzzLower(f *testing.F) {
	for seed := range uint64(24) {
		f.Add(seed, uint8(seed%10))
	}
	texts := map[string]string{}
	for _, pattern := range []string{"lower_kernels_*_test.go", filepath.Join("..", "..", "..", "tests", "kernels", "*.go")} {
		names, err := filepath.Glob(pattern)
		require.NoError(f, err)
		require.NotEmpty(f, names)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(f, err)
			texts[name] = string(text)
		}
	}
	api := kernelAPI(f)
	p := program(f)
	f.Fuzz(func(t *testing.T, seed uint64, times uint8) {
		random := rand.New(rand.NewPCG(seed, 2))
		sources := map[string]map[string]string{"kernels": {}, "alone": {}}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			text := texts[name]
			pkg, base := "kernels", filepath.Base(name)
			if name == base {
				pkg, base = "alone", strings.TrimSuffix(base, "_test.go")+".go"
			}
			sources[pkg][base] = splice(text, random, int(times%16))
		}
		var r Registry
		r.SetKernelAPI(api)
		for pkg, list := range sources {
			r.Add(pkg, "/fuzz/"+pkg, files(list))
		}
		for pkg, list := range sources {
			for name, text := range list {
				lowerAll(t, &r, p, pkg, name, text)
			}
		}
	})
}

// lowerAll lowers every function of a file that can be a kernel.
func lowerAll(t *testing.T, r *Registry, p *cgo.Program, pkg, name, text string) {
	debugPanics = true
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Type.Results != nil || fn.Type.TypeParams != nil {
			continue
		}
		out, found, err := Lower(r, Func{Symbol: pkg + "." + fn.Name.Name, File: name}, func(name string) (*cgo.Builder, error) {
			return cgo.NewBuilder(p, name)
		})
		require.NoError(t, err)
		for _, d := range found {
			require.True(t, d.Pos.IsValid() && d.Pos.Column > 0 && d.Msg != "", "%v", d)
			require.NotContains(t, d.Msg, "front end failed", "%s: %v\n%s", fn.Name.Name, d, text)
			require.NotContains(t, d.Hint, "fault of the compiler", "%s: %v\n%s", fn.Name.Name, d, text)
		}
		require.Equal(t, out == nil, found.HasErrors())
		if out == nil {
			continue
		}
		k := out.Builder.Finish()
		if failure := out.Builder.Err(); failure != nil {
			require.NotEqual(t, cgo.CodeInternal, failure.Code, "%s: %v\n%s", fn.Name.Name, failure, text)
			require.NotEqual(t, cgo.CodeInvalid, failure.Code, "%s: %v\n%s", fn.Name.Name, failure, text)
		}
		if k != nil {
			k.Destroy()
		}
		out.Builder.Destroy()
	}
}
