package frontend_test

import (
	"math"
	"math/bits"

	"github.com/quadrants-go/quadrants/qd"
)

var kernels = []kernelFunc{
	integers, shifts, narrow, comparisons, shortCircuits, loops, countedLoops, labels, switches, fallthroughs, shadows,
	swaps, earlyReturns, namedResults, generics, methods, embedded, arraysByValue, rangeCopies, literals, slices, moving,
	copies, pointers, movingPointers, equality, floats, minMax, conversions, single, bitFunctions, wideProducts, reductions, histogram,
	deviceFunctions, halves, ranges, constants, serialLoop, closures3, aggregateResults, sliceResults, aliasing,
}

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

type number interface{ ~int32 | ~int64 | ~float64 }

func sum[T number](a []T) T {
	var s T
	for _, v := range a {
		s += v
	}
	return s
}

type pair[A, B number] struct {
	a A
	b B
}

func (p pair[A, B]) total() float64 { return float64(p.a) + float64(p.b) }

func makePair[A, B number](a A, b B) pair[A, B] { return pair[A, B]{a: a, b: b} }

func twice[T number](v T) T { return T(2) * v }

func generics(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		out[i] = int64(sum(in[i:]))
		y[i] = makePair(in[i], int64(i)).total() + twice(1.5) + float64(twice(int32(i))) + sum(x[4:i/2+4])
	}
}

type counter struct {
	n    int64
	step int64
}

func (c *counter) next() int64 { c.n += c.step; return c.n }
func (c counter) peek() int64  { c.n += 1000; return c.n }
func (c *counter) reset()      { *c = counter{step: c.step} }
func (c counter) with(s int64) counter {
	c.step = s
	return c
}

type celsius float64

func (c celsius) kelvin() float64 { return float64(c) + 273.15 }

func methods(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		c := counter{step: int64(i)}
		c.next()
		d := c.with(3)
		d.next()
		out[i] = c.next() + c.peek() + c.n + d.n*10
		c.reset()
		out[i] += c.n + c.step + counter.peek(d)
		p := &d
		p.next()
		(*counter).next(p)
		out[i] += d.n + p.peek()
		y[i] = celsius(x[i]).kelvin()
	}
}

type base struct {
	id  int64
	pos [2]float64
}

func (b base) tag() int64 { return b.id * 3 }
func (b *base) bump()     { b.id++ }

type body struct {
	base
	mass  float64
	inner struct{ a, b int8 }
	flag  bool
}

func embedded(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		b := body{base: base{id: int64(in[i]), pos: [2]float64{x[i], 2}}, mass: 3}
		b.bump()
		b.pos[1] += 5
		b.inner.a, b.inner.b = int8(i), -1
		b.flag = b.inner.a > b.inner.b
		out[i] = b.tag() + b.id + int64(b.inner.a)*int64(b.inner.b)
		if b.flag {
			out[i]++
		}
		y[i] = b.pos[0]*b.mass + b.base.pos[1]
		c := b
		c.id = 5
		out[i] += b.id - c.id
	}
}

func changeArray(a [4]int64, v int64) [4]int64 {
	a[1] = v
	return a
}

func first4(a [4]int64) int64 { return a[0] + a[3] }

func arraysByValue(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := [4]int64{1, 2, 3, int64(i)}
		b := changeArray(a, int64(in[i]))
		a[0] = 50
		c := a
		c[2] = 7
		out[i] = first4(a) + first4(b)*10 + b[1] + c[2] - a[2]
		m := [2][3]int64{{1, 2, 3}, {4, 5, int64(i)}}
		row := m[1]
		m[1][2] = 8
		m[0] = row
		out[i] += m[0][2] + m[1][2]*3 + row[0]
		k := i % 3
		out[i] += m[1][k]
	}
}

func rangeCopies(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := [5]int64{1, 2, 3, 4, 5}
		n := int64(0)
		for j, v := range a {
			a[4] = 100
			n += v * int64(j+1)
		}
		for j, v := range &a {
			a[4] = 7
			n += v * int64(j+1)
		}
		for j := range a {
			a[j] += n
		}
		var last int
		var value int64
		for last, value = range a {
			if last == 3 {
				break
			}
		}
		out[i] = n + int64(last)*1000000 + value
		for i, v := range in[:4] {
			n += int64(v) * int64(i)
		}
		out[i] += n
	}
}

type node struct {
	v    [2]int32
	next struct{ k int64 }
	w    float64
}

