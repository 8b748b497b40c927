package qd

import (
	"embed"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// kernelAPI is the source of this package's kernel-facing part, for the type check of kernels.
//
//go:embed kernel_*.go
var kernelAPI embed.FS

// registry finds the source of every kernel of the process.
var registry = sync.OnceValue(func() *frontend.Registry {
	r := new(frontend.Registry)
	files := map[string][]byte{}
	names, err := fs.Glob(kernelAPI, "*.go")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range names {
		if files[name], err = kernelAPI.ReadFile(name); err != nil {
			panic(err) // embedded in this very program
		}
	}
	r.SetKernelAPI(files)
	return r
})

// sources holds what Embed was given, by package path, for the positions of failures on the Go arch.
var sources sync.Map

// Embedded is what Embed returns, so that it can be called in a variable declaration.
type Embedded struct{}

// Embed lets a program find the source of the calling package's kernels where the source files are not: in a deployed
// binary. source holds the package's Go files at its root:
//
//	//go:embed *.go
//	var source embed.FS
//
//	var _ = qd.Embed(source)
//
// Under `go run` and `go test` the files themselves are read, and Embed is not needed.
func Embed(source fs.FS) Embedded {
	pc, file, _, ok := runtime.Caller(1)
	if f := runtime.FuncForPC(pc); ok && f != nil {
		pkg := packageOf(f.Name())
		sources.Store(pkg, source)
		registry().Add(pkg, filepath.Dir(file), source)
	}
	return Embedded{}
}

// packageOf is the package path in a function's symbol: "example.com/a.b/c" in "example.com/a%2eb/c.(*T).f".
func packageOf(symbol string) string {
	slash := strings.LastIndexByte(symbol, '/') + 1
	if dot := strings.IndexByte(symbol[slash:], '.'); dot >= 0 {
		symbol = symbol[:slash+dot]
	}
	return strings.ReplaceAll(symbol, "%2e", ".")
}
