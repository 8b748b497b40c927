package qd_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

var shared = 3

func wrongTwice(a []int) {
	for i := range a {
		a[i] = shared
	}
	for i := range a {
		a[i] = lookUp(i)
	}
}

func lookUp(i int) int {
	m := map[int]int{}
	return m[i]
}

func conflicting(a []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 1
		}
	})
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 2
		}
	})
}

// Every arch refuses the same kernels, also the one that could run them.
func TestCompileError(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		_, err := qd.NewKernel(rt, wrongTwice)
		var ce *qd.CompileError
		require.ErrorAs(t, err, &ce)
		require.Equal(t, "qd_test.wrongTwice", ce.Kernel)
		require.GreaterOrEqual(t, len(ce.Diagnostics), 2)
		first := ce.Diagnostics[0]
		require.True(t, strings.HasSuffix(first.Pos.Filename, "/compile_error_test.go"))
		require.Contains(t, first.Msg, "shared")
		require.Equal(t, 10, first.Pos.Column)
		require.Empty(t, first.Chain)
		inside := ce.Diagnostics[1]
		require.Contains(t, inside.Msg, "map")
		require.Len(t, inside.Chain, 1)
		require.Equal(t, "lookUp", inside.Chain[0].Function)
		require.Regexp(t, `(?s)^(qd/)?compile_error_test\.go:\d+:10: .*shared.*\n(qd/)?compile_error_test\.go:.*map.*in the call of lookUp`, err.Error())

		_, err = qd.NewKernel(rt, conflicting)
		require.ErrorAs(t, err, &ce)
		require.Contains(t, ce.Diagnostics[0].Msg, "conflict")
	})
}
