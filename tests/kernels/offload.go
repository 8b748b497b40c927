package kernels

// crossing computes a sum in one task and reads it in the next.
func crossing(out []int64, n int) {
	var s int64
	for i := range n {
		s += int64(i)
	}
	for j := range 10 {
		out[j] = s + int64(j)
	}
}

func serialBetween(out []int32, x []int32) {
	for i := range x {
		x[i] += int32(i)
	}
	first, last := x[0], x[len(x)-1]
	scale := last - first
	if scale < 0 {
		scale = -scale
	}
	v := vec2{float32(first), float32(scale)}
	v[0]++
	for i := range out {
		out[i] = x[i]*scale + int32(v[0]+v[1])
	}
	out[0] = 7
	x[0] = out[1]
}

func dynamicBounds(out []int32, bounds []int32) {
	for i := range int(bounds[0]) {
		out[i]++
	}
	bounds[0] /= 2
	n := int(bounds[0]) + 1
	for i := range n {
		out[i] += 10
	}
	for i := range out {
		for j := range i {
			out[i] += int32(j)
		}
	}
}

func earlyReturn(out []int32, n int) {
	if n < 0 {
		out[0] = -1
		return
	}
	for i := range n {
		out[i] = 1
	}
	if n > 5 {
		out[n-1] = 9
		return
	}
	for i := range out {
		out[i] += 100
	}
}

func serialLoops(out []int32) {
	for i := 1; i < len(out); i++ {
		out[i] = out[i-1]*3 + int32(i)
	}
	if len(out) > 3 {
		for i := range out { // serial: not at the top level
			out[i]++
		}
	}
}

func accumulators(out []float64, ints []int64, x []float64) {
	var sum, product float64 = 0, 1
	low := x[0]
	var count int64
	for i := range x {
		sum += x[i]
		product *= 1 + x[i]*1e-6
		if x[i] > 0 {
			count++
		}
	}
	for i := 0; i < len(x); i++ {
		low = min(low, x[i])
	}
	out[0], out[1], out[2] = sum, product, low
	ints[0] = count
}

func offloadCases() []Case {
	return []Case{
		{Name: "crossing", Kernel: crossing, Args: func() []any { return []any{make([]int64, 10), 100} }},
		{Name: "serialBetween", Kernel: serialBetween, Args: func() []any { return []any{make([]int32, 30), small[int32](30)} }},
		{Name: "dynamicBounds", Kernel: dynamicBounds, Args: func() []any { return []any{make([]int32, 50), []int32{30}} }},
		{Name: "earlyReturn/negative", Kernel: earlyReturn, Args: func() []any { return []any{make([]int32, 10), -3} }},
		{Name: "earlyReturn/long", Kernel: earlyReturn, Args: func() []any { return []any{make([]int32, 10), 7} }},
		{Name: "earlyReturn/short", Kernel: earlyReturn, Args: func() []any { return []any{make([]int32, 10), 3} }},
		{Name: "serialLoops", Kernel: serialLoops, Args: func() []any { return []any{make([]int32, 15)} }},
		{Name: "accumulators", Kernel: accumulators, Ulps: 1 << 16, Args: func() []any {
			return []any{make([]float64, 3), make([]int64, 1), floats[float64](3000)}
		}},
	}
}
