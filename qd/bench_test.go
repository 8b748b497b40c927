package qd_test

import (
	"testing"

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

// BenchmarkLaunchOn is what queueing costs, while the stream works the queue off beside.
func BenchmarkLaunchOn(b *testing.B) {
	rt := open(b, qd.Config{})
	x, y, z := arrayOf[float32](b, rt, 1), arrayOf[float32](b, rt, 1), arrayOf[float32](b, rt, 1)
	k, s := kernelOf(b, rt, empty), streamOf(b, rt)
	b.ReportAllocs()
	for b.Loop() {
		if err := k.LaunchOn(s, x, y, z); err != nil {
			b.Fatal(err)
		}
	}
}
