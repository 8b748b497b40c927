package frontend

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "fmt", "net/http": "http", "example.com/vec/v2": "vec", "gopkg.in/yaml.v3": "yaml", "example.com/go-cmp": "cmp",
		"example.com/two-words": "two_words", "v2": "v2",
	} {
		require.Equal(t, want, packageName(path), path)
	}
}

func TestModulePath(t *testing.T) {
	require.Equal(t, "example.com/a", modulePath("// first\nmodule example.com/a // why\ngo 1.26\n"))
	require.Equal(t, "example.com/a", modulePath("module \"example.com/a\"\n"))
	require.Empty(t, modulePath("go 1.26\n"))
}

func TestKernelAPIChecks(t *testing.T) {
	w := newWorld(nil, kernelAPI(t), "")
	pkg, err := w.Import(KernelAPIPath)
	require.NoError(t, err)
	require.NoError(t, w.failed[KernelAPIPath])
	for _, name := range []string{"StreamParallel", "NDRange2", "NDRange3", "LoopConfig", "NDArray", "AtomicAdd"} {
		require.NotNil(t, pkg.Scope().Lookup(name), name)
	}
}
