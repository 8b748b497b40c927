package qd_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

func TestAutoReadsTheEnvironment(t *testing.T) {
	wants := map[string]qd.Arch{"cpu": qd.CPU, "go": qd.Go, "": qd.CPU}
	gpu := hasGPU(t)
	if gpu {
		wants[""] = qd.CUDA
	}
	for name, want := range wants {
		t.Setenv("QD_ARCH", name)
		rt := open(t, qd.Config{Arch: qd.Auto})
		require.Equal(t, want, rt.Arch(), name)
	}
	t.Setenv("QD_ARCH", "cuda")
	var err error
	if !gpu {
		_, err = qd.Open(qd.Config{Arch: qd.Auto})
		require.ErrorIs(t, err, qd.ErrNoDevice)
		require.ErrorContains(t, err, "QD_ARCH=cuda")
	}

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

// hasGPU tells whether there is an NVIDIA GPU that can be used.
func hasGPU(t *testing.T) bool {
	rt, err := qd.Open(qd.Config{Arch: qd.CUDA})
	if errors.Is(err, qd.ErrNoDevice) {
		return false
	}
	require.NoError(t, err)
	require.NoError(t, rt.Close())
	return true
}

func TestNoDevice(t *testing.T) {
	archs := []qd.Arch{qd.AMDGPU}
	if !hasGPU(t) {
		archs = append(archs, qd.CUDA, qd.GPU)
	}
	for _, arch := range archs {
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
