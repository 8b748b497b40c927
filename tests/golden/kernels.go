// Package golden holds kernels whose intermediate representation is kept as files, stage by stage.
package golden

import (
	"embed"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

// saxpy: its own elements are updated plainly, and its checks move to the guard.
func saxpy(x, y []float32, a float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}

// total: a reduction to one cell.
func total(sum, x []float32) {
	for i := range x {
		sum[0] += x[i]
	}
}

// histogram: atomics that must stay.
func histogram(counts []int32, keys []uint8) {
	for i := range keys {
		counts[keys[i]]++
	}
}

// relax: every check is proven by the loop's range and the conditions.
func relax(next, cur [][]float32) {
	for i, j := range qd.NDRange2(len(cur), len(cur[0])) {
		if i == 0 || j == 0 || i == len(cur)-1 || j == len(cur[0])-1 {
			next[i][j] = cur[i][j]
			continue
		}
		next[i][j] = 0.25 * (cur[i-1][j] + cur[i+1][j] + cur[i][j-1] + cur[i][j+1])
	}
}

// crossing: a value that one task computes and others read, and a bound read from memory.
func crossing(out []int64, bound []int32) {
	var s int64
	for i := range int(bound[0]) {
		s += int64(i)
	}
	twice := s * 2
	for j := range out {
		out[j] = twice + s
	}
}

type pair struct {
	a int32
	b [2]float64
}

func scaled(p pair, by float64) (pair, bool) {
	if by == 0 {
		return p, false
	}
	p.b[0] *= by
	p.b[1] *= by
	return p, true
}

// aggregates: structs, calls with early returns, division.
func aggregates(p []pair, n int32) {
	for i := range p {
		if q, ok := scaled(p[i], float64(i)); ok {
			q.a /= n
			p[i] = q
		}
	}
}

// scopes: two groups, one with a bound computed in it.
func scopes(a, b []float32, bound []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 1
		}
		for i := range a {
			a[i] += 2
		}
	})
	qd.StreamParallel(func() {
		b[0] = -1
		for j := range int(bound[0]) {
			b[j] += 10
		}
	})
}
