package main

import "github.com/quadrants-go/quadrants/qd"

func kernel(a, b []float32, sum []float32) {
	const two = 2
	qd.StreamParallel(func() {
		qd.LoopConfig(qd.BlockDim(128), qd.Name("fill"))
		for i := range a {
			a[i] = two
		}
	})
	qd.StreamParallel(func() {
		sum[0] += 1
		for i := range b {
			sum[0] += b[i]
		}
	})
}

