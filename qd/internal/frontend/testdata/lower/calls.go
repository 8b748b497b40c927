package main

type vec [2]float32

func (v vec) dot(w vec) float32 { return v[0]*w[0] + v[1]*w[1] }

func first(x []float32, limit float32) (at int, found bool) {
	for i, v := range x {
		if v > limit {
			return i, true
		}
	}
	return -1, false
}

func kernel(x []float32, p []vec, out []int) {
	for i := range out {
		at, found := first(x[i:], p[i].dot(vec{1, 2}))
		if found {
			out[i] = at
		}
	}
}

