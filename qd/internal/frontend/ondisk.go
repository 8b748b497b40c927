package frontend

import (
	"os"
	"path/filepath"
	"strings"
)

// OnDisk is where a file or directory of source lies that the compiler named: the name itself where it is absolute. Bazel's
// compilers name sources by their path in the workspace, and `bazel test` tells where the test's data lies under those paths.
// False for other names that are not absolute, which -trimpath makes.
func OnDisk(name string) (string, bool) {
	if filepath.IsAbs(name) {
		return name, true
	}
	root := os.Getenv("TEST_SRCDIR")
	if root == "" || name == "" {
		return "", false
	}
	if other, ok := strings.CutPrefix(filepath.ToSlash(name), "external/"); ok {
		return filepath.Join(root, other), true
	}
	return filepath.Join(root, os.Getenv("TEST_WORKSPACE"), name), true
}
