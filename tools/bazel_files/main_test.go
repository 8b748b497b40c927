package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompare(t *testing.T) {
	texts := map[string]string{
		"core/ir/doc.go":  "// Package ir.\npackage ir\n\n// #cgo LDFLAGS: -lm\nimport \"C\"\n\nimport (\n\t_ \"x\"\n)\n",
		"core/ir/code.go": "package ir\n\nconst Answer = 42\n",
	}
	read := func(name string) ([]byte, error) { return []byte(texts[name]), nil }
	both := files{"qd/a.go": true, "core/ir/stmt.cpp": true}
	require.Empty(t, compare(both, both, read))
	byGo := files{"qd/a.go": true, "qd/b.go": true, "core/ir/doc.go": true, "core/ir/code.go": true, "core/ir/stmt.cpp": true}
	byBazel := files{"qd/a.go": true, "tools/c.cpp": true, "tests/acceptance/testdata/x/main.go": true}
	require.Equal(t, []string{
		`core/ir/code.go: only flags for cgo may stand here, Bazel does not see "const Answer = 42"`,
		"core/ir/stmt.cpp: no target of core/ir/BUILD.bazel has it among its srcs or hdrs",
		"qd/b.go: no target of qd/BUILD.bazel has it among its srcs or hdrs",
		"tools/c.cpp: Bazel builds it, and neither Go nor the Makefile does",
	}, compare(byGo, byBazel, read))
}
