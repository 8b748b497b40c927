package frontend

import (
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Registry knows where the sources of kernels are: file systems that programs embedded, and the disk for the rest. The zero
// value is ready to use. It is safe for goroutines.
type Registry struct {
	mu        sync.Mutex
	embedded  map[string]source // by package path, as symbols name it
	kernelAPI map[string][]byte
	worlds    map[string]*world // by the directory whose tests are loaded too
}

// Add registers the sources of a package. pkgPath is the path that the package's symbols start with ("main" for a
// command), dir the directory of its files as the compiler named it, and fsys's root is that directory.
func (r *Registry) Add(pkgPath, dir string, fsys fs.FS) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.embedded == nil {
		r.embedded = map[string]source{}
	}
	r.embedded[pkgPath] = source{dir, fsys}
	r.worlds = nil
}

// SetKernelAPI gives the files of package qd that declare what kernels may use, by file name.
func (r *Registry) SetKernelAPI(files map[string][]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kernelAPI = files
	r.worlds = nil
}

// source is the directory of one package.
type source struct {
	dir  string // as positions name it
	fsys fs.FS
}

func (s source) has(name string) bool {
	_, err := fs.Stat(s.fsys, name)
	return err == nil
}

// embeddedSource finds a package among what was embedded: by its own path, or in a folder of what a package above it did.
func embeddedSource(embedded map[string]source, pkgPath string) (source, bool) {
	if s, ok := embedded[pkgPath]; ok {
		return s, true
	}
	for parent, s := range embedded {
		if info, ok := debug.ReadBuildInfo(); ok && parent == "main" {
			parent = info.Path
		}
		rest, ok := strings.CutPrefix(pkgPath, parent+"/")
		if !ok || !fs.ValidPath(rest) {
			continue
		}
		sub, err := fs.Sub(s.fsys, rest)
		if err != nil {
			continue
		}
		if names, err := fs.Glob(sub, "*.go"); err == nil && len(names) > 0 {
			return source{filepath.Join(s.dir, filepath.FromSlash(rest)), sub}, true
		}
	}
	return source{}, false
}

// diskSource is the directory itself; false where it is not there or holds no Go file.
func diskSource(dir string) (source, bool) {
	place, ok := OnDisk(dir)
	if !ok {
		return source{}, false
	}
	s := source{dir, os.DirFS(place)}
	names, err := fs.Glob(s.fsys, "*.go")
	return s, err == nil && len(names) > 0
}

// goFiles names the Go files that a build of the package for this program takes, in order.
func (s source) goFiles(withTests bool) ([]string, error) {
	names, err := fs.Glob(s.fsys, "*.go")
	if err != nil {
		return nil, err
	}
	ctxt := buildContext()
	ctxt.JoinPath = path.Join
	ctxt.OpenFile = func(name string) (io.ReadCloser, error) { return s.fsys.Open(name) }
	var files []string
	for _, name := range names {
		if !withTests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		match, err := ctxt.MatchFile("", name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", filepath.Join(s.dir, name), err)
		}
		if match {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return files, nil
}

// buildContext has the build constraints under which this program was built, not those of the shell that runs it.
func buildContext() build.Context {
	ctxt := build.Default
	ctxt.GOOS, ctxt.GOARCH, ctxt.Compiler = runtime.GOOS, runtime.GOARCH, runtime.Compiler
	ctxt.CgoEnabled = true
	ctxt.BuildTags = nil
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ctxt
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "-tags":
			ctxt.BuildTags = append(ctxt.BuildTags, strings.Split(setting.Value, ",")...)
		case "-race", "-msan", "-asan":
			if setting.Value == "true" {
				ctxt.BuildTags = append(ctxt.BuildTags, setting.Key[1:])
			}
		case "CGO_ENABLED":
			ctxt.CgoEnabled = setting.Value == "1"
		}
	}
	return ctxt
}

// moduleDir is where the package of an import path lies if it belongs to the module that the directory is in.
func moduleDir(dir, importPath string) (string, bool) {
	dir, ok := OnDisk(dir)
	if !ok {
		return "", false
	}
	for root := dir; ; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			module := modulePath(string(text))
			if importPath == module {
				return root, true
			}
			rest, ok := strings.CutPrefix(importPath, module+"/")
			return filepath.Join(root, filepath.FromSlash(rest)), ok && module != ""
		}
		if root == filepath.Dir(root) {
			return "", false
		}
	}
}

func modulePath(goMod string) string {
	for line := range strings.Lines(goMod) {
		line, _, _ = strings.Cut(line, "//")
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "module" {
			return strings.Trim(fields[1], "\"`")
		}
	}
	return ""
}
