package qd_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// Where the device is full, memory that was freed and waits for what is queued is waited for; then it is tried once more.
func TestAllocatingTriesAgainOnAFullDevice(t *testing.T) {
	failed := 0
	for call := range 12 {
		t.Setenv("QD_SIM", fmt.Sprintf("seed=1 fail=%d", call+1))
		rt, err := qd.Open(qd.Config{Arch: qd.Sim})
		if err != nil {
			failed++ // the call was one of opening
			continue
		}
		for range 3 {
			a, err := qd.NewNDArray[float32](rt, 1000)
			require.NoError(t, err, "call %d", call+1)
			require.NoError(t, a.Close())
		}
		_ = rt.Close() // may be where the call fails
	}
	require.Less(t, failed, 6)

	t.Setenv("QD_SIM", "seed=1 fail=1 fails=1000")
	_, err := qd.Open(qd.Config{Arch: qd.Sim})
	require.ErrorContains(t, err, "the simulated device fails call 1, ")
	t.Setenv("QD_SIM", "speed=1")
	_, err = qd.Open(qd.Config{Arch: qd.Sim})
	require.ErrorContains(t, err, `"speed=1"; there are seed, fail`)
}
