// Bazel_files compares the source files that Go and the Makefile build with those that Bazel builds, and fails where a file
// is built by one and forgotten by the other. It needs Bazel; `make bazel` runs it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// files is a set of files, by their path from the repository's root.
type files map[string]bool

func main() {
	log.SetFlags(0)
	log.SetPrefix("bazel_files: ")
	goFiles, err := builtByGo()
	if err != nil {
		log.Fatal(err)
	}
	for _, pattern := range []string{"tests/core/*", "tests/capi/*"} { // the Makefile's
		if err := goFiles.addSources(pattern); err != nil {
			log.Fatal(err)
		}
	}
	bazelFiles, err := builtByBazel()
	if err != nil {
		log.Fatal(err)
	}
	findings := compare(goFiles, bazelFiles, os.ReadFile)
	for _, finding := range findings {
		log.Print(finding)
	}
	if len(findings) > 0 {
		os.Exit(1)
	}
	fmt.Printf("bazel_files: %d files, the same for Go and Bazel\n", len(bazelFiles))
}

// isSource tells whether a file is of a kind that this program compares.
func isSource(name string) bool {
	return slices.Contains([]string{".go", ".cpp", ".h", ".c"}, path.Ext(name))
}

func (f files) addSources(pattern string) error {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("no file matches %s (run it at the repository's root)", pattern)
	}
	for _, name := range names {
		if isSource(name) {
			f[filepath.ToSlash(name)] = true
		}
	}
	return nil
}

// builtByGo lists what is in the module's packages, whatever the build constraints say.
func builtByGo() (files, error) {
	out, err := output("go", "list", "-json=Dir,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,"+
		"CFiles,CXXFiles,HFiles,IgnoredOtherFiles", "./...")
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	found := files{}
	for decoder := json.NewDecoder(strings.NewReader(out)); ; {
		var p struct {
			Dir                                                          string
			GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
			CFiles, CXXFiles, HFiles, IgnoredOtherFiles                  []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("read what go list says: %w", err)
		}
		dir, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.TestGoFiles, p.XTestGoFiles,
			p.CFiles, p.CXXFiles, p.HFiles, p.IgnoredOtherFiles) {
			if isSource(name) {
				found[path.Join(filepath.ToSlash(dir), name)] = true
			}
		}
	}
}

// builtByBazel lists the sources and headers of the workspace's targets.
func builtByBazel() (files, error) {
	out, err := output("bazel", "query", "--output=label", "labels(srcs, //...) union labels(hdrs, //...)")
	if err != nil {
		return nil, err
	}
	found := files{}
	for _, label := range strings.Fields(out) {
		name, ours := strings.CutPrefix(label, "//")
		name = strings.TrimPrefix(strings.Replace(name, ":", "/", 1), "/")
		if _, err := os.Stat(name); ours && err == nil && isSource(name) {
			found[name] = true
		}
	}
	return found, nil
}

func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return string(out), nil
}

// compare says what is wrong, in order of the files.
func compare(byGo, byBazel files, read func(string) ([]byte, error)) []string {
	var findings []string
	for name := range byGo {
		if byBazel[name] {
			continue
		}
		if isGlue(name) {
			if text, err := read(name); err != nil {
				findings = append(findings, err.Error())
			} else if code := declaration(string(text)); code != "" {
				findings = append(findings, fmt.Sprintf("%s: only flags for cgo may stand here, Bazel does not see %q", name, code))
			}
			continue
		}
		findings = append(findings, fmt.Sprintf("%s: no target of %s/BUILD.bazel has it among its srcs or hdrs", name, path.Dir(name)))
	}
	for name := range byBazel {
		bazelOnly := strings.HasPrefix(name, "third_party/") || strings.Contains(name, "/testdata/") // Go tests build the latter
		if !byGo[name] && !bazelOnly {
			findings = append(findings, fmt.Sprintf("%s: Bazel builds it, and neither Go nor the Makefile does", name))
		}
	}
	slices.Sort(findings)
	return findings
}

// isGlue tells whether a file is there for `go build` alone: it compiles the C++ of its folder, which Bazel does itself.
func isGlue(name string) bool {
	return path.Ext(name) == ".go" && (strings.HasPrefix(name, "core/") || strings.HasPrefix(name, "capi/"))
}

// declaration is the first line of a Go file that is neither a comment, the package clause nor an import.
func declaration(text string) string {
	imports := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case imports:
			imports = line != ")"
		case line == "import (":
			imports = true
		case line != "" && !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "package ") && !strings.HasPrefix(line, "import "):
			return line
		}
	}
	return ""
}
