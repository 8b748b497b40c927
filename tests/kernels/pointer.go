package kernels

func scale(v *vec2, by float32) {
	v[0] *= by
	v[1] *= by
}

func swap(a, b *int32) { *a, *b = *b, *a }

func pointers(x []int32, v []vec2) {
	for i := range x {
		p := &x[i]
		*p += 3
		q := &v[i]
		scale(q, 2)
		scale(&v[i], float32(*p))
		q[0]--
		local := int32(i)
		r := &local
		*r *= 10
		swap(r, p)
		*p += local
	}
}

func fields(p []particle) {
	for i := range p {
		q := &p[i]
		q.id *= 2
		m := &q.pos[1]
		*m += q.pos[0]
		(*q).alive = i%3 == 0
		s := &q.spin
		for k := range s {
			s[k] += int16(k)
		}
	}
}

func pointerCases() []Case {
	return []Case{
		{Name: "pointers", Kernel: pointers, Args: func() []any {
			v := make([]vec2, 20)
			for i := range v {
				v[i] = vec2{float32(i), 1}
			}
			return []any{small[int32](20), v}
		}},
		{Name: "fields", Kernel: fields, Args: func() []any { return []any{make([]particle, 20)} }},
	}
}
