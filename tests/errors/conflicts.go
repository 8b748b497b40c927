package kernels

import "github.com/quadrants-go/quadrants/qd"

func BadBothWrite(a []float32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 1
		}
	})
	qd.StreamParallel(func() {
		for j := range len(a) {
			a[j] = a[j] + 2 // ERROR "conflict: a.j. is .* also written at conflicts.go:8"
		}
	})
}

func BadReadThenWrite(a, b []float32, n int) {
	qd.StreamParallel(func() {
		for i := range n {
			b[i] = a[i]
		}
	})
	qd.StreamParallel(func() {
		a[0] = 1 // ERROR "conflict: a.0. is written here and also read at conflicts.go:21"
	})
}

func BadAtomicAndPlain(a []float32, sum []float32) {
	qd.StreamParallel(func() {
		for i := range a {
			sum[0] += a[i]
		}
	})
	qd.StreamParallel(func() {
		a[0] = sum[0] // ERROR "conflict: (sum|a).0."
	})
}

func BadRangeValue(a, b []float32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 1
		}
	})
	qd.StreamParallel(func() {
		for i, v := range a { // ERROR "conflict: a.…. is read"
			b[i] = v
		}
	})
}

func BadTwoDimensions(a [][]float32) {
	qd.StreamParallel(func() {
		for i, j := range qd.NDRange2(len(a), len(a[0])) {
			a[i][j] = 1
		}
	})
	qd.StreamParallel(func() {
		for i := range a {
			for j := range a[i] {
				a[i][j] = 2 // ERROR "conflict: a.i..j."
			}
		}
	})
}

func BadThreeScopes(a []particle) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i].tag = 1
		}
	})
	qd.StreamParallel(func() {
		for i := range a {
			a[i].pos[0] = 1
		}
	})
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = particle{} // ERROR "conflict: a.i. is written"
		}
	})
}

func (s *Sim) BadFields(t float32) {
	qd.StreamParallel(func() {
		for i := range s.Dens.Len() {
			*s.Dens.At(i) = t
		}
	})
	qd.StreamParallel(func() {
		for i := range s.Dens.Len() {
			*s.Dens.At(i) *= 2 // ERROR "conflict.*s.Dens.At"
		}
	})
}

func GoodDisjoint(a, b []float32, m [][]float32, p []particle, n int) {
	qd.StreamParallel(func() {
		a[0] = 1
		for i := range n {
			if i%2 == 0 {
				b[i] = 1
			}
		}
		for i := range p {
			p[i].pos[0] = 1
		}
		for j := range m[0] {
			m[0][j] = 1
		}
	})
	qd.StreamParallel(func() {
		a[1] = 1
		for i := range n {
			if i%2 == 0 {
				continue
			}
			b[i] = 2
		}
		for i := range p {
			p[i].pos[1] = 1
			p[i].tag++
		}
		for j := range m[1] {
			m[1][j] = 1
		}
	})
}

func GoodAtomics(a, hist []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			hist[0] += a[i]
			qd.AtomicAdd(&hist[1], a[i])
		}
	})
	qd.StreamParallel(func() {
		for i := range a {
			hist[1]++
			hist[0] -= a[i]
		}
	})
}

func GoodShifted(a []float32, n int) {
	qd.StreamParallel(func() {
		for i := range n {
			a[i] = 1
		}
	})
	qd.StreamParallel(func() {
		for i := range n {
			a[i+n] = 1
		}
		for i := range 4 {
			i += n
			a[i] = 2
		}
	})
}
