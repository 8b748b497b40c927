package qd_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// BenchmarkLaunchEmpty is the cost of a launch alone: docs/performance.md wants 300 ns and no allocation.
func BenchmarkLaunchEmpty(b *testing.B) {
	rt := open(b, qd.Config{})
	x, y, z := arrayOf[float32](b, rt, 1), arrayOf[float32](b, rt, 1), arrayOf[float32](b, rt, 1)
	k := kernelOf(b, rt, empty)
	b.ReportAllocs()
	for b.Loop() {
		if err := k.Launch(x, y, z); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLaunchScalar shows that scalars that are no constants cost no allocation either.
func BenchmarkLaunchScalar(b *testing.B) {
	rt := open(b, qd.Config{})
	x, y := arrayOf[float32](b, rt, 1), arrayOf[float32](b, rt, 1)
	k := kernelOf(b, rt, axpy)
	b.ReportAllocs()
	a := float32(0)
	for b.Loop() {
		a += 0.5
		if err := k.Launch(x, y, a); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLaunchAllocatesNothing(t *testing.T) {
	rt := open(t, qd.Config{})
	x, y, host := arrayOf[float32](t, rt, 1), arrayOf[float32](t, rt, 1), make([]float32, 1)
	k := kernelOf(t, rt, axpy)
	a := float32(0)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		a += 0.5
		if k.Launch(x, y, a) != nil || k.Launch(host, host, a) != nil {
			t.Fail()
		}
	}))
}
