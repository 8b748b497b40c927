package parity

import "github.com/quadrants-go/quadrants/qd"

// p47 has two loops in order in one scope, and one loop in another.
func p47(a, b []float32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 1
		}
		for i := range a {
			a[i] += 1
		}
	})
	qd.StreamParallel(func() {
		for j := range b {
			b[j] = 10
		}
	})
}

func p47Combine(c, a, b []float32) {
	for i := range c {
		c[i] = a[i] + b[i]
	}
}

// p48 adds up in two scopes, to one cell and to the same elements, as many times as bounds read from memory say.
func p48(total []int64, cells, bounds []int32) {
	qd.StreamParallel(func() {
		for i := range int(bounds[0]) {
			qd.AtomicAdd(&total[0], int64(i))
			qd.AtomicAdd(&cells[i], 1)
		}
	})
	qd.StreamParallel(func() {
		for j := range int(bounds[1]) {
			qd.AtomicAdd(&total[0], int64(2*j))
			qd.AtomicAdd(&cells[j], 100)
		}
	})
}

// p48Plain is p48 with +=, which is atomic in kernels but not where they run as plain Go in several goroutines.
func p48Plain(total []int64, cells, bounds []int32) {
	qd.StreamParallel(func() {
		for i := range int(bounds[0]) {
			total[0] += int64(i)
			cells[i] += 1
		}
	})
	qd.StreamParallel(func() {
		for j := range int(bounds[1]) {
			total[0] += int64(2 * j)
			cells[j] += 100
		}
	})
}

// p49 has a bound that crosses tasks: the serial statement computes it, the loop after it reads it.
func p49(x, bound []int32, more int32) {
	n := int(bound[0])
	n += int(more)
	for i := range n {
		x[i]++
	}
	bound[1] += int32(n)
}