func literals(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := [...]int64{5: 6, 1: 2, 3}
		n := node{v: [2]int32{1: in[i]}, w: x[i]}
		n.next.k = 4
		nodes := [2]node{{[2]int32{1, 2}, struct{ k int64 }{9}, 1}, n}
		out[i] = a[1]*100 + a[2]*10 + a[5] + int64(len(a)) + int64(nodes[1].v[1]) + nodes[0].next.k + nodes[i%2].next.k
		y[i] = nodes[1].w + nodes[0].w
		a = [6]int64{a[5], a[1]}
		out[i] += a[0]*7 + a[1] + a[5]
	}
}

func total(a []int32) (n int64) {
	for _, v := range a {
		n += int64(v)
	}
	return n
}

func slices(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		s := in[i/2 : i/2+8]
		n := total(s) + total(s[2:5])*3 + int64(len(s)) + int64(len(s[1:]))
		t := s[1:3:6]
		n += int64(cap(t)*100 + len(t)*10)
		t = t[:5]
		n += int64(t[4]) + int64(len(t))
		arr := [8]int32{1, 2, 3, 4, 5, 6, 7, int32(i)}
		v := arr[2:6]
		v[0] = 50
		n += total(v) + int64(arr[2]) + total(arr[:])
		for j := range v {
			v[j]++
		}
		n += total(arr[:4])
		four := [4]int32(s)
		four[0]++
		n += int64(four[0]) + int64(s[0])
		out[i] = n
	}
}

func moving(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		s := in
		n := int64(0)
		for len(s) > i {
			n += int64(s[0])
			s = s[1:]
		}
		s = in[:i]
		for len(s) > 0 {
			n = n*3 + int64(s[len(s)-1])
			s = s[:len(s)/2]
		}
		var empty []int32
		n += int64(len(empty))
		empty = in[3:5]
		n += int64(empty[1])
		out[i] = n
	}
}

func copies(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := [10]int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
		n := copy(a[2:], a[:])
		n += copy(a[:3], a[5:])
		n += copy(a[8:], in[i:])
		clear(a[4:6])
		out[i] = int64(n)
		for j, v := range a {
			out[i] = out[i]*3 + int64(v)*int64(j)
		}
	}
}

func bump(p *int64, by int64) int64 {
	*p += by
	return *p
}

func scale(v *[3]float64, f float64) {
	for i := range v {
		v[i] *= f
	}
}

func pointers(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		n := int64(in[i])
		p := &n
		*p += 5
		q := p
		*q *= 2
		bump(&n, 3)
		o := &out[i]
		*o = n
		*o += bump(p, 1)
		v := [3]float64{1, 2, float64(i)}
		scale(&v, 2)
		w := &v[1]
		*w += 0.5
		y[i] = v[0] + v[1]*10 + v[2]*100
		b := body{}
		m := &b.mass
		*m = 4
		f := &b.base
		f.id = 12
		f.bump()
		out[i] += b.id
		y[i] += b.mass
		k := 1
		e := &v[k]
		k = 2
		*e = 7
		y[i] += v[1] * 1000
	}
}

func movingPointers(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := [4]int64{1, 2, 3, 4}
		p := &a[0]
		for j := range a {
			if a[j]%int64(i%3+2) == 0 {
				p = &a[j]
			}
			*p += 10
		}
		out[i] = a[0] + a[1]*100 + a[2]*10000 + a[3]*1000000
	}
}

func equality(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a, b := [3]int32{in[i], 2, 3}, [3]int32{0, 2, 3}
		n := node{w: x[i]}
		m := n
		if a == b {
			out[i] |= 1
		}
		if n == m {
			out[i] |= 2
		}
		m.v[1] = 1
		if n != m {
			out[i] |= 4
		}
		var big, other [40]int16
		big[i%40] = int16(in[i])
		if big == other && a != b {
			out[i] |= 8
		}
		switch a {
		case [3]int32{1, 2, 3}:
			out[i] |= 16
		case b, [3]int32{-1, 2, 3}:
			out[i] |= 32
		}
	}
}

