//lint:file-ignore SA4011,ST1015 kernels use what the compiler must take

package frontend_test

func integers(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a, b := int64(in[i]), int64(in[(i+7)%len(in)])
		if b == 0 {
			b = 3
		}
		out[i] = a/b + a%b*7 - (a^b)&^0xf | (a & b)
		out[i] += -a + ^b
		out[i]++
	}
}

func shifts(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		s := uint(i)
		out[i] = int64(in[i])<<s ^ int64(in[i]<<s) ^ int64(in[i]>>s) ^ int64(uint32(in[i])>>s)
		var u8 uint8 = uint8(in[i])
		u8 <<= 3
		out[i] += int64(u8 >> 1)
	}
}

func narrow(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a, b := int8(in[i]), uint16(in[i])
		a += 100
		b *= 77
		c := uint8(a) + uint8(b)
		out[i] = int64(a)*1000000 + int64(b)*1000 + int64(c)
		const big = 1 << 40
		out[i] ^= big >> 3
		out[i] += int64(-int8(in[i]))
		out[i] += int64(int16(in[i]) / -1)
	}
}

func comparisons(in []int32, x []float64, out []int64, y []float64) {
	count := func3(1)
	_ = count
	for i := range x {
		v, w := x[i], x[(i+1)%len(x)]
		n := int64(0)
		if v < w {
			n |= 1
		}
		if v <= w {
			n |= 2
		}
		if v == w {
			n |= 4
		}
		if v != w {
			n |= 8
		}
		if v != v {
			n |= 16
		}
		if !(v >= w) {
			n |= 32
		}
		if uint32(in[i]) > 5 && in[i] < 5 {
			n |= 64
		}
		out[i] = n
	}
}

func func3(a int) int { return a * 3 }

func positive(v int32) bool { return v > 0 }

func shortCircuits(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		if i < len(in)-1 && in[i+1] > 0 || i == 3 {
			out[i] = 1
		}
		if in[i] != 0 && 100/in[i] > 1 && positive(in[i]) {
			out[i] += 2
		}
		ok := positive(in[i]) || i > 0 && positive(in[i-1]) || in[i] == 0
		if !ok {
			out[i] += 4
		}
		b := (in[i] > 3) == (in[i] < 100)
		if b {
			out[i] += 8
		}
	}
}

func loops(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		n := 0
		for j := range i {
			if j%3 == 0 {
				continue
			}
			if j > 20 {
				break
			}
			n += j
		}
		for range 3 {
			n++
		}
		for {
			n++
			if n%5 == 0 {
				break
			}
		}
		for n < 100 {
			n += 7
		}
		for j, k := 0, 10; j < k; j, k = j+1, k-1 {
			n += j * k
		}
		out[i] = int64(n)
		for j := range uint8(in[i]) {
			out[i] += int64(j)
			j = 3
		}
	}
}

func countedLoops(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		n := int64(0)
		for j := 3; j < i; j++ {
			n += int64(j)
		}
		for j := int32(-4); j <= in[i]%10; j += 3 {
			n = n*3 + int64(j)
		}
		for j := i; j < len(in); j += 5 {
			n ^= int64(in[j])
		}
		for j := len(in) - 1; j >= i; j-- {
			n += int64(in[j]) * int64(j)
		}
		for j := 0; j < 20; j++ { // j changes in the body
			if j == 10 {
				j = 15
			}
			n++
		}
		limit := 5
		for j := 0; j < limit; j++ { // the bound changes
			if j == 3 && limit < 8 {
				limit++
			}
			n += 2
		}
		for j := uint64(0); j < uint64(i); j++ {
			n++
		}
		for j := range 10 {
			j *= 2
			n += int64(j)
		}
		out[i] = n
	}
}

func labels(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		n := int64(0)
	outer:
		for a := range 10 {
			for b := 0; b < 10; b++ {
				switch {
				case a*b > 30:
					break outer
				case b > a:
					continue outer
				case b == 2:
					break
				default:
					n += int64(a*b) + int64(i)
				}
				n++
			}
		}
	choice:
		switch {
		case n > 50:
			for n > 60 {
				if n%7 == 3 {
					break choice
				}
				n--
			}
			fallthrough
		default:
			n = -n
		}
		out[i] = n
	}
}

func switches(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		switch v := in[i] % 7; v {
		case 0, 1:
			out[i] = 10
		case 2:
			out[i] = 20
		default:
			out[i] = 40
		case 3, func4(4), 5:
			out[i] = 30
			if i%2 == 0 {
				break
			}
			out[i]++
		}
		switch {
		case in[i] > 100, in[i] < -100:
			out[i] += 1000
		case in[i] > 50:
			out[i] += 2000
		}
		switch i {
		}
	}
}

func func4(v int32) int32 { return v }

func fallthroughs(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		n := int64(0)
		switch i % 6 {
		case 0:
			n += 1
			fallthrough
		case 1:
			n += 10
			if i > 30 {
				break
			}
			fallthrough
		default:
			n += 100
		case 3:
			n += 1000
			fallthrough
		case 4:
			n += 10000
		}
		out[i] = n
	}
}

func shadows(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		v := int64(in[i])
		if v := v * 2; v > 0 {
			v := v + 1
			out[i] = v
		} else if w := v - 3; w < -100 {
			out[i] = w
		} else {
			out[i] = v + w
		}
		{
			v := v
			v++
			out[i] += v
		}
		out[i] += v
		const in = 5
		out[i] += in
		type x = int64
		out[i] += x(2)
	}
}

func swaps(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a, b, c := int64(in[i]), int64(i), int64(7)
		a, b, c = b, c, a
		arr := [3]int64{a, b, c}
		arr[0], arr[2] = arr[2], arr[0]
		k := 0
		k, arr[k] = 2, 99
		arr[k], k = int64(k), 1
		out[i] = arr[0] + 3*arr[1] + 5*arr[2] + int64(k)
		p, q := [2]int64{1, 2}, [2]int64{3, 4}
		p, q = q, p
		out[i] += p[0]*1000 + q[1]
		var d, e = b, d0(a)
		out[i] += d - e
	}
}

func d0(a int64) int64 { return a % 13 }

func sign3(v int32) int {
	if v > 0 {
		return 1
	} else if v < 0 {
		return -1
	}
	return 0
}

func find(in []int32, want int32) (int, bool) {
	for i, v := range in {
		if v == want {
			return i, true
		}
		for j := 0; j < i; j++ {
			if j > 3 && in[j] == want+1 {
				return -j, false
			}
		}
	}
	return len(in), false
}

func earlyReturns(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		at, ok := find(in, in[i]/3)
		out[i] = int64(sign3(in[i])*100 + at)
		if ok {
			out[i] += 10000
		}
	}
}

func divmod(a, b int64) (q, r int64) {
	defer0 := b
	if defer0 == 0 {
		return
	}
	q = a / b
	r = a % b
	return
}

func split(v int64) (lo, hi int64) {
	lo, hi = v&0xff, v>>8
	return hi, lo
}

func fib(n int) (r int64) {
	a := int64(1)
	for range n {
		r, a = a, r+a
	}
	return
}

func namedResults(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		q, r := divmod(int64(in[i]), int64(i%5))
		lo, hi := split(int64(in[i]))
		out[i] = q*7 + r + lo*3 + hi + fib(i%40)
	}
}
