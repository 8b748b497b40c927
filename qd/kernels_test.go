package qd_test

import "github.com/quadrants-go/quadrants/qd"

// The kernels that the tests of this package launch.

func double(x []int) {
	for i := range x {
		x[i] *= 2
	}
}

func empty(a, b, c []float32) {}

func axpy(x, y []float32, a float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}

func transpose(to, from [][]int32) {
	for i, j := range qd.NDRange2(len(to), len(to[0])) {
		to[i][j] = from[j][i]
	}
}

func index3(x [][][]int32) {
	for p := range qd.NDRange3(len(x), len(x[0]), len(x[0][0])) {
		x[p[0]][p[1]][p[2]] = int32(100*p[0] + 10*p[1] + p[2])
	}
}

func shift(dst, src []int32, by int) {
	for i := range dst {
		dst[i] = src[i+by]
	}
}

func divide(dst []int32, by int32) {
	for i := range dst {
		dst[i] = 100 / by
	}
}

func pick(src []int32, at int) int32 {
	return src[at]
}

func pickAll(dst, src []int32, at int) {
	for i := range dst {
		dst[i] = pick(src, at)
	}
}

func mustBePositive(x []int32) {
	for i := range x {
		qd.Assert(x[i] > 0, "x[%v] is %v", i, x[i])
	}
}

func scalars(out []float64, b bool, i8 int8, u16 uint16, i int, u uint64, f float32, d float64) {
	for range 1 {
		if b {
			out[0] = 1
		}
		out[1] = float64(i8)
		out[2] = float64(u16)
		out[3] = float64(i)
		out[4] = float64(u)
		out[5] = float64(f)
		out[6] = d
	}
}

type settings struct {
	enabled bool
	scale   float64
	offsets [2]int32
}

func configured(out []float64, s settings) {
	for i := range out {
		if s.enabled {
			out[i] = s.scale * float64(s.offsets[i%2])
		}
	}
}

type simulation struct {
	Position, Velocity *qd.NDArray[float32]
	Grid               *qd.NDArray[int32]
	gravity            float32
	steps              map[string]int // what a kernel cannot use may be there
}

func (s *simulation) Step(dt float32) {
	for i := range s.Position.Len() {
		*s.Velocity.At(i) -= s.gravity * dt
		*s.Position.At(i) += *s.Velocity.At(i) * dt
	}
}

func (s *simulation) Mark() {
	for i, j := range qd.NDRange2(s.Grid.Dim(0), s.Grid.Dim(1)) {
		*s.Grid.At(i, j) = int32(10*i + j)
	}
}

func announce(x []int32) {
	for i := range x {
		if i == 2 {
			qd.Println("x is", x[i])
		}
	}
}

func twoScopes(a, b []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = int32(i)
		}
	})
	qd.StreamParallel(func() {
		for i := range b {
			b[i] = -int32(i)
		}
	})
}

func randoms(x []float32) {
	for i := range x {
		x[i] = qd.Rand[float32]()
	}
}

func count(total []int64, n int) {
	for range n {
		total[0]++
	}
}

func addUp(a, b, c, d, e, f, g, h, i, sum []int32) {
	for n := range sum {
		sum[n] += a[n] + b[n] + c[n] + d[n] + e[n] + f[n] + g[n] + h[n] + i[n]
	}
}

func writeThenFail(x [][]int32) {
	x[0][0] = 5
	for i := range 1 {
		x[0][9] = 1
		x[0][1] = int32(i)
	}
}

func scopeFails(a, b, c []int32) {
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 1
		}
	})
	qd.StreamParallel(func() {
		for i := range b {
			b[i] = c[i+5]
		}
	})
}

func announceEarly(x []int32) {
	const width = 16
	qd.StaticPrint("width", width, width > 8)
	for i := range x {
		x[i] = width
	}
}

func plusOne(a, b []int64) {
	for i := range a {
		a[i] = b[i] + 1
	}
}

func addRows(a, b [][]int64) {
	for i, j := range qd.NDRange2(len(a), len(a[0])) {
		a[i][j] += b[i][j]
	}
}
