package frontend

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// A function that type-checks but is not known to the lowering would be refused at the wrong time.
func TestStubsAreLowered(t *testing.T) {
	w := newWorld(nil, nil, "")
	for path, short := range libraryPackages {
		stub, err := w.Import(path)
		require.NoError(t, err)
		for _, name := range stub.Scope().Names() {
			if _, ok := stub.Scope().Lookup(name).(*types.Func); !ok {
				continue
			}
			_, unary := unaryMath[name]
			_, binary := binaryMath[name]
			known := path == "math" && (unary || binary) || libraryFunctions[short+"."+name] != nil
			require.True(t, known, "%s.%s", path, name)
		}
	}
}
