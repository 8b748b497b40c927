package scopes

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
	"github.com/quadrants-go/quadrants/tests/devices"
)

// Besides the results: every scope has one chain in the plan, with all of its tasks in the order of the source.
func TestScopesAgreeWithPlainGo(t *testing.T) {
	const launches = 60
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		for _, c := range cases {
			if c.compiled && rt.Arch() == qd.Go {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				k := qd.MustKernel(rt, c.kernel)
				defer func() { require.NoError(t, k.Close()) }()
				require.Empty(t, k.Diagnostics())
				require.Equal(t, c.width, k.Plan().Width())
				require.Equal(t, planText(c.name, c.plan), withoutShares(k.Plan().String()))
				want, got := c.args(), c.args()
				for launch := range launches {
					in := make([]reflect.Value, len(want))
					for _, args := range [][]any{want, got} {
						if c.change != nil {
							c.change(args, launch)
						}
					}
					for i, a := range want {
						in[i] = reflect.ValueOf(a)
					}
					reflect.ValueOf(c.kernel).Call(in)
					require.NoError(t, k.Launch(got...))
					require.Equal(t, want, got, "launch %d", launch)
				}
			})
		}
	})
}

func onEach(t *testing.T, f func(t *testing.T, rt *qd.Runtime)) {
	devices.Each(t, qd.Config{Seed: 11}, f)
}

// withoutShares leaves out what a plan says of streams and kernels that groups share.
func withoutShares(plan string) string {
	text, _, _ := strings.Cut(plan, "(")
	return strings.TrimRight(text, " \n") + "\n"
}

// planText writes a case's plan out as Plan.String does.
func planText(kernel, plan string) string {
	names, task, chains := map[rune]string{'s': "serial", 'r': "range"}, 0, []string{}
	for chain := range strings.FieldsSeq(plan) {
		group, kinds, _ := strings.Cut(chain, ":")
		var tasks []string
		for _, kind := range kinds {
			tasks = append(tasks, fmt.Sprintf("%s_%d_%s", kernel, task, names[kind]))
			task++
		}
		chains = append(chains, fmt.Sprintf(" group %s: [%s]", group, strings.Join(tasks, ", ")))
	}
	return "phase 0:" + strings.Join(chains, " |") + "\n"
}
