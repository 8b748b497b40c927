// Package acceptance builds programs of outside users, unmodified, in a module of their own, and runs them on each
// device. A program checks its own results and prints "<arch> ok" last.
package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const goMod = `module example.org/acceptance

go 1.26

require github.com/quadrants-go/quadrants v0.0.0

replace github.com/quadrants-go/quadrants => `

func TestPrograms(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(goMod+root+"\n"), 0o644))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))

	sources, err := filepath.Glob(filepath.Join(dir, "*", "main.go"))
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	elsewhere := t.TempDir()
	for _, source := range sources {
		name := filepath.Base(filepath.Dir(source))
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(elsewhere, name)
			build := exec.Command("go", "build", "-o", program, "./"+name)
			build.Dir = dir
			build.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
			out, err := build.CombinedOutput()
			require.NoError(t, err, string(out))
			for _, device := range []string{"cpu", "go", "sim seed=1", "sim seed=2", "sim seed=3", "sim seed=4"} {
				arch, simulation, _ := strings.Cut(device, " ")
				t.Run(device, func(t *testing.T) {
					run := exec.Command(program)
					if name == "mpm88" {
						run.Args = append(run.Args, "-steps", "200")
					}
					run.Dir = elsewhere
					run.Env = append(os.Environ(), "QD_ARCH="+arch, "QD_SIM="+simulation)
					out, err := run.CombinedOutput()
					require.NoError(t, err, string(out))
					lines := strings.Split(strings.TrimSpace(string(out)), "\n")
					require.Equal(t, arch+" ok", lines[len(lines)-1])
				})
			}
		})
	}
}

// A deployed program has its kernels' source in it (qd.Embed): no path of the machine it was built on is left.
func TestDeployedProgram(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "saxpy")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "../../examples/saxpy")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	run := exec.Command(program)
	run.Dir = dir
	run.Env = append(os.Environ(), "QD_ARCH=cpu")
	out, err = run.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "cpu ok", strings.TrimSpace(string(out)))
}