func floats(in []int32, x []float64, out []int64, y []float64) {
	for i := range x {
		v := x[i]
		y[i] = v*v - 3/v + float64(in[i])*0.25
		if math.IsNaN(v) || math.IsInf(v, 1) {
			y[i] = math.Copysign(2, v)
		}
		if math.Signbit(v) {
			out[i] = 1
		}
		w := math.Abs(v)
		y[i] += math.Sqrt(w) + math.Floor(v) + math.Trunc(v)*math.Ceil(v) + math.Round(v*10) - math.RoundToEven(v/2)
		s, c := math.Sincos(w / 100)
		y[i] += s + c*2 + math.Atan2(v, 2) + math.Exp(-w) + math.Log(w+1) + math.Pow(w, 0.3) + math.Hypot(v, 3)
		whole, part := math.Modf(v)
		y[i] += whole*100 + part + math.Mod(v, 1.5) + math.Dim(v, 1)
		y[i] -= math.Cbrt(v) + math.Tanh(v) + math.Log1p(w) + math.Expm1(-w)
		out[i] += int64(math.Float64bits(v)>>52) + int64(math.Float32bits(float32(v)))
		y[i] += math.Float64frombits(0x3ff0000000000000 | uint64(i))
		if math.IsInf(v, int(in[i])) || math.IsInf(v, -1) {
			out[i] += 1 << 40
		}
	}
}

func minMax(in []int32, x []float64, out []int64, y []float64) {
	for i := range x {
		v, w := x[i], x[(i+1)%len(x)]
		out[i] = int64(min(in[i], 7, int32(i))) + int64(max(uint32(in[i]), 3)%1000)
		y[i] = min(v, w) + max(v, 0.5)
		if i > 4 {
			y[i] = math.Max(v, w)*3 + math.Min(v, -0.25)
		}
		if i < 4 {
			y[i] = math.Max(v, w)
		}
		if i == 2 {
			y[i] = math.Max(x[1], v)
		}
	}
}

func conversions(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := in[i]
		out[i] = int64(int8(a)) + int64(uint8(a))*3 + int64(uint16(a))*5 + int64(uint32(a))*7 + int64(int16(a))
		y[i] = float64(a) + float64(float32(a)/3) + float64(uint64(int64(a)))
		if i > 3 {
			out[i] += int64(x[i]) + int64(int32(x[i]*100)) + int64(uint8(math.Abs(x[i])))
		}
		y[i] += float64(x[i]*x[i]) + 1
	}
}

func single(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		f := float32(in[i]) / 7
		g := float32(math.Floor(float64(f))) + float32(math.Sqrt(float64(f*f))) + float32(math.Max(float64(f), 2))
		g -= float32(math.Abs(float64(f)))
		y[i] = float64(g)
		y[i] += float64(float32(math.Copysign(float64(f), -1)))
	}
}

func bitFunctions(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		u, v := uint32(in[i]), uint64(in[i])*0x9e3779b97f4a7c15
		n := bits.OnesCount32(u) + bits.LeadingZeros64(v)*100 + bits.TrailingZeros32(u)*10000 + bits.Len8(uint8(u))*1000000
		n += bits.Len(uint(u)) + bits.OnesCount8(uint8(v)) + bits.LeadingZeros16(uint16(u))
		out[i] = int64(n) ^ int64(bits.Reverse64(v)) ^ int64(bits.ReverseBytes32(u)) ^ int64(bits.Reverse8(uint8(u)))
		out[i] ^= int64(bits.RotateLeft64(v, i)) ^ int64(bits.RotateLeft32(u, -i)) ^ int64(bits.RotateLeft8(uint8(u), 3))
	}
}

func wideProducts(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		v := uint64(in[i]) * 0x9e3779b97f4a7c15
		hi, lo := bits.Mul64(v, v+uint64(i))
		h32, l32 := bits.Mul32(uint32(v), uint32(in[i]))
		out[i] = int64(hi ^ lo*3 ^ uint64(h32)<<7 ^ uint64(l32))
	}
}

func reductions(in []int32, x []float64, out []int64, y []float64) {
	var s int64
	p := int64(1)
	lo := int64(math.MaxInt64)
	any := uint32(0)
	for i := range in {
		s += int64(in[i])
		if i > 3 && i < 10 {
			p *= int64(i)
		}
		any |= uint32(in[i])
		qd.AtomicMin(&lo, int64(in[i]))
		out[5]++
		out[6] -= int64(in[i])
		out[7] ^= int64(in[i]) << 5
	}
	out[0] = s
	out[1] = p
	out[2] = lo
	out[3] = int64(any)
	a := [3]int64{}
	for i := range 50 {
		a[i%3] += int64(i)
	}
	out[4] = a[0] + a[1]*1000 + a[2]*1000000
}

func histogram(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		b := int(uint32(in[i])) % 16
		out[b]++
		qd.AtomicAdd(&out[16+b], int64(i))
		qd.AtomicMax(&out[32], int64(in[i]))
		qd.AtomicOr(&out[33], int64(in[i]))
	}
}

