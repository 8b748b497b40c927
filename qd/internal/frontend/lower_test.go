package frontend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// program opens a CPU program for a test.
func program(t testing.TB) *cgo.Program {
	t.Helper()
	p, err := cgo.NewProgram(cgo.Config{Threads: 1})
	require.NoError(t, err)
	t.Cleanup(p.Destroy)
	return p
}

// lowerText lowers the kernel of a name in a file of text.
func lowerText(t testing.TB, text, name string, build func(string) (*cgo.Builder, error)) (*Lowered, Diagnostics) {
	t.Helper()
	debugPanics = true
	var r Registry
	r.SetKernelAPI(kernelAPI(t))
	r.Add("main", "/k", files(map[string]string{"k.go": text}))
	out, found, err := Lower(&r, Func{Symbol: "main." + name, File: "k.go"}, build)
	require.NoError(t, err)
	return out, found
}

// Each file under testdata/lower holds a kernel and, in a comment at its end, the frontend IR it is lowered to.
func TestLowerGolden(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "lower", "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	p := program(t)
	update := os.Getenv("UPDATE_GOLDEN") != ""
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".go"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			source, want, found := strings.Cut(string(text), goldenMark)
			require.True(t, found || update, "no golden IR in %s", name)
			out, diagnostics := lowerText(t, source, "kernel", func(name string) (*cgo.Builder, error) { return cgo.NewBuilder(p, name) })
			require.Empty(t, diagnostics)
			defer out.Builder.Destroy()
			k := out.Builder.Finish()
			require.Nil(t, out.Builder.Err())
			defer k.Destroy()
			got, dumpErr := k.Dump("ast")
			require.NoError(t, dumpErr)
			if update {
				require.NoError(t, os.WriteFile(name, []byte(source+goldenMark+got+"*/\n"), 0o644))
				return
			}
			require.Equal(t, strings.TrimSuffix(want, "*/\n"), got)
		})
	}
}

const goldenMark = "/* lowered:\n"
