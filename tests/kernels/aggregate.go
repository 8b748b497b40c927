package kernels

type vec2 [2]float32

type mat3 [3][3]float32

type particle struct {
	id    int32
	mass  float64
	pos   vec2
	alive bool
	tag   uint8
	spin  [3]int16
}

type inner struct {
	a int8
	b int64
}

type outer struct {
	inner
	list [2]inner
	n    uint16
}

func (m mat3) mul(n mat3) mat3 {
	var out mat3
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				out[i][j] += m[i][k] * n[k][j]
			}
		}
	}
	return out
}

func (m mat3) det() float32 {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) -
		m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) +
		m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
}

func structs(p []particle) {
	for i := range p {
		q := p[i]
		q.mass += float64(q.id) / 2
		q.pos[i%2] += 1.5
		q.spin[2] = int16(q.tag) - 5
		q.alive = !q.alive || q.id > 3
		if q.tag > 100 {
			q = particle{id: -1, spin: [3]int16{1: 7}}
		}
		p[i] = q
		p[i].pos[1] -= 1
		p[i].tag++
	}
}

func embedded(o []outer) {
	for i := range o {
		o[i].a += 3
		o[i].inner.b *= 2
		o[i].list[1] = o[i].inner
		o[i].list[0].b = int64(o[i].n)
		o[i].n--
	}
}

func matrices(det []float32, prod []mat3, m []mat3) {
	for i := range m {
		det[i] = m[i].det()
		prod[i] = m[i].mul(m[(i+1)%len(m)])
	}
}

func localArrays(out []int32, n int) {
	for i := range n {
		var a [16]int32
		for j := range a {
			a[j] = int32(j*i) % 11
		}
		for j := range len(a) - 1 { // one pass of bubble sort
			if a[j] > a[j+1] {
				a[j], a[j+1] = a[j+1], a[j]
			}
		}
		b := a
		b[0] = -1
		for j, v := range b {
			out[i] += v * int32(j+1)
		}
		out[i] += a[0] + a[i%16]
	}
}

func equality(out []bool, x []vec2, p, q particle) {
	for i := range out {
		out[i] = x[i] == vec2{1, 2} || p != q && p.pos == q.pos
	}
}

func swapElements(x []vec2) {
	for i := range len(x) / 2 {
		x[2*i], x[2*i+1] = x[2*i+1], x[2*i]
	}
}

func byValueArguments(out []float32, m mat3, p particle, v vec2) {
	v[0] += 1
	for i := range out {
		out[i] = m[i%3][(i+1)%3] + p.pos[0] + float32(p.mass) + v[0]*float32(p.spin[1])
	}
}

func aggregateCases() []Case {
	particles := func() []particle {
		p := make([]particle, 50)
		for i := range p {
			p[i] = particle{id: int32(i), mass: float64(i) / 3, pos: vec2{float32(i), 2}, alive: i%2 == 0, tag: uint8(i * 9), spin: [3]int16{1, 2, 3}}
		}
		return p
	}
	mats := func() []mat3 {
		m := make([]mat3, 10)
		for i := range m {
			m[i] = mat3{{2, 1, float32(i)}, {1, 3, 1}, {0, 1, 4}}
		}
		return m
	}
	return []Case{
		{Name: "structs", Kernel: structs, Args: func() []any { return []any{particles()} }},
		{Name: "embedded", Kernel: embedded, Args: func() []any {
			return []any{[]outer{{inner{1, 2}, [2]inner{{3, 4}, {5, 6}}, 7}, {inner{127, -2}, [2]inner{}, 0}}}
		}},
		{Name: "matrices", Kernel: matrices, Args: func() []any { return []any{make([]float32, 10), make([]mat3, 10), mats()} }},
		{Name: "localArrays", Kernel: localArrays, Args: func() []any { return []any{make([]int32, 40), 40} }},
		{Name: "equality", Kernel: equality, Args: func() []any {
			p, q := particles()[3], particles()[4]
			return []any{make([]bool, 3), []vec2{{1, 2}, {1, 3}, {2, 2}}, p, q}
		}},
		{Name: "swapElements", Kernel: swapElements, Args: func() []any { return []any{[]vec2{{1, 2}, {3, 4}, {5, 6}, {7, 8}}} }},
		{Name: "byValueArguments", Kernel: byValueArguments, Args: func() []any {
			return []any{make([]float32, 12), mats()[2], particles()[5], vec2{3, 4}}
		}},
	}
}
