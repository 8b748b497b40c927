package qd_test

import "github.com/quadrants-go/quadrants/qd"

// holdUntil keeps its stream busy until letGo ran on another one.
func holdUntil(open []int32) {
	for range 1 {
		for qd.AtomicAdd(&open[0], 0) == 0 {
		}
	}
}

func letGo(open []int32) {
	for range 1 {
		qd.AtomicAdd(&open[0], 1)
	}
}

// spin takes its time: about a nanosecond a step.
func spin(x []int64, steps int) {
	for range 1 {
		v := x[0]
		for range steps {
			v = (1664525*v + 1013904223) % 2147483647
		}
		x[0] = v
	}
}

func set(x []int32, v int32) {
	for i := range x {
		x[i] = v
	}
}

// addUpTo adds v to the first elements, as many as bound says. The bound is read where the kernel runs.
func addUpTo(x, bound []int32, v int32) {
	for i := range int(bound[0]) {
		x[i] += v
	}
}

func addTo(y, x []int32) {
	for i := range y {
		y[i] += x[i]
	}
}
