package kernels

import "github.com/quadrants-go/quadrants/qd"

func BadBreak(a []float32) {
	for i := range a {
		for range 3 {
			if a[i] < 0 {
				break
			}
		}
		switch {
		case a[i] > 3:
			break
		}
		if a[i] == 7 {
			break // ERROR "break out of a parallel loop"
		}
	}
}

func BadLabeledBreak(a []float32, n int) {
rows:
	for i := range n {
		for j := range 3 {
			if a[i] < 0 {
				continue rows
			}
			if j == 2 {
				break rows // ERROR "break out of a parallel loop"
			}
		}
	}
}

func BadReturn(a [][]float32) {
	for i, j := range qd.NDRange2(len(a), len(a[0])) {
		if a[i][j] < 0 {
			return // ERROR "return out of a parallel loop"
		}
	}
}

func BadStores(a []float32) {
	last, best, shift, product := float32(0), float32(0), 1, float32(1)
	var table [4]float32
	vec := square{1}
	p := &table[0]
	for i := range a {
		last = a[i]            // ERROR "last is declared outside the parallel loop"
		best = max(best, a[i]) // ERROR "best is declared outside"
		shift <<= 1            // ERROR "shift.*<<="
		product /= a[i]        // ERROR "product.*/="
		table[i%4] = a[i]      // ERROR "table is declared outside"
		vec.side = 2           // ERROR "vec is declared outside"
		*p = 3                 // ERROR "assignment through p"
		qd.AtomicAdd(&vec.side, 2)
		setSide(&vec) // ERROR "the address of vec"
		vec.grow()    // ERROR "the address of vec"
	}
	a[0] = last + best + float32(shift) + product + table[0] + vec.side
}

func setSide(s *square) { s.side = 1 }

func (s *square) grow() { s.side++ }

func BadParameterStore(a []float32, n int) {
	for i := range a {
		n = i // ERROR "n is declared outside"
	}
	n = 3
	a[0] = float32(n)
}

func GoodReductions(a []float32, b []int32) {
	total, count, mask := float32(0), 0, int32(0)
	for i := range a {
		total += a[i]
		count++
		mask |= b[i]
		mine := a[i]
		mine = mine * 2
		a[i] = mine
		i = 0
		_ = i
	}
	a[0] = total + float32(count)
	b[0] = mask
}

func WarnsReadOfReduction(a []float32) {
	total := float32(0)
	for i := range a {
		total += a[i]
		a[i] = total // ERROR "total is read in the parallel loop"
	}
	a[0] = total
}

func BadLoopConfig(a []float32, n int) {
	qd.LoopConfig(qd.Name("zero")) // ERROR "just before a top-level loop"
	a[0] = 0
	qd.LoopConfig(qd.BlockDim(n)) // ERROR "must be constant"
	for i := range a {
		qd.LoopConfig(qd.Serialize()) // ERROR "just before a top-level loop"
		for range 3 {
			a[i]++
		}
	}
	qd.LoopConfig() // ERROR "just before a top-level loop"
}

func GoodSerial(a []float32) {
	last := float32(0)
	qd.LoopConfig(qd.Serialize(), qd.Name("scan"))
	for i := range a {
		if a[i] < 0 {
			break
		}
		last = a[i]
	}
	qd.LoopConfig(qd.BlockDim(128))
	for i := range a {
		a[i] += last
	}
	for i, v := range a[1:] {
		if v < 0 {
			return
		}
		last = v
		a[i] = last
	}
}

func GoodNDRange(a [][][]float32, sums []float32) {
	for p := range qd.NDRange3(len(a), len(a[0]), len(a[0][0])) {
		sums[p[0]] += a[p[0]][p[1]][p[2]]
	}
	if len(sums) > 3 {
		for i, j := range qd.NDRange2(2, 3) {
			if j == 2 {
				break
			}
			sums[i] = 0
		}
	}
}
