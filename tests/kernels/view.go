package kernels

func sum(x []int32) (s int32) {
	for _, v := range x {
		s += v
	}
	return s
}

func views(out []int32, x []int32) {
	for i := range out {
		a := x[i:]
		b := a[1:4]
		c := x[:i+1]
		out[i] = sum(b) + int32(len(a))*100 + int32(len(b)) + c[i]
	}
}

func rows(out []int32, g [][]int32) {
	for i := range g {
		row := g[i]
		for j, v := range row {
			row[j] = v * 2
		}
		out[i] = sum(row) + sum(g[i][1:3]) + int32(len(row))
	}
}

func localViews(out []int32) {
	for i := range out {
		var a [8]int32
		v := a[2:6]
		for j := range v {
			v[j] = int32(i + j)
		}
		w := v[1:3]
		w[0] = 50
		out[i] = sum(a[:]) + int32(cap(w))*1000
	}
}

func copies(x, y []int32) {
	for range 1 {
		n := copy(x[2:], y[:3])
		x[0] = int32(n)
		clear(y[4:])
		x[1] = int32(copy(x[8:], y))
	}
}

func rebind(out []int32, x []int32) {
	for i := range out {
		s := x
		for len(s) > i {
			out[i] += s[0]
			s = s[1:]
		}
	}
}

func rank3(g [][][]float32) {
	for i := range g {
		for j := range g[i] {
			for k := range g[i][j] {
				g[i][j][k] += float32(i*100 + j*10 + k)
			}
		}
		g[i][0][0] = float32(len(g) + len(g[0])*10 + len(g[0][0])*100)
	}
}

func rangeValues(out []int32, x []int32) {
	for i, v := range x {
		out[i] = v + 1
	}
	for _, v := range x {
		out[0] += v
	}
}

func viewCases() []Case {
	count := func(n int) []int32 {
		x := make([]int32, n)
		for i := range x {
			x[i] = int32(i*i%17 + 1)
		}
		return x
	}
	return []Case{
		{Name: "views", Kernel: views, Args: func() []any { return []any{make([]int32, 10), count(20)} }},
		{Name: "rows", Kernel: rows, Args: func() []any {
			return []any{make([]int32, 6), grid(6, 5, func(i, j int) int32 { return int32(i*10 + j) })}
		}},
		{Name: "localViews", Kernel: localViews, Args: func() []any { return []any{make([]int32, 9)} }},
		{Name: "copies", Kernel: copies, Args: func() []any { return []any{count(12), count(7)} }},
		{Name: "rebind", Kernel: rebind, Args: func() []any { return []any{make([]int32, 9), count(9)} }},
		{Name: "rank3", Kernel: rank3, Args: func() []any {
			g := make([][][]float32, 3)
			for i := range g {
				g[i] = grid(4, 5, func(int, int) float32 { return 0.5 })
			}
			return []any{g}
		}},
		{Name: "rangeValues", Kernel: rangeValues, Args: func() []any { return []any{make([]int32, 9), count(9)} }},
	}
}
