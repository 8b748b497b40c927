package main

import "github.com/quadrants-go/quadrants/qd"

// The sizes of the workloads; the C twins get the same. On a GPU some are larger, see sizesOnGPU.
var (
	nVector    = 1 << 24
	nHistogram = 1 << 22
	nGrid      = 2048
	nMatrix    = 512
	nBodies    = 4096
)

const (
	nSmall     = 1 << 14
	bins       = 256
	nImage     = 1024
	iterations = 200
	nLCG       = 4096
	particles  = 8192
	cells      = 128
)

func empty(a, b, c []float32) {}

func fill(y []float32) {
	for i := range y {
		y[i] = 1
	}
}

func copyTo(y, x []float32) {
	for i := range y {
		y[i] = x[i]
	}
}

func saxpy(y, x []float32, a float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}

func reduce(total, x []float32) {
	for i := range x {
		total[0] += x[i]
	}
}

func histogram(counts, keys []int32) {
	for i := range keys {
		counts[keys[i]]++
	}
}

func stencil(next, cur [][]float32) {
	for i, j := range qd.NDRange2(len(cur), len(cur[0])) {
		if i == 0 || j == 0 || i == len(cur)-1 || j == len(cur[0])-1 {
			next[i][j] = cur[i][j]
			continue
		}
		next[i][j] = 0.25 * (cur[i-1][j] + cur[i+1][j] + cur[i][j-1] + cur[i][j+1])
	}
}

func matmul(c, a, b [][]float32) {
	n := len(b)
	for i, j := range qd.NDRange2(len(c), len(c[0])) {
		var s float32
		for k := range n {
			s += a[i][k] * b[k][j]
		}
		c[i][j] = s
	}
}

type vec3 [3]float32

func nbody(acc, pos []vec3) {
	for i := range acc {
		var s vec3
		q := pos[i]
		for j := range pos {
			p := pos[j]
			dx, dy, dz := p[0]-q[0], p[1]-q[1], p[2]-q[2]
			r2 := dx*dx + dy*dy + dz*dz + 0.01
			f := 1 / (r2 * qd.Sqrt(r2))
			s[0] += f * dx
			s[1] += f * dy
			s[2] += f * dz
		}
		acc[i] = s
	}
}

func mandelbrot(image [][]int32) {
	for i, j := range qd.NDRange2(nImage, nImage) {
		cr := -2 + 2.5*float32(j)/nImage
		ci := -1.25 + 2.5*float32(i)/nImage
		var zr, zi float32
		var n int32
		for n < iterations && zr*zr+zi*zi < 4 {
			t := zr*zr - zi*zi + cr
			zi = 2*zr*zi + ci
			zr = t
			n++
		}
		image[i][j] = n
	}
}

// generate steps a linear congruential generator: work for one core, or one thread of a GPU.
func generate(v int32, steps int) int32 {
	for range steps {
		v = int32((1664525*int64(v) + 1013904223) % 2147483647)
	}
	return v
}

func lcg(x []int32) {
	for i := range x {
		x[i] = generate(x[i], 1000)
	}
}
