package scopes

import "github.com/quadrants-go/quadrants/qd"

// elements adds to the same elements in two scopes: each iteration's own within its loop, but not within the region. The scopes
// go in opposite directions and stay long at each element, so that they meet.
func elements(acc, x []int64, steps int) {
	qd.StreamParallel(func() {
		for i := range acc {
			for k := range steps {
				acc[i] += x[k]
			}
		}
	})
	qd.StreamParallel(func() {
		for j := range acc {
			for k := range steps {
				acc[len(acc)-1-j] += x[k] << 20
			}
		}
	})
}

// atomicElements is elements with the functions that are atomic in plain Go too.
func atomicElements(acc, x []int64, steps int) {
	qd.StreamParallel(func() {
		for i := range acc {
			for k := range steps {
				qd.AtomicAdd(&acc[i], x[k])
			}
		}
	})
	qd.StreamParallel(func() {
		for j := range acc {
			for k := range steps {
				qd.AtomicAdd(&acc[len(acc)-1-j], x[k]<<20)
			}
		}
	})
}

// cells reduces to the same cells in three scopes, in loops and in statements.
func cells(total []int64, sum []float64, x []int32, n int) {
	qd.StreamParallel(func() {
		for i := range x {
			qd.AtomicAdd(&total[0], int64(x[i]))
			qd.AtomicAdd(&sum[0], 0.5)
			qd.AtomicMax(&total[1], int64(i))
		}
	})
	qd.StreamParallel(func() {
		for j := range n {
			qd.AtomicSub(&total[0], int64(j))
			qd.AtomicAdd(&sum[0], 2)
			qd.AtomicMax(&total[1], int64(n+j))
		}
	})
	qd.StreamParallel(func() {
		for k := 0; k < 100; k++ {
			qd.AtomicAdd(&total[0], 1)
		}
		qd.AtomicAdd(&sum[0], 1)
		qd.AtomicXor(&total[2], int64(n))
	})
}

// plainCells is cells by assignment, which is atomic in compiled kernels only.
func plainCells(total []int64, sum []float64, x []int32, n int) {
	qd.StreamParallel(func() {
		for i := range x {
			total[0] += int64(x[i])
			sum[0] += 0.5
		}
	})
	qd.StreamParallel(func() {
		for j := range n {
			total[0] -= int64(j)
			sum[0] += 2
		}
	})
	qd.StreamParallel(func() {
		for k := 0; k < 100; k++ {
			total[0]++
		}
		sum[0] += 1
	})
}

// changing is launched with other arguments every time; each scope's bound crosses from a statement to a loop.
func changing(x, bounds []int32, more, v int32) {
	qd.StreamParallel(func() {
		n := int(bounds[0] + more)
		for i := range n {
			x[i] += v
		}
		bounds[2] += int32(n)
	})
	qd.StreamParallel(func() {
		n := int(bounds[1] - more)
		for j := range n {
			x[j+1000] -= v
		}
		bounds[3] += int32(n)
	})
}

// failing reads idx out of range where it says so, in one scope or both, while the other goes on.
func failing(a, b, idx []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] += idx[int(idx[0])+i%2]
		}
		a[0] = 1
	})
	qd.StreamParallel(func() {
		for j := range b {
			b[j] += 1 + idx[int(idx[1])]
		}
		for j := range b {
			b[j] *= 2
		}
	})
}

// randoms draws in two loops and a statement of one scope, and in two other scopes.
func randoms(a, b, c []uint64, s []uint64) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = qd.Rand[uint64]()
		}
		s[0] = qd.Rand[uint64]()
		for i := range b {
			b[i] = qd.Rand[uint64]()
		}
	})
	qd.StreamParallel(func() {
		for i := range c {
			c[i] = qd.Rand[uint64]()
		}
		s[1] = qd.Rand[uint64]()
	})
	qd.StreamParallel(func() {
		s[2] = qd.Rand[uint64]()
		s[3] = qd.Rand[uint64]()
	})
}

// aliased may be launched with arrays that share memory, for both scopes only add.
func aliased(a, b []int64, total, other []int64) {
	qd.StreamParallel(func() {
		for i := range a {
			qd.AtomicAdd(&a[i], 1)
			qd.AtomicAdd(&total[0], int64(i))
		}
	})
	qd.StreamParallel(func() {
		for j := range b {
			qd.AtomicAdd(&b[j], 1<<20)
			qd.AtomicAdd(&other[0], 1)
		}
	})
}
