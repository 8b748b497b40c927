package kernels

func switches(out []int32, x []int32) {
	for i := range x {
		v := x[i]
		switch v % 7 {
		case 0:
			out[i] = 10
		case 1, 2, -1:
			out[i] = 20
			fallthrough
		case 3:
			out[i] += 5
		default:
			out[i] = -1
		case 4:
			if v > 0 {
				break
			}
			out[i] = 40
		}
		switch {
		case v < 0:
			out[i]--
		case v > 100 && i%2 == 0:
			out[i] += 100
		}
		switch w := v / 3; w {
		case 5:
			out[i] += 1000
		}
	}
}

func switchInLoop(out []int32) {
	for i := range out {
	loop:
		for j := range 20 {
			switch {
			case j == i:
				continue
			case j > 2*i:
				break loop
			case j%2 == 0:
				break
			default:
				out[i] += int32(j)
			}
			out[i] += 100
		}
	}
}

func classify(x float32) (kind int) {
	switch {
	case x < -1:
		return 1
	case x > 1:
		return 2
	}
	return 3
}

func switchReturns(out []int32, x []float32) {
	for i := range x {
		out[i] = int32(classify(x[i]))
	}
}

func switchCases() []Case {
	return []Case{
		{Name: "switches", Kernel: switches, Args: func() []any { return []any{make([]int32, 100), ints[int32](100)} }},
		{Name: "switchInLoop", Kernel: switchInLoop, Args: func() []any { return []any{make([]int32, 12)} }},
		{Name: "switchReturns", Kernel: switchReturns, Args: func() []any { return []any{make([]int32, 40), floats[float32](40)} }},
	}
}
