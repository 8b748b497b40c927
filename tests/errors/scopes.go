package kernels

import "github.com/quadrants-go/quadrants/qd"

func BadMixed(a, b []float32) {
	x := float32(1) // ERROR "all top-level statements must be StreamParallel scopes; move the rest to another kernel"
	qd.StreamParallel(func() {
		for i := range a {
			a[i] = 1
		}
	})
	for i := range b { // ERROR "all top-level statements"
		b[i] = x
	}
	clearFloat(b, 0) // ERROR "all top-level statements"
	qd.StreamParallel(func() {})
}

func clearFloat(b []float32, i int) { b[i] = 0 }

func BadNested(a []float32) {
	qd.StreamParallel(func() {
		for i := range a {
			qd.StreamParallel(func() { // ERROR "scopes cannot nest"
				a[i] = 1
			})
		}
	})
}

func BadPlaces(a []float32, on bool) {
	if on {
		qd.StreamParallel(func() { a[0] = 1 }) // ERROR "only at the top level of a kernel"
	} else {
		qd.StreamParallel(func() { a[1] = 1 }) // ERROR "only at the top level of a kernel"
	}
	switch {
	case on:
		qd.StreamParallel(func() { a[2] = 1 }) // ERROR "only at the top level of a kernel"
	}
	for range 3 {
		qd.StreamParallel(func() { a[3] = 1 }) // ERROR "only at the top level of a kernel"
	}
	{
		qd.StreamParallel(func() { a[4] = 1 }) // ERROR "only at the top level of a kernel"
	}
}

func work() {}

func BadArgument(a []float32) {
	qd.StreamParallel(work)  // ERROR "needs a function literal"
	run := qd.StreamParallel // ERROR "all top-level|used as a value|function values"
	run(func() { a[0] = 1 }) // ERROR "all top-level|function value run"
}

func scoped(a []float32) {
	qd.StreamParallel(func() { // ERROR "only at the top level of a kernel"
		a[0] = 1
	})
}

func BadScopeInFunction(a []float32) {
	scoped(a)
}

func BadScopeBodies(a, b []float32, n int) {
	qd.StreamParallel(func() {
		for i := range a {
			if a[i] < 0 {
				break // ERROR "break out of a parallel loop"
			}
		}
		n = 3 // ERROR "n is declared outside the StreamParallel scope"
	})
	qd.StreamParallel(func() {
		last := float32(0)
		if len(b) == 0 {
			return // ERROR "return out of a StreamParallel scope"
		}
		for i := range b {
			last = b[i] // ERROR "last is declared outside the parallel loop"
		}
		b[0] = last
	})
}

func GoodScopes(a, b []float32, n int) {
	const two = 2
	type local struct{ x float32 }
	_ = n
	qd.StaticAssert(two == 2, "two")
	qd.StaticPrint("two", two)
	qd.AssumeDisjoint(a, b)
	qd.StreamParallel(func() {
		total := float32(0)
		for i := range a {
			total += a[i]
		}
		a[0] = total
		qd.LoopConfig(qd.Name("second"))
		for i := range n {
			a[i] = local{two}.x
		}
	})
	qd.StreamParallel(func() {
		for i := 0; i < n; i++ {
			if b[i] > 0 {
				break
			}
		}
	})
}
