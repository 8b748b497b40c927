package main

import (
	"fmt"

	"github.com/quadrants-go/quadrants/qd"
)

// What scopes cost and gain: two loops in the scopes of one kernel against the same loops as two kernels, one launched after the
// other. The loops take the same arguments, so that any two make a pair.

// loopData are the arrays that the loops work on; no two loops share one.
type loopData struct {
	v      *qd.NDArray[int32]   // compute: one number a row of the LCG loop
	x, y   *qd.NDArray[float32] // memory
	chain  *qd.NDArray[int32]   // narrow: steps that need each other
	pieces *qd.NDArray[float32] // short
}

const (
	chainSteps = 2_000_000
	nPieces    = 1 << 17
)

func wide(v []int32) {
	for i := range v {
		v[i] = generate(v[i], 1000)
	}
}

func memory(x, y []float32) {
	for i := range y {
		y[i] += 0.5 * x[i]
	}
}

func narrow(chain []int32) {
	for i := range chain {
		chain[i] = generate(chain[i], chainSteps)
	}
}

func short(pieces []float32) {
	for i := range pieces {
		pieces[i] = qd.Sqrt(pieces[i] + 1)
	}
}

func wideNarrow(v, chain []int32) {
	qd.StreamParallel(func() {
		for i := range v {
			v[i] = generate(v[i], 1000)
		}
	})
	qd.StreamParallel(func() {
		for i := range chain {
			chain[i] = generate(chain[i], chainSteps)
		}
	})
}

func narrowWide(chain, v []int32) {
	qd.StreamParallel(func() {
		for i := range chain {
			chain[i] = generate(chain[i], chainSteps)
		}
	})
	qd.StreamParallel(func() {
		for i := range v {
			v[i] = generate(v[i], 1000)
		}
	})
}

func longShort(v []int32, pieces []float32) {
	qd.StreamParallel(func() {
		for i := range v {
			v[i] = generate(v[i], 1000)
		}
	})
	qd.StreamParallel(func() {
		for i := range pieces {
			pieces[i] = qd.Sqrt(pieces[i] + 1)
		}
	})
}

func memoryCompute(x, y []float32, v []int32) {
	qd.StreamParallel(func() {
		for i := range y {
			y[i] += 0.5 * x[i]
		}
	})
	qd.StreamParallel(func() {
		for i := range v {
			v[i] = generate(v[i], 1000)
		}
	})
}

func emptyLoop(a, b, c []float32) {
	for range a {
	}
}

func emptyScopes(a, b, c []float32) {
	qd.StreamParallel(func() {
		for range a {
		}
	})
	qd.StreamParallel(func() {
		for range b {
		}
	})
}

// pair is two loops: as scopes, and as kernels of their own.
type pair struct {
	name          string
	scopes        any
	first, second any
	one, two      func(d loopData) []any
}

func (d loopData) wide() []any   { return []any{d.v} }
func (d loopData) narrow() []any { return []any{d.chain} }
func (d loopData) memory() []any { return []any{d.x, d.y} }
func (d loopData) short() []any  { return []any{d.pieces} }

var pairs = []pair{
	{"wide + narrow", wideNarrow, wide, narrow, loopData.wide, loopData.narrow},
	{"narrow + wide", narrowWide, narrow, wide, loopData.narrow, loopData.wide},
	{"long + short", longShort, wide, short, loopData.wide, loopData.short},
	{"memory + compute", memoryCompute, memory, wide, loopData.memory, loopData.wide},
}

// benchPair times scopes, first then second, and second then first, in turn.
func benchPair(rt *qd.Runtime, p pair, d loopData) error {
	args := append(p.one(d), p.two(d)...)
	scopes, err := launch(rt, p.scopes, args...)
	if err != nil {
		return err
	}
	one, err := launch(rt, p.first, p.one(d)...)
	if err != nil {
		return err
	}
	two, err := launch(rt, p.second, p.two(d)...)
	if err != nil {
		return err
	}
	inTurn := func(a, b func() error) func() error {
		return func() error {
			if err := a(); err != nil {
				return err
			}
			return b()
		}
	}
	var together, apart []float64
	for range *rounds {
		s, err := timeOurs(scopes)
		if err != nil {
			return err
		}
		forth, err := timeOurs(inTurn(one, two))
		if err != nil {
			return err
		}
		back, err := timeOurs(inTurn(two, one))
		if err != nil {
			return err
		}
		together, apart = append(together, s), append(apart, min(forth, back))
	}
	mid, low, high := ratios(together, apart)
	fmt.Printf("%-18s %12.1f %12.1f   %5.2f (%.2f..%.2f)\n", p.name, median(apart)/1e3, median(together)/1e3, mid, low, high)
	return nil
}

// benchEmptyScopes times a region of two empty scopes and an empty kernel, in turn.
func benchEmptyScopes(rt *qd.Runtime) error {
	a, b, c := qd.MustNDArray[float32](rt, 8), qd.MustNDArray[float32](rt, 8), qd.MustNDArray[float32](rt, 8)
	programs := []struct {
		name  string
		fn    any
		times []float64
	}{{name: "empty kernel", fn: empty}, {name: "one empty loop", fn: emptyLoop}, {name: "two empty scopes", fn: emptyScopes}}
	const batch = 1000
	for range *rounds {
		for i := range programs {
			run, err := launch(rt, programs[i].fn, a, b, c)
			if err != nil {
				return err
			}
			t, err := timeOurs(func() error {
				for range batch {
					if err := run(); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			programs[i].times = append(programs[i].times, t/batch)
		}
	}
	for _, p := range programs {
		mid, low, high := ratios(p.times, programs[0].times)
		fmt.Printf("%-18s %8.0f ns   %5.2f (%.2f..%.2f) empty kernels\n", p.name, median(p.times), mid, low, high)
	}
	return nil
}

func benchScopes() error {
	rt, err := qd.Open(qd.Config{Arch: qd.CPU})
	if err != nil {
		return err
	}
	defer rt.Close()
	d := loopData{
		v: numbers(rt, func(i int) int32 { return int32(i) }, nLCG), chain: numbers(rt, func(i int) int32 { return int32(i) }, 1),
		x: numbers(rt, mod(7), nVector), y: numbers(rt, mod(1000), nVector), pieces: numbers(rt, mod(1000), nPieces),
	}
	fmt.Printf("%-18s %12s %12s   %s\n", "loops", "kernels (µs)", "scopes (µs)", "scopes / better order (min..max)")
	for _, p := range pairs {
		if err := benchPair(rt, p, d); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return benchEmptyScopes(rt)
}
