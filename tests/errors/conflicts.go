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
			a[j] = a[j] + 2 // ERROR "conflict: scope 2 writes elements of a that scope 1 also writes .conflicts.go:8."
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
		a[0] = 1 // ERROR "conflict: scope 2 writes a.0., which scope 1 reads .conflicts.go:21."
	})
}

func BadAtomicAndPlain(a []float32, sum []float32) {
	qd.StreamParallel(func() {
		for i := range a {
			sum[0] += a[i]
		}
	})
	qd.StreamParallel(func() {
		a[0] = sum[0] // ERROR "conflict: scope 2 (writes a.0., which scope 1 reads|reads sum.0., which scope 1 updates) .conflicts.go:32."
	})
}

func BadRangeValue(a, b []float32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 1
		}
	})
	qd.StreamParallel(func() {
		for i, v := range a { // ERROR "conflict: scope 2 reads elements of a that scope 1 writes"
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
				a[i][j] = 2 // ERROR "conflict: scope 2 writes elements of a"
			}
		}
	})
}

func BadRowAndColumn(a [][]float32) {
	qd.StreamParallel(func() {
		for j := range a[0] {
			a[2][j] = 1
		}
	})
	qd.StreamParallel(func() {
		for i := range a {
			a[i][3] = 2 // ERROR "conflict: scope 2 writes elements of a that scope 1 also writes"
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
			a[i] = particle{} // ERROR "conflict: scope 3 writes elements of a that scope 1 also writes"
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
			*s.Dens.At(i) *= 2 // ERROR "conflict: scope 2 writes elements of s.Dens that scope 1 also writes"
		}
	})
}

func setFirst(a []float32) {
	a[0] = 1 // ERROR "conflict: scope 2 writes a.0., which scope 1 also writes .conflicts.go:.*, called at conflicts.go:"
}

func BadFunction(a []float32) {
	qd.StreamParallel(func() {
		setFirst(a)
	})
	qd.StreamParallel(func() {
		setFirst(a)
	})
}

func BadViews(a []float32) {
	qd.StreamParallel(func() {
		low := a[:6]
		for i := range low {
			low[i] = 1
		}
	})
	qd.StreamParallel(func() {
		high := a[5:9]
		for i := range high {
			high[i] = 2 // ERROR "conflict: scope 2 writes elements of a that scope 1 also writes"
		}
	})
}

func BadStencil(a, b []float32) {
	qd.StreamParallel(func() {
		for i := range len(a) - 2 {
			b[i+1] = (a[i] + a[i+2]) / 2
		}
	})
	qd.StreamParallel(func() {
		a[0], a[len(a)-1] = 0, 0 // ERROR "conflict: scope 2 writes (a.0., which|elements of a that) scope 1 reads"
	})
}

func BadPromise(a []float32) {
	qd.AssumeDisjoint(a, a)
	qd.StreamParallel(func() { a[0] = 1 })
	qd.StreamParallel(func() { a[0] = 2 }) // ERROR "conflict: scope 2 writes a.0."
}

func BadAssumptions(a []float32, p []particle, n int) {
	qd.AssumeDisjoint(a, n)        // ERROR "AssumeDisjoint takes arrays that are parameters"
	qd.AssumeDisjoint(p[0].pos, a) // ERROR "AssumeDisjoint takes arrays that are parameters"
	qd.StreamParallel(func() { a[0] = 1 })
}

func WarnsOfCondition(b []float32, n int) {
	qd.StreamParallel(func() {
		for i := range n {
			if i%2 == 0 {
				b[i] = 1
			}
		}
	})
	qd.StreamParallel(func() {
		for i := range n {
			if i%2 == 0 {
				continue
			}
			b[i] = 2 // ERROR "possible conflict: scope 2 writes elements of b that scope 1 may also write .conflicts.go:"
		}
	})
}

func WarnsOfScatter(a []float32, at []int32, n int) {
	qd.StreamParallel(func() {
		for i := range at {
			a[at[i]] = 1
		}
	})
	qd.StreamParallel(func() {
		a[n] = 2 // ERROR "possible conflict: scope 2 writes elements of a that scope 1 may also write"
	})
}

func WarnsOfChangedIndex(a []float32, n int) {
	qd.StreamParallel(func() {
		for i := range n {
			a[i] = 1
		}
	})
	qd.StreamParallel(func() {
		for i := range 4 {
			i += n
			a[i] = 2 // ERROR "possible conflict: scope 2 writes elements of a that scope 1 may also write"
		}
	})
}

func GoodPromise(a []float32, at []int32, n int) {
	qd.AssumeDisjoint(a, a[1:])
	qd.StreamParallel(func() {
		for i := range at {
			a[at[i]] = 1
		}
	})
	qd.StreamParallel(func() {
		a[n] = 2
	})
}

func (s *Sim) GoodPromise(a []float32, n int) {
	qd.AssumeDisjoint(s.Dens, s.Dens)
	qd.AssumeDisjoint((s.Dens), a)
	qd.StreamParallel(func() {
		*s.Dens.At(n) = 1
	})
	qd.StreamParallel(func() {
		*s.Dens.At(n + len(a)) = 2
	})
}

func GoodDisjoint(a, b []float32, m [][]float32, p []particle, n int) {
	qd.StreamParallel(func() {
		a[0] = 1
		for i := range n {
			b[2*i] = 1
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
			b[2*i+1] = 2
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

func GoodHalves(a, b []float32, n int) {
	qd.StreamParallel(func() {
		for i := range len(a) / 2 {
			a[i] = 1
		}
		low := b[:n]
		for i := range low {
			low[i] = 1
		}
	})
	qd.StreamParallel(func() {
		for i := len(a) / 2; i < len(a); i++ {
			a[i] = 2
		}
		high := b[n:]
		for i := range high {
			high[i] = 2
		}
	})
}

func GoodInterior(a []float32) {
	qd.StreamParallel(func() {
		for i := range len(a) - 2 {
			a[i+1] = 1
		}
	})
	qd.StreamParallel(func() {
		a[0] = 2
		a[len(a)-1] = 3
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
	})
}
