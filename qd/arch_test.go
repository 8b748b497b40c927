package qd_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

func TestAutoReadsTheEnvironment(t *testing.T) {
	for name, want := range map[string]qd.Arch{"cpu": qd.CPU, "go": qd.Go, "": qd.CPU} {
		t.Setenv("QD_ARCH", name)
		rt := open(t, qd.Config{Arch: qd.Auto})
		require.Equal(t, want, rt.Arch(), name)
	}
	t.Setenv("QD_ARCH", "cuda")
	_, err := qd.Open(qd.Config{Arch: qd.Auto})
	require.ErrorIs(t, err, qd.ErrNoDevice)
	require.ErrorContains(t, err, "QD_ARCH=cuda")

	t.Setenv("QD_ARCH", "x86")
	_, err = qd.Open(qd.Config{Arch: qd.Auto})
	require.EqualError(t, err, `qd: open: QD_ARCH="x86" is none of cpu, cuda, amdgpu, go`)
	require.NotErrorIs(t, err, qd.ErrNoDevice)
}

// A named arch must not be overruled by the environment.
func TestNamedArchIgnoresTheEnvironment(t *testing.T) {
	t.Setenv("QD_ARCH", "go")
	require.Equal(t, qd.CPU, open(t, qd.Config{}).Arch())
}

func TestNoDevice(t *testing.T) {
	for _, arch := range []qd.Arch{qd.CUDA, qd.AMDGPU, qd.GPU} {
		_, err := qd.Open(qd.Config{Arch: arch})
		require.ErrorIs(t, err, qd.ErrNoDevice, arch)
	}
	_, err := qd.Open(qd.Config{Arch: 42})
	require.ErrorContains(t, err, "Arch(42)")
	_, err = qd.Open(qd.Config{Threads: -1})
	require.ErrorContains(t, err, "-1 threads")
}

func TestArchNames(t *testing.T) {
	require.Equal(t, "cpu cuda amdgpu go", qd.CPU.String()+" "+qd.CUDA.String()+" "+qd.AMDGPU.String()+" "+qd.Go.String())
}

func TestInfo(t *testing.T) {
	rt := open(t, qd.Config{Threads: 2})
	info, err := rt.Info()
	require.NoError(t, err)
	require.Equal(t, qd.CPU, info.Arch)
	require.Equal(t, 2, info.Workers)
	require.NotEmpty(t, info.Device)
	require.NotEmpty(t, info.LLVM)

	info, err = open(t, qd.Config{Arch: qd.Go}).Info()
	require.NoError(t, err)
	require.Equal(t, qd.Go, info.Arch)
	require.Equal(t, 1, info.Workers)
}
