package frontend

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnDisk(t *testing.T) {
	t.Setenv("TEST_SRCDIR", "/runfiles")
	t.Setenv("TEST_WORKSPACE", "app")
	for name, want := range map[string]string{
		"/home/me/app/k.go":          "/home/me/app/k.go",
		"sim/k.go":                   "/runfiles/app/sim/k.go",
		"external/quadrants/qd/k.go": "/runfiles/quadrants/qd/k.go",
	} {
		got, ok := OnDisk(name)
		require.True(t, ok, name)
		require.Equal(t, want, got)
	}
	t.Setenv("TEST_SRCDIR", "")
	_, ok := OnDisk("sim/k.go")
	require.False(t, ok)
}

// A test's kernels, and the packages of its module that they use, are found among the test's data; positions keep the names that
// the compiler gave.
func TestLoadFromTestData(t *testing.T) {
	root := tree(t, map[string]string{
		"app/go.mod":        "module example.com/app\n",
		"app/sim/k_test.go": "package sim\n\nimport \"example.com/app/vec\"\n\nfunc K(x []float32) {\n\tfor i := range x {\n\t\tx[i] = vec.Twice(x[i])\n\t}\n}\n",
		"app/vec/vec.go":    "package vec\n\nfunc Twice(x float32) float32 { return 2 * x }\n",
	})
	t.Setenv("TEST_SRCDIR", root)
	t.Setenv("TEST_WORKSPACE", "app")
	r := newTestRegistry(t)
	l, fn, err := r.load(Func{Symbol: "example.com/app/sim.K", File: filepath.Join("sim", "k_test.go"), Line: 5})
	require.NoError(t, err)
	require.Empty(t, l.check(fn))
	require.Equal(t, filepath.Join("sim", "k_test.go"), l.position(fn.decl.Pos()).Filename)
}