func deviceFunctions(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		d := in[i]
		if d == 0 {
			d = 5
		}
		out[i] = int64(qd.FloorDiv(int32(i)-30, d)*100+qd.FloorMod(int32(i)-30, d)) + int64(qd.Abs(d)) + int64(qd.Sign(d))
		out[i] += int64(qd.Clamp(d, -5, 5))
		v := x[i]
		y[i] = qd.Sqrt(qd.Abs(v)) + qd.Floor(v) + qd.Clamp(v, -1, 1) + qd.Mix(1, 3, 0.25) + qd.Sign(v)
		if i > 4 {
			y[i] += qd.FloorMod(v, 0.7) + qd.FloorDiv(v, 0.7) + qd.Rsqrt(qd.Abs(v))
		}
		if qd.IsNaN(v) || qd.IsInf(v) {
			out[i]++
		}
	}
}

func halves(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a, b := qd.F16(float32(in[i])/9), qd.F16(float32(i)+0.3)
		c := a.Add(b).Mul(qd.F16(0.5)).Sub(b)
		out[i] = int64(c.Bits())<<16 | int64(a.Neg().Bits())
		if a.Less(b) {
			out[i]++
		}
		if a == b || a.Equal(c) {
			out[i]--
		}
		y[i] = float64(c.Float32()) + float64(qd.Float16FromBits(uint16(i)).Float32())
		var z qd.Float16
		out[i] += int64(z.Bits())
	}
}

func ranges(in []int32, x []float64, out []int64, y []float64) {
	for i, j := range qd.NDRange2(8, 8) {
		out[i*8+j] = int64(i - j)
	}
	for p := range qd.NDRange3(4, 4, 4) {
		q := p
		q[0]++
		out[p[0]*16+p[1]*4+p[2]] += int64(q[0]*100 + q[1]*10 + q[2])
	}
	for i, v := range in {
		y[i] = float64(v)
		for a, b := range qd.NDRange2(2, i%4) {
			y[i] += float64(a * b)
		}
	}
}

const (
	zero = iota
	one
	two
)

func constants(in []int32, x []float64, out []int64, y []float64) {
	const local = two * 10
	for i := range in {
		out[i] = local + one + 'a' + math.MaxInt16 + int64(len("abc"))
		y[i] = math.Pi * two / 3
		if two > one {
			out[i]++
		}
		if false {
			out[i] = 0
		} else if zero == 0 {
			out[i] += 2
		}
		var f float32 = 0.1
		y[i] += float64(f)
		y[i] += 1 << 3.0
	}
}

func serialLoop(in []int32, x []float64, out []int64, y []float64) {
	out[0] = 1
	qd.LoopConfig(qd.Serialize())
	for i := range len(in) - 1 {
		out[i+1] = out[i]*3 + int64(in[i])
	}
	for i := 1; i < len(x); i++ {
		y[i] = y[i-1] + 1
	}
	n := len(in)
	for i := range n {
		out[i] += int64(n)
	}
	if out[3] == 0 {
		return
	}
	out[2]++
}

func closures3(in []int32, x []float64, out []int64, y []float64) {
	k := 0
	for k < 5 {
		for i := range in[k:] {
			out[i] += int64(k)
		}
		k++
	}
	for i := range out {
		out[i] += int64(k) * 100
	}
}

type vec2 [2]float64

func (a vec2) add(b vec2) vec2 { return vec2{a[0] + b[0], a[1] + b[1]} }

func pick(a, b vec2, which bool) vec2 {
	if which {
		return a
	}
	return b
}

func both(a vec2) (vec2, vec2) { return a, a }

func same2(a vec2) (r vec2) {
	r = a
	return
}

func aggregateResults(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a, b := vec2{float64(in[i]), 1}, vec2{2, 3}
		c := pick(a, b, i%2 == 0).add(b)
		d, e := both(c)
		d[0]++
		f := same2(d)
		f[1]--
		a, b = b.add(a), a
		y[i] = c[0] + d[0]*10 + e[0]*100 + f[1]*1000 + a[0] + b[1]
	}
}

func window(a []int32, at int) []int32 {
	if at > len(a)-4 {
		return a[len(a)-4:]
	}
	return a[at : at+4]
}

func sliceResults(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		w := window(in, i)
		out[i] = total(w) + int64(len(w))
		w = window(in, 3)
		out[i] += int64(w[1])
	}
}

func aliasing(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := vec2{1, float64(i)}
		b := a
		a[0] = 5
		p := &a
		p[1] = 9
		c := *p
		p[0] = 6
		y[i] = a[0] + b[0]*10 + b[1]*100 + c[0]*1000
		v := x[i]
		w := v
		v++
		y[i] += w - v
	}
}
