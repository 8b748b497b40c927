package frontend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// splice replaces some expressions and statements of a file by others of it, so that the text still parses but rarely means
// anything.
func splice(text string, random *rand.Rand, times int) string {
	for range times {
		file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if err != nil {
			return text
		}
		var exprs, stmts []ast.Node
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case ast.Expr:
					exprs = append(exprs, n)
				case *ast.BlockStmt:
				case ast.Stmt:
					stmts = append(stmts, n)
				}
				return true
			})
		}
		nodes := exprs
		if random.IntN(3) == 0 {
			nodes = stmts
		}
		if len(nodes) == 0 {
			return text
		}
		to, from := nodes[random.IntN(len(nodes))], nodes[random.IntN(len(nodes))]
		spliced := text[:to.Pos()-1] + text[from.Pos()-1:from.End()-1] + text[to.End()-1:]
		if _, err := parser.ParseFile(token.NewFileSet(), "", spliced, parser.SkipObjectResolution); err == nil {
			text = spliced
		}
	}
	return text
}

// Whatever a program says, checking it ends with diagnostics that have positions, or with none.
func FuzzCheck(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(seed%12))
	}
	names, err := filepath.Glob(filepath.Join("..", "..", "..", "tests", "errors", "*.go"))
	require.NoError(f, err)
	require.NotEmpty(f, names)
	var texts []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		texts = append(texts, string(text))
	}
	api := kernelAPI(f)
	f.Fuzz(func(t *testing.T, seed uint64, times uint8) {
		random := rand.New(rand.NewPCG(seed, 1))
		sources := map[string]string{}
		for i, text := range texts {
			sources[filepath.Base(names[i])] = splice(text, random, int(times%24))
		}
		var r Registry
		r.SetKernelAPI(api)
		r.Add("main", "/fuzz", files(sources))
		for name, text := range sources {
			file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Bad") && !strings.HasPrefix(fn.Name.Name, "Good") {
					continue
				}
				l, kernel, err := r.load(Func{Symbol: "main." + fn.Name.Name, File: name})
				require.NoError(t, err)
				for _, d := range l.check(kernel) {
					require.True(t, d.Pos.IsValid() && d.Pos.Column > 0 && d.Msg != "", "%v", d)
				}
			}
		}
	})
}
