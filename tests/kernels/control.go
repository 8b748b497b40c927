package kernels

func loopForms(out []int32, n int) {
	for i := range n {
		var s int32
		for j := 0; j < i; j++ {
			s += int32(j)
		}
		for j := i; j > 0; j -= 2 {
			s ^= int32(j)
		}
		j := 0
		for j*j < i {
			j++
		}
		s += int32(j) * 1000
		for {
			s += 7
			if s%5 == 0 {
				break
			}
		}
		for range 3 {
			s++
		}
		for k := range int32(4) {
			s += k
		}
		for a, b := 0, 10; a < b; a, b = a+1, b-1 {
			s += int32(a * b)
		}
		for j := 0; j <= 6; j += 3 {
			s -= int32(j)
		}
		out[i] = s
	}
}

func labels(out []int32, n int) {
	for i := range n {
		var s int32
	outer:
		for a := range 10 {
			for b := range 10 {
				if a*b == i {
					continue outer
				}
				if a+b > i {
					break outer
				}
				s += int32(a*10 + b)
			}
			s++
		}
		out[i] = s
	}
}

func continues(out []int32) {
	for i := range out {
		if i%3 == 0 {
			continue
		}
		for j := range 10 {
			if j%2 == 0 {
				continue
			}
			out[i] += int32(j)
		}
		if i%5 == 0 {
			continue
		}
		out[i] = -out[i]
	}
}

// modified assigns its loop variable, and a bound that is captured once.
func modified(out []int32) {
	for range 1 {
		n := 5
		for i := range n {
			n = 100
			i += 2
			out[i] = int32(n)
		}
		count := 0
		for i := 0; i < 20; i++ {
			if i%4 == 0 {
				i += 2
			}
			count++
		}
		out[8] = int32(count)
		limit := 10
		for i := 0; i < limit; i++ {
			limit--
			out[9]++
		}
	}
}

// wrapping counts with indices that pass the largest value of their type.
func wrapping(out []int32) {
	for i := range out {
		for j := uint8(250); j <= 254; j += 3 { // 250, 253, 0, 3, …: ends by the break alone
			out[i] += int32(j)
			if out[i] > 2000+int32(i) {
				break
			}
		}
		for j := int8(120); j <= 126; j += 4 {
			out[i] -= int32(j)
			if out[i] < 500 {
				break
			}
		}
	}
}

func primes(count []int32, n int) {
	for i := range n {
		if i < 2 {
			continue
		}
		prime := true
		for j := 2; j*j <= i; j++ {
			if i%j == 0 {
				prime = false
				break
			}
		}
		if prime {
			count[0]++
		}
	}
}

func shortCircuit(out []int32, x []int32) {
	for i := range out {
		if x[i] != 0 && 10/x[i] > 1 {
			out[i] = 1
		}
		if i >= len(x)-1 || x[i+1] > 3 {
			out[i] += 2
		}
	}
}

func shadowing(out []int32) {
	for i := range out {
		x := int32(i)
		if x := x * 2; x > 10 {
			x := x + 1
			out[i] = x
		} else if y := x + 3; y%2 == 0 {
			out[i] = y
		} else {
			out[i] = x - y
		}
		out[i] += x
	}
}

func constants(out []float64) {
	const big = 1 << 40
	const third = 1.0 / 3
	type local = float64
	for i := range out {
		out[i] = local(big>>38)*third + float64(i)*1e-3 + 'a' + 0x1p-2
	}
}

func countdown(out []int64, n uint8) {
	for i := range n {
		out[i] = int64(n - i)
	}
	for range out {
	}
}

// fib is serial: three-clause loops are.
func fib(out []int32, out64 []int64) {
	a, b := int32(0), int32(1)
	for i := 0; i < 50; i++ {
		a, b = b, a+b
	}
	out[0] = a
	c, d := int64(0), int64(1)
	for i := 0; i < 90; i++ {
		c, d = d, c+d
	}
	out64[0] = c
}

func controlCases() []Case {
	return []Case{
		{Name: "loopForms", Kernel: loopForms, Args: func() []any { return []any{make([]int32, 50), 50} }},
		{Name: "labels", Kernel: labels, Args: func() []any { return []any{make([]int32, 30), 30} }},
		{Name: "continues", Kernel: continues, Args: func() []any { return []any{make([]int32, 40)} }},
		{Name: "modified", Kernel: modified, Args: func() []any { return []any{make([]int32, 10)} }},
		{Name: "wrapping", Kernel: wrapping, Args: func() []any { return []any{make([]int32, 5)} }},
		{Name: "primes", Kernel: primes, Args: func() []any { return []any{make([]int32, 1), 10000} }},
		{Name: "shortCircuit", Kernel: shortCircuit, Args: func() []any { return []any{make([]int32, 6), []int32{0, 1, 4, 5, 6, 0}} }},
		{Name: "shadowing", Kernel: shadowing, Args: func() []any { return []any{make([]int32, 20)} }},
		{Name: "constants", Kernel: constants, Ulps: 2, Args: func() []any { return []any{make([]float64, 20)} }},
		{Name: "countdown", Kernel: countdown, Args: func() []any { return []any{make([]int64, 200), uint8(200)} }},
		{Name: "fib", Kernel: fib, Args: func() []any { return []any{make([]int32, 1), make([]int64, 1)} }},
	}
}
