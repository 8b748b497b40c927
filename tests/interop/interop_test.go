package interop_test

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
	"github.com/quadrants-go/quadrants/tests/interop"
)

func addTo(x []int32, by int32) {
	for i := range x {
		x[i] += by
	}
}

func generate(x int32, steps int) int32 {
	for range steps {
		x = x*1664525 + 1013904223
	}
	return x
}

// A scope a cell, slow enough that what does not wait for it sees it unfinished.
func generateBoth(x []int32, steps int) {
	qd.StreamParallel(func() { x[0] = generate(x[0], steps) })
	qd.StreamParallel(func() { x[1] = generate(x[1], steps) })
}

// open is for tests that need an NVIDIA GPU.
func open(t *testing.T) (*qd.Runtime, interop.Stream) {
	t.Helper()
	if only := os.Getenv("QD_TEST_DEVICE"); only != "" && only != "cuda" {
		t.Skipf("QD_TEST_DEVICE is %s", only)
	}
	rt, err := qd.Open(qd.Config{Arch: qd.CUDA})
	if errors.Is(err, qd.ErrNoDevice) {
		t.Skipf("no such device here: %v", err)
	}
	require.NoError(t, err)
	require.NoError(t, interop.Open())
	s, err := interop.NewStream()
	require.NoError(t, err)
	return rt, s
}

// kernel compiles fn for rt.
func kernel(t *testing.T, rt *qd.Runtime, fn any) *qd.Kernel {
	t.Helper()
	k, err := qd.NewKernel(rt, fn)
	require.NoError(t, err)
	return k
}

// share makes an array, where other code finds it, and a stream of that code's.
func share(t *testing.T, rt *qd.Runtime, s interop.Stream, n int) (*qd.NDArray[int32], uintptr, *qd.Stream) {
	t.Helper()
	x, err := qd.NewNDArray[int32](rt, n)
	require.NoError(t, err)
	address, err := x.DeviceAddress()
	require.NoError(t, err)
	on, err := rt.WrapStream(s.Handle())
	require.NoError(t, err)
	return x, address, on
}

// Work of both on one stream, which takes long enough to be caught out of order: by tasks, and by a graph from the second launch on.
func TestLaunchesAreInOrderWithOtherCode(t *testing.T) {
	rt, s := open(t)
	k, slow := kernel(t, rt, addTo), kernel(t, rt, generateBoth)
	x, address, on := share(t, rt, s, 2)
	const steps = 200_000
	for round := range int32(6) {
		require.NoError(t, s.SlowStore(address, 5_000_000, round))
		require.NoError(t, s.SlowStore(address+4, 1000, 7))
		require.NoError(t, k.LaunchOn(on, x, int32(100)))
		got, err := s.Load(address)
		require.NoError(t, err)
		require.Equal(t, round+100, got)

		require.NoError(t, slow.LaunchOn(on, x, steps))
		require.NoError(t, s.SlowStore(address+4, 0, round))
		got, err = s.Load(address)
		require.NoError(t, err)
		require.Equal(t, generate(round+100, steps), got)
		got, err = s.Load(address + 4)
		require.NoError(t, err)
		require.Equal(t, round, got, "the store came after both scopes")
	}
	require.NoError(t, on.Close())
	require.NoError(t, s.SlowStore(address, 0, 3), "the stream is not ours to destroy")
	got, err := s.Load(address)
	require.NoError(t, err)
	require.EqualValues(t, 3, got)
	require.NoError(t, s.Destroy())
	require.NoError(t, rt.Close())
}

// A wrapped stream and one of the runtime's, joined by events.
func TestEventsJoinOtherCodeAndStreams(t *testing.T) {
	rt, s := open(t)
	k := kernel(t, rt, addTo)
	x, address, on := share(t, rt, s, 1)
	own, err := rt.NewStream()
	require.NoError(t, err)
	there, err := rt.NewEvent()
	require.NoError(t, err)
	back, err := rt.NewEvent()
	require.NoError(t, err)
	for round := range int32(5) {
		require.NoError(t, s.SlowStore(address, 3_000_000, round))
		require.NoError(t, there.Record(on))
		require.NoError(t, own.Wait(there))
		require.NoError(t, k.LaunchOn(own, x, int32(10)))
		require.NoError(t, back.Record(own))
		require.NoError(t, on.Wait(back))
		got, err := s.Load(address)
		require.NoError(t, err)
		require.Equal(t, round+10, got)
	}
	require.NoError(t, on.Close())
	require.NoError(t, s.Destroy())
	require.NoError(t, rt.Close())
}

// Other code breaks the GPU's context: everything of the process on that GPU says so from then on, and the rest goes on. In a process
// of its own, since there is no way back.
func TestALostDeviceSaysSo(t *testing.T) {
	const child = "QD_TEST_LOSES_DEVICE"
	if os.Getenv(child) == "" {
		rt, s := open(t)
		require.NoError(t, s.Destroy())
		require.NoError(t, rt.Close())
		run := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		run.Env = append(os.Environ(), child+"=1")
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- PASS: "+t.Name())
		return
	}
	rt, s := open(t)
	other, err := qd.Open(qd.Config{Arch: qd.CUDA})
	require.NoError(t, err)
	k := kernel(t, rt, addTo)
	x, err := qd.NewNDArray[int32](rt, 1000)
	require.NoError(t, err)
	own, err := rt.NewStream()
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, k.Launch(x, int32(1)))
		require.NoError(t, k.LaunchOn(own, x, int32(1)))
		require.NoError(t, rt.Sync(t.Context()))
	}
	require.Error(t, s.Crash())

	lost := func(err error) {
		t.Helper()
		require.ErrorIs(t, err, qd.ErrDeviceLost)
		require.ErrorContains(t, err, "restarted")
	}
	_, err = x.Slice() // the first to learn of it
	lost(err)
	lost(k.Launch(x, int32(1)))
	lost(k.LaunchOn(own, x, int32(1)))
	lost(rt.Sync(t.Context()))
	lost(own.Sync(t.Context()))
	lost(x.Fill(1))
	_, err = qd.NewNDArray[int32](rt, 10)
	lost(err)
	_, err = rt.NewStream()
	lost(err)
	_, err = qd.NewKernel(rt, generateBoth)
	lost(err)
	_, err = qd.NewNDArray[int32](other, 10)
	lost(err)
	_, err = qd.Open(qd.Config{Arch: qd.CUDA})
	require.Error(t, err)

	cpu, err := qd.Open(qd.Config{Arch: qd.CPU})
	require.NoError(t, err)
	on := []int32{1, 2}
	require.NoError(t, kernel(t, cpu, addTo).Launch(on, int32(5)))
	require.Equal(t, []int32{6, 7}, on)
	require.NoError(t, cpu.Close())
	t.Logf("closing: %v, %v", rt.Close(), other.Close()) // may say that the device is lost, and may not crash
}
