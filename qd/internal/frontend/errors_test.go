package frontend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// kernelAPI reads the files of package qd that declare what kernels may use.
func kernelAPI(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", "kernel_*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	files := map[string][]byte{}
	for _, name := range names {
		files[filepath.Base(name)], err = os.ReadFile(name)
		require.NoError(t, err)
	}
	return files
}

// errorLine is a line of a source file.
type errorLine struct {
	file string
	line int
}

var errorMarker = regexp.MustCompile(`// ERROR "(.*)"`)

func wantedErrors(t *testing.T, dirs ...string) map[errorLine]*regexp.Regexp {
	t.Helper()
	want := map[errorLine]*regexp.Regexp{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if filepath.Base(file) == "doc.go" {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for i, line := range strings.Split(string(text), "\n") {
				if m := errorMarker.FindStringSubmatch(line); m != nil {
					want[errorLine{file, i + 1}] = regexp.MustCompile(m[1])
				}
			}
		}
	}
	return want
}

// kernelsIn lists the functions of a directory that are meant as kernels.
func kernelsIn(t *testing.T, dir, pkgPath string) []Func {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var kernels []Func
	for _, file := range files {
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, 0)
		require.NoError(t, err)
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !regexp.MustCompile(`^(Bad|Good|Warns)[A-Z]`).MatchString(fn.Name.Name) {
				continue
			}
			symbol := fn.Name.Name
			if fn.Recv != nil {
				switch recv := fn.Recv.List[0].Type.(type) {
				case *ast.StarExpr:
					symbol = "(*" + recv.X.(*ast.Ident).Name + ")." + symbol
				case *ast.Ident:
					symbol = recv.Name + "." + symbol
				}
			}
			kernels = append(kernels, Func{Symbol: pkgPath + "." + symbol, File: file, Line: fset.Position(fn.Pos()).Line})
		}
	}
	return kernels
}

// diagnose is all that is said about a kernel: by the check of its source, and by the core, which sees it only if that
// found no fault.
func diagnose(t *testing.T, r *Registry, kernel Func, program *cgo.Program) Diagnostics {
	t.Helper()
	lowered, found, err := Lower(r, kernel, func(name string) (*cgo.Builder, error) { return cgo.NewBuilder(program, name) })
	require.NoError(t, err, kernel.Symbol)
	if lowered == nil {
		return found
	}
	defer lowered.Builder.Destroy()
	built := lowered.Builder.Finish()
	require.NotNil(t, built, "%s: %v", kernel.Symbol, lowered.Builder.Err())
	defer built.Destroy()
	return append(found, FromCore(built.Diagnostics())...).Sorted()
}

func TestErrors(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "tests", "errors"))
	require.NoError(t, err)
	want := wantedErrors(t, dir, filepath.Join(dir, "host"))
	kernels := kernelsIn(t, dir, "github.com/quadrants-go/quadrants/tests/errors")
	require.Greater(t, len(kernels), 40)

	var r Registry
	r.SetKernelAPI(kernelAPI(t))
	program, err := cgo.NewProgram(cgo.Config{})
	require.NoError(t, err)
	defer program.Destroy()
	seen := map[errorLine]bool{}
	for _, kernel := range kernels {
		name := kernel.Symbol[strings.LastIndexByte(kernel.Symbol, '.')+1:]
		found := diagnose(t, &r, kernel, program)
		require.True(t, slices.IsSortedFunc(found, comparePositions), name)
		switch {
		case strings.HasPrefix(name, "Bad"):
			require.True(t, found.HasErrors(), "%s was accepted", name)
		case strings.HasPrefix(name, "Good"):
			require.Empty(t, found, "%s was refused", name)
		default:
			require.False(t, found.HasErrors(), "%s was refused: %v", name, found)
			require.NotEmpty(t, found, "%s gave no warning", name)
		}
		for _, d := range found {
			at := errorLine{d.Pos.Filename, d.Pos.Line}
			seen[at] = true
			re := want[at]
			if re == nil {
				t.Errorf("%s: not expected: %v", name, d)
			} else if !re.MatchString(d.Msg) {
				t.Errorf("%s: %v\n\tdoes not match %q", name, d, re)
			}
			require.Positive(t, d.Pos.Column, d)
		}
	}
	for at, re := range want {
		if !seen[at] {
			t.Errorf("%s:%d: nothing reported, want %q", at.file, at.line, re)
		}
	}
}

func comparePositions(a, b Diagnostic) int {
	if c := strings.Compare(a.Pos.Filename, b.Pos.Filename); c != 0 {
		return c
	}
	return a.Pos.Offset - b.Pos.Offset
}
