package scopes

import (
	"fmt"
	"slices"
	"strings"
)

// A scopeCase is a kernel, its first arguments, and how they change from launch to launch.
type scopeCase struct {
	name     string
	kernel   any
	args     func() []any
	change   func(args []any, launch int) // may be nil
	compiled bool                         // its assignments are atomic in compiled kernels only
	width    int
	plan     string // "1:sr 2:r": the first scope has a serial task and a range, the second a range
}

func upTo(n int) []int32 {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(i*i%1009 - 300)
	}
	return x
}

func ones(n int) []int64 { return slices.Repeat([]int64{1}, n) }

func rows(n, m int) [][]int32 {
	x := make([][]int32, n)
	for i := range x {
		x[i] = upTo(m)
	}
	return x
}

func setLast(args []any, v any) { args[len(args)-1] = v }

var cases = []scopeCase{
	{name: "one", kernel: one, args: func() []any { return []any{upTo(5000), []int32{3000}} }, change: func(args []any, launch int) {
		args[1].([]int32)[0] = int32(launch * 977 % 5000)
	}, width: 1, plan: "1:sr"},
	{name: "empty", kernel: empty, args: func() []any { return []any{upTo(3000), upTo(100)} }, width: 2, plan: "2:r 4:r"},
	{name: "stores", kernel: stores, args: func() []any { return []any{upTo(3), upTo(3), int32(0)} },
		change: func(args []any, launch int) { setLast(args, int32(launch)) }, width: 2, plan: "1:s 2:s"},
	{name: "storeThenBounds", kernel: storeThenBounds, args: func() []any {
		return []any{upTo(5000), upTo(3000), upTo(3000), []int32{0}, 0}
	}, change: func(args []any, launch int) {
		args[3].([]int32)[0] = int32(launch * 389 % 1500)
		setLast(args, launch*211%3000)
	}, width: 3, plan: "1:rs 2:srs 3:rs"},
	{name: "storedBounds", kernel: storedBounds, args: func() []any { return []any{upTo(1002), upTo(1002), []int32{17, 23}} }, width: 2, plan: "1:srsrs 2:srs"},
	{name: "reducedBounds", kernel: reducedBounds, args: func() []any { return []any{upTo(3000), upTo(4001), int32(0)} },
		change: func(args []any, launch int) { setLast(args, int32(launch)) }, width: 2, plan: "1:rsrs 2:rsrs"},
	{name: "functions", kernel: functions, args: func() []any { return []any{upTo(3000), upTo(1000), 0} },
		change: func(args []any, launch int) { setLast(args, launch*37) }, width: 2, plan: "1:srs 2:srs"},
	{name: "serialLoops", kernel: serialLoops, args: func() []any { return []any{upTo(700), upTo(900), []int32{0}, int32(0)} },
		change: func(args []any, launch int) { setLast(args, int32(launch*5)) }, width: 2, plan: "1:srs 2:srsrs"},
	{name: "ranges", kernel: ranges, args: func() []any { return []any{rows(40, 60), upTo(20 * 3 * 30), []int32{0, 0, 0}} },
		change: func(args []any, launch int) {
			copy(args[2].([]int32), []int32{int32(launch * 7 % 40), int32(launch * 3 % 20), int32(launch * 11 % 30)})
		}, width: 2, plan: "1:srsrs 2:sr"},
	{name: "locals", kernel: locals, args: func() []any { return []any{upTo(2000), upTo(3000), make([]pair, 500), int32(0)} },
		change: func(args []any, launch int) { setLast(args, int32(launch-7)) }, width: 3, plan: "1:sr 2:srs 3:srs"},
	{name: "many", kernel: many, args: func() []any { return []any{rows(64, 300), make([]int32, 64), make([]int64, 1)} },
		change: func(args []any, launch int) {
			for k, bounds := 0, args[1].([]int32); k < len(bounds); k++ {
				bounds[k] = int32((launch*13 + k*29) % 300)
			}
		}, width: 64, plan: manyPlan()},
	{name: "elements", kernel: elements, args: func() []any { return []any{make([]int64, 16), ones(5000), 0} },
		change: func(args []any, launch int) { setLast(args, 5000-launch) }, compiled: true, width: 2, plan: "1:r 2:r"},
	{name: "atomicElements", kernel: atomicElements, args: func() []any { return []any{make([]int64, 16), ones(5000), 0} },
		change: func(args []any, launch int) { setLast(args, 5000-launch) }, width: 2, plan: "1:r 2:r"},
	{name: "cells", kernel: cells, args: func() []any { return []any{make([]int64, 3), make([]float64, 1), upTo(30000), 0} },
		change: func(args []any, launch int) { setLast(args, 20000+launch) }, width: 3, plan: "1:r 2:r 3:s"},
	{name: "plainCells", kernel: plainCells, args: func() []any { return []any{make([]int64, 3), make([]float64, 1), upTo(30000), 0} },
		change: func(args []any, launch int) { setLast(args, 20000+launch) }, compiled: true, width: 3, plan: "1:r 2:r 3:s"},
	{name: "changing", kernel: changing, args: func() []any { return []any{upTo(2000), []int32{40, 900, 0, 0}, int32(0), int32(0)} },
		change: func(args []any, launch int) { args[2], args[3] = int32(launch*31%900), int32(launch) }, width: 2, plan: "1:srs 2:srs"},
}

func manyPlan() string {
	var plan strings.Builder
	for scope := range 64 {
		fmt.Fprintf(&plan, "%d:sr ", scope+1)
	}
	return strings.TrimSpace(plan.String())
}
