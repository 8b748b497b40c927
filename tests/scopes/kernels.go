// Package scopes runs kernels of StreamParallel scopes over many launches, in plain Go and on the devices, and compares.
package scopes

import (
	"embed"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

// one is a kernel of a single scope.
func one(a, bounds []int32) {
	qd.StreamParallel(func() {
		a[0] += 3
		for i := range int(bounds[0]) {
			a[i] = a[i]*5 + int32(i)
		}
	})
}

// empty has scopes without statements before, between and after others.
func empty(a, b []int32) {
	qd.StreamParallel(func() {})
	qd.StreamParallel(func() {
		for i := range a {
			a[i] += 1
		}
	})
	qd.StreamParallel(func() {})
	qd.StreamParallel(func() {
		for j := range b {
			b[j] -= int32(j)
		}
	})
	qd.StreamParallel(func() {})
}

// stores is statements only.
func stores(a, b []int32, v int32) {
	qd.StreamParallel(func() {
		a[0] = v
		a[1] = a[0] + a[1]
		a[2] += a[1]
	})
	qd.StreamParallel(func() {
		b[1] = b[0] - v
		b[0] = b[1] * 3
	})
}

// storeThenBounds ends each scope with a store; what follows it in the next scope is the computing of a bound.
func storeThenBounds(a, b, c, bounds []int32, n int) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] += 1
		}
		a[0] = 7
	})
	qd.StreamParallel(func() {
		for j := range int(bounds[0]) + n/2 {
			b[j] += 10
		}
		b[1] = -b[1]
	})
	qd.StreamParallel(func() {
		for k := range max(n-3, len(c)/2) {
			c[k] ^= int32(k)
		}
		c[2] = c[1]
	})
}

// storedBounds reads bounds that the same scope has just written.
func storedBounds(a, b, bounds []int32) {
	qd.StreamParallel(func() {
		bounds[0] = (bounds[0]*7 + 3) % 1000
		for i := range int(bounds[0]) {
			a[i] += int32(i)
		}
		bounds[0] = (bounds[0]*11 + 5) % 1000
		n := int(bounds[0]) + 1
		for i := range n {
			a[i] ^= 5
		}
		a[n] = int32(n)
	})
	qd.StreamParallel(func() {
		bounds[1] = (bounds[1]*5 + 1) % 1000
		for j := range int(bounds[1]) {
			b[j] += int32(2 * j)
		}
		b[int(bounds[1])] = bounds[1]
	})
}

// reducedBounds iterates as often as a loop of the same scope has counted.
func reducedBounds(a, b []int32, v int32) {
	qd.StreamParallel(func() {
		n := 0
		for i := range a {
			if (a[i]+v)%3 == 0 {
				n++
			}
		}
		for i := range n {
			a[i] += v
		}
		a[0] = int32(n)
	})
	qd.StreamParallel(func() {
		n, last := int32(0), int32(len(b))
		for j := range b {
			n += b[j] & 1
		}
		for j := range int(n) {
			b[j] += last
		}
		b[1] ^= n
	})
}

func collatz(n int64) (steps int32) {
	for n > 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	return steps
}

func clear(x []int32, from, to int) {
	for i := from; i < to; i++ {
		x[i] = 0
	}
}

// functions calls functions at the top of scopes and in their loops.
func functions(a, b []int32, n int) {
	qd.StreamParallel(func() {
		clear(a, 3, n%100)
		for i := range a {
			a[i] += collatz(int64(i))
		}
		a[0] = collatz(int64(n))
	})
	qd.StreamParallel(func() {
		steps := int(collatz(int64(n + 1)))
		for j := range steps {
			b[j] += collatz(int64(n + j))
		}
		clear(b, 100, 200)
	})
}

// serialLoops holds what is no parallel loop: loops that are serialized, that end early, that stand in an if or a for.
func serialLoops(a, b, bounds []int32, limit int32) {
	qd.StreamParallel(func() {
		a[0] = limit
		qd.LoopConfig(qd.Serialize())
		for i := range len(a) - 1 {
			a[i+1] += a[i] * 3
		}
		for i := range a {
			a[i] ^= 1
		}
		for i := 0; i < len(a); i++ {
			if a[i] > limit {
				a[i] -= limit
				break
			}
		}
	})
	qd.StreamParallel(func() {
		if bounds[0]%2 == 0 {
			for j := range b {
				b[j] += 1
			}
		} else {
			b[0] = bounds[0]
		}
		for round := range int(bounds[0]) % 5 {
			for j := range b {
				b[j] += int32(j * round)
			}
		}
		for b[0] > 0 {
			b[0] /= 2
			b[1]++
		}
		for j := range b {
			b[j] ^= 3
		}
		bounds[0]++
	})
}

// ranges has loops over several axes, with bounds from memory.
func ranges(a [][]int32, b, bounds []int32) {
	qd.StreamParallel(func() {
		for i, j := range qd.NDRange2(int(bounds[0]), len(a[0])) {
			a[i][j] += int32(i*100 + j)
		}
		for i, j := range qd.NDRange2(len(a), int(bounds[0])) {
			a[i][j] -= int32(j)
		}
		a[1][2] = bounds[0]
	})
	qd.StreamParallel(func() {
		for p := range qd.NDRange3(int(bounds[1]), 3, int(bounds[2])) {
			b[(p[0]*3+p[1])*int(bounds[2])+p[2]] += int32(p[0] - p[2])
		}
	})
}

type pair struct {
	x [3]int32
	y int64
}

// locals has variables of every shape in its scopes, between the loops and in them.
func locals(a, b []int32, p []pair, n int32) {
	qd.StreamParallel(func() {
		var weights [4]int32
		for k := 0; k < 4; k++ {
			weights[k] = a[k] + int32(k)
		}
		last := pair{x: [3]int32{1, 2, n}, y: 5}
		for i := range a {
			t := weights[i%4]
			a[i] += t*last.x[i%3] + int32(last.y)
		}
	})
	qd.StreamParallel(func() {
		v := b[0]
		v += n
		w := v * 2
		for j := range b {
			k := int32(j)
			k *= w
			b[j] += k
		}
		b[0] = v
	})
	qd.StreamParallel(func() {
		q := p[0]
		q.x[1] += n
		for i := range p {
			p[i].y += int64(q.x[1])
		}
		p[0] = q
	})
}
