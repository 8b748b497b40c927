package frontend

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the subset check accepts, the lowering must not refuse: the kernels that are good neighbours of bad ones lower too.
func TestGoodKernelsLower(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "tests", "errors"))
	require.NoError(t, err)
	var r Registry
	r.SetKernelAPI(kernelAPI(t))
	lowered := 0
	for _, kernel := range kernelsIn(t, dir, "github.com/quadrants-go/quadrants/tests/errors") {
		name := kernel.Symbol[strings.LastIndexByte(kernel.Symbol, '.')+1:]
		if strings.HasPrefix(name, "Bad") {
			continue
		}
		out, found, err := Lower(&r, kernel, nil)
		require.NoError(t, err, name)
		if found.HasErrors() {
			t.Errorf("%s was refused: %v", name, found)
			continue
		}
		require.NotNil(t, out, name)
		lowered++
	}
	require.Positive(t, lowered)
}
