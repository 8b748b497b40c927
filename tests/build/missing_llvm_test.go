// Package build tests what a user sees when a build cannot work.
package build

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Without LLVM's headers the compiler's first error names the package to install, and is not followed by pages of others.
func TestMissingLLVM(t *testing.T) {
	out, err := exec.Command("g++", "-std=c++20", "-fsyntax-only", "-I../..", "../../core/codegen/llvm_errors.cpp").CombinedOutput()
	if err == nil {
		t.Skip("this machine has LLVM's headers on the default path")
	}
	require.Contains(t, string(out), "apt-get install llvm-22-dev")
	require.Less(t, len(out), 4000, string(out))
}
