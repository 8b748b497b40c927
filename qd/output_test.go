package qd_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

func TestOutput(t *testing.T) {
	for _, arch := range []qd.Arch{qd.CPU, qd.Go} {
		var out bytes.Buffer
		rt := open(t, qd.Config{Arch: arch, Output: &out})
		k := kernelOf(t, rt, announce)
		require.NoError(t, k.Launch([]int32{1, 2, 3}))
		require.NoError(t, k.Launch([]int32{1, 2, 4}))
		require.Equal(t, "x is 3\nx is 4\n", out.String(), arch)
	}
}

func TestStaticPrint(t *testing.T) {
	for _, arch := range []qd.Arch{qd.CPU, qd.Go} {
		var out bytes.Buffer
		rt := open(t, qd.Config{Arch: arch, Output: &out})
		k := kernelOf(t, rt, announceEarly)
		require.Equal(t, "width 16 true\n", out.String(), arch)
		require.NoError(t, k.Launch(make([]int32, 3)))
		require.Equal(t, "width 16 true\n", out.String(), "once, not a launch")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("the pipe is broken") }

func TestOutputFails(t *testing.T) {
	rt := open(t, qd.Config{Output: brokenWriter{}})
	require.ErrorContains(t, kernelOf(t, rt, announce).Launch([]int32{1, 2, 3}), "the pipe is broken")
}

func TestRandomNumbers(t *testing.T) {
	for _, arch := range []qd.Arch{qd.CPU, qd.Go} {
		draw := func(seed uint64) [][]float32 {
			rt := open(t, qd.Config{Arch: arch, Seed: seed})
			k := kernelOf(t, rt, randoms)
			drawn := [][]float32{make([]float32, 1000), make([]float32, 1000)}
			require.NoError(t, k.Launch(drawn[0]))
			require.NoError(t, k.Launch(drawn[1]))
			return drawn
		}
		first := draw(1)
		require.Equal(t, first, draw(1), "the same seed, the same numbers")
		require.NotEqual(t, first, draw(2))
		require.NotEqual(t, first[0], first[1], "each launch draws new numbers")
		sum := float32(0)
		for _, x := range first[0] {
			require.True(t, 0 <= x && x < 1)
			sum += x
		}
		require.InDelta(t, 500, sum, 50)
	}
}
