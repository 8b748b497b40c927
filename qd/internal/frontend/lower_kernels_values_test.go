package frontend_test

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

func (c counter) peek() int64 { c.n += 1000; return c.n }

func (c *counter) reset() { *c = counter{step: c.step} }

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

func (b *base) bump() { b.id++ }

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
