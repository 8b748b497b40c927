package qd_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// TestMain fails the run if anything of the core is still alive at its end: every test closes what it opens.
func TestMain(m *testing.M) {
	code := m.Run()
	if leaks := qd.ProcessLeaks(); code == 0 && leaks != (qd.Leaks{}) {
		fmt.Fprintf(os.Stderr, "not given back: %+v\n", leaks)
		code = 1
	}
	os.Exit(code)
}

// open gives a runtime that the test's end closes.
func open(t testing.TB, config qd.Config) *qd.Runtime {
	t.Helper()
	rt, err := qd.Open(config)
	if config.Arch == qd.CUDA && errors.Is(err, qd.ErrNoDevice) {
		t.Skipf("no such device here: %v", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = rt.Close() // the test may have closed it
	})
	return rt
}

// onGPU tells whether the host cannot reach the device's memory, as on a GPU.
func onGPU(rt *qd.Runtime) bool { return rt.Arch() == qd.CUDA || rt.Arch() == qd.Sim }

// onEach runs a test on every arch that there is.
func onEach(t *testing.T, test func(t *testing.T, rt *qd.Runtime)) {
	for _, arch := range []qd.Arch{qd.CPU, qd.Go, qd.Sim, qd.CUDA} {
		t.Run(arch.String(), func(t *testing.T) { test(t, open(t, qd.Config{Arch: arch})) })
	}
}

// arrayOf gives an array of one dimension with these elements.
func arrayOf[T any](t testing.TB, rt *qd.Runtime, elements ...T) *qd.NDArray[T] {
	t.Helper()
	a, err := qd.NewNDArray[T](rt, len(elements))
	require.NoError(t, err)
	require.NoError(t, a.CopyFrom(elements))
	return a
}

// kernelOf gives a kernel.
func kernelOf(t testing.TB, rt *qd.Runtime, fn any) *qd.Kernel {
	t.Helper()
	k, err := qd.NewKernel(rt, fn)
	require.NoError(t, err)
	return k
}
