package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A change here changes every user's kernels: read the difference, then run with -update.
func TestIR(t *testing.T) {
	rt, err := qd.Open(qd.Config{Arch: qd.CPU, Threads: 1})
	require.NoError(t, err)
	defer func() { require.NoError(t, rt.Close()) }()
	stages := []string{"ast", "lower", "insert_checks", "offload", "demote_atomics", "make_thread_local", "hoist_checks"}
	for name, fn := range map[string]any{
		"saxpy": saxpy, "total": total, "histogram": histogram, "relax": relax, "crossing": crossing,
		"aggregates": aggregates, "scopes": scopes,
	} {
		k, err := qd.NewKernel(rt, fn)
		require.NoError(t, err)
		for _, stage := range stages {
			t.Run(name+"/"+stage, func(t *testing.T) {
				got, err := k.Dump(stage)
				require.NoError(t, err)
				file := filepath.Join("testdata", name+"."+stage)
				if *update {
					require.NoError(t, os.MkdirAll("testdata", 0o755))
					require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
					return
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(want), got, "run with -update if this is meant")
			})
		}
		for suffix, got := range map[string]string{".plan": k.Plan().String(), ".dot": k.Plan().Graphviz()} {
			file := filepath.Join("testdata", name+suffix)
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				continue
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), got, file)
		}
	}
}
