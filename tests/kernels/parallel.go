package kernels

import "github.com/quadrants-go/quadrants/qd"

func sumTo(out []int64, wrapped []int32, n int) {
	for i := range n {
		out[0] += int64(i)
		wrapped[0] += int32(i)
		out[1] += 2
		out[2] -= int64(i)
	}
}

func bitReductions(out []uint32, x []uint32) {
	for i := range x {
		out[0] |= x[i] & 0xff
		out[1] &= x[i] | 0xf0
		out[2] ^= x[i]
		out[3] &^= x[i] & 0x10
	}
}

func minMax[T qd.Number](lo, hi, x []T) {
	for i := range x {
		qd.AtomicMin(&lo[0], x[i])
		qd.AtomicMax(&hi[0], x[i])
	}
}

func histogramOf(counts []int32, n int) {
	for i := range n {
		counts[i*i%13]++
	}
}

func tickets(counter []int32, taken []int32) {
	for i := range taken {
		t := qd.AtomicAdd(&counter[0], 1)
		qd.AtomicAdd(&taken[t], 1)
		_ = i
	}
}

func otherAtomics(x []uint32, f []float32) {
	for i := range 64 {
		qd.AtomicOr(&x[0], 1<<(uint(i)%32))
		qd.AtomicXor(&x[1], uint32(i))
		qd.AtomicAnd(&x[2], ^uint32(1<<(uint(i)%8)))
		qd.AtomicSub(&x[3], 2)
		f[i%4] += 0.5
		qd.AtomicAdd(&f[4], 1)
	}
}

// ownElements updates elements that belong to the iteration alone.
func ownElements(x []int32, v []vec2) {
	for i := range x {
		x[i] += int32(i)
		x[i] |= 1
		v[i][0] += 2
		v[i][1] -= float32(i)
	}
}

// twoWriters updates every element from two iterations.
func twoWriters(x []int64) {
	for i := range x {
		x[i] += int64(i)
		x[len(x)-1-i] += 1000
	}
}

func ranges2(out [][]int32, count []int32) {
	for i, j := range qd.NDRange2(len(out), len(out[0])) {
		out[i][j] = int32(i*1000 + j)
		count[0]++
	}
}

func ranges3(out [][][]int32) {
	for p := range qd.NDRange3(len(out), len(out[0]), len(out[0][0])) {
		out[p[0]][p[1]][p[2]] += int32(p[0]*100 + p[1]*10 + p[2])
	}
}

func emptyRanges(count []int32, zero, negative int) {
	for range zero {
		count[0]++
	}
	for range negative {
		count[0]++
	}
	for i, j := range qd.NDRange2(zero, 4) {
		count[0] += int32(i + j)
	}
	for range 3 {
		for range zero {
			count[0]++
		}
	}
}

// ordered gives the same result only if its iterations run in order.
func ordered(out []int32, n int) {
	qd.LoopConfig(qd.Serialize())
	for i := range n {
		out[0] = out[0]*7 + int32(i)
	}
	qd.LoopConfig(qd.Name("plain"), qd.BlockDim(64))
	for i := range out {
		out[i] += 1
	}
}

func relax(next, cur [][]float32) {
	for i, j := range qd.NDRange2(len(cur), len(cur[0])) {
		if i == 0 || j == 0 || i == len(cur)-1 || j == len(cur[0])-1 {
			next[i][j] = cur[i][j]
			continue
		}
		next[i][j] = 0.25 * (cur[i-1][j] + cur[i+1][j] + cur[i][j-1] + cur[i][j+1])
	}
}

func multiply(c, a, b [][]float64) {
	for i, j := range qd.NDRange2(len(c), len(c[0])) {
		var s float64
		for k := range len(b) {
			s += a[i][k] * b[k][j]
		}
		c[i][j] = s
	}
}

func parallelCases() []Case {
	return []Case{
		{Name: "sumTo", Kernel: sumTo, Args: func() []any { return []any{make([]int64, 3), make([]int32, 1), 1000000} }},
		{Name: "bitReductions", Kernel: bitReductions, Args: func() []any { return []any{[]uint32{0, ^uint32(0), 0, 0x1f}, ints[uint32](5000)} }},
		{Name: "minMax/int32", Kernel: minMax[int32], Args: func() []any { return []any{[]int32{5}, []int32{5}, ints[int32](5000)} }},
		{Name: "minMax/uint64", Kernel: minMax[uint64], Args: func() []any { return []any{[]uint64{5}, []uint64{5}, ints[uint64](5000)} }},
		{Name: "minMax/float64", Kernel: minMax[float64], Args: func() []any { return []any{[]float64{5}, []float64{5}, floats[float64](5000)} }},
		{Name: "minMax/int8", Kernel: minMax[int8], Args: func() []any { return []any{[]int8{5}, []int8{5}, ints[int8](500)} }},
		{Name: "histogramOf", Kernel: histogramOf, Args: func() []any { return []any{make([]int32, 13), 1000} }},
		{Name: "tickets", Kernel: tickets, Args: func() []any { return []any{make([]int32, 1), make([]int32, 3000)} }},
		{Name: "otherAtomics", Kernel: otherAtomics, Args: func() []any { return []any{[]uint32{0, 0, ^uint32(0), 7}, make([]float32, 5)} }},
		{Name: "ownElements", Kernel: ownElements, Args: func() []any { return []any{make([]int32, 5000), make([]vec2, 5000)} }},
		{Name: "twoWriters", Kernel: twoWriters, Args: func() []any { return []any{make([]int64, 5001)} }},
		{Name: "ranges2", Kernel: ranges2, Args: func() []any {
			return []any{grid(37, 53, func(int, int) int32 { return 0 }), make([]int32, 1)}
		}},
		{Name: "ranges3", Kernel: ranges3, Args: func() []any {
			g := make([][][]int32, 7)
			for i := range g {
				g[i] = grid(11, 13, func(i, j int) int32 { return int32(i - j) })
			}
			return []any{g}
		}},
		{Name: "emptyRanges", Kernel: emptyRanges, Args: func() []any { return []any{make([]int32, 1), 0, -5} }},
		{Name: "ordered", Kernel: ordered, Args: func() []any { return []any{make([]int32, 4), 12} }},
		{Name: "relax", Kernel: relax, Ulps: 4, Args: func() []any {
			f := func(i, j int) float32 { return float32(i*j%19) / 3 }
			return []any{grid(33, 47, f), grid(33, 47, f)}
		}},
		{Name: "multiply", Kernel: multiply, Ulps: 64, Args: func() []any {
			f := func(i, j int) float64 { return float64(i*3+j%5) / 7 }
			return []any{grid(9, 11, f), grid(9, 7, f), grid(7, 11, f)}
		}},
	}
}
