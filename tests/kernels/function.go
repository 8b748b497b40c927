package kernels

func square(x float32) float32 { return x * x }

func divMod(a, b int32) (q, r int32) {
	if b == 0 {
		return
	}
	q = a / b
	r = a - q*b
	return q, r
}

func sign(x int32) int32 {
	if x < 0 {
		return -1
	}
	if x > 0 {
		return 1
	}
	return 0
}

func firstOver(x []int32, limit int32) (int, bool) {
	for i, v := range x {
		if v > limit {
			return i, true
		}
	}
	return -1, false
}

func digits(n int32) (count int32) {
	for {
		count++
		n /= 10
		if n == 0 {
			return
		}
	}
}

func mutateCopy(v [3]int32) int32 {
	v[0] = 99
	return v[0] + v[1]
}

func calls(out []int32, x []int32) {
	for i := range out {
		q, r := divMod(x[i], 7)
		z, _ := divMod(x[i], 0)
		out[i] = q*10 + r + z + sign(x[i])*1000 + digits(x[i])
	}
}

func callsWithSlices(out []int32, x []int32) {
	for i := range out {
		at, found := firstOver(x, int32(i))
		if found {
			out[i] = int32(at)
		} else {
			out[i] = -5
		}
	}
}

func byValue(out []int32) {
	for i := range out {
		v := [3]int32{1, int32(i), 3}
		out[i] = mutateCopy(v)*100 + v[0]
	}
}

type counter struct {
	n    int32
	step int32
}

func (c counter) next() int32 { return c.n + c.step }

func (c *counter) add(n int32) { c.n += n }

func methods(out []int32) {
	for i := range out {
		c := counter{step: int32(i)}
		for range 3 {
			c.add(2)
			c.n = c.next()
		}
		out[i] = c.n
	}
}

func nested3(x float32) float32 { return square(square(x)+1) - square(x) }

func deepCalls(out, x []float32) {
	for i := range out {
		out[i] = nested3(nested3(x[i]) / 100)
	}
}

func bump(x *int32, by int32) int32 {
	*x += by
	return *x
}

func effects(out []int32) {
	for i := range out {
		var n int32
		a, b := bump(&n, 1), bump(&n, 10)
		if i > 3 && bump(&n, 100) > 0 || bump(&n, 1000) > 0 {
			n++
		}
		out[i] = n + a*3 + b*5
	}
}

func functionCases() []Case {
	return []Case{
		{Name: "calls", Kernel: calls, Args: func() []any { return []any{make([]int32, 60), ints[int32](60)} }},
		{Name: "callsWithSlices", Kernel: callsWithSlices, Args: func() []any { return []any{make([]int32, 12), small[int32](20)} }},
		{Name: "byValue", Kernel: byValue, Args: func() []any { return []any{make([]int32, 12)} }},
		{Name: "methods", Kernel: methods, Args: func() []any { return []any{make([]int32, 12)} }},
		{Name: "deepCalls", Kernel: deepCalls, Ulps: 256, Args: func() []any { return []any{make([]float32, 40), floats[float32](40)} }},
		{Name: "effects", Kernel: effects, Args: func() []any { return []any{make([]int32, 12)} }},
	}
}
