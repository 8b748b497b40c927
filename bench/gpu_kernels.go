package main

import "github.com/quadrants-go/quadrants/qd"

// touch is as little as a kernel can do and still be launched: one thread, one store.
func touch(a, b, c []float32) { a[0] = 1 }

// steps keeps one thread busy.
func steps(v int32) int32 {
	for range 5_000_000 {
		v = int32((1664525*int64(v) + 1013904223) % 2147483647)
	}
	return v
}

func spin1(x []int32) { x[0] = steps(x[0]) }

func spin2(x []int32) {
	qd.StreamParallel(func() { x[0] = steps(x[0]) })
	qd.StreamParallel(func() { x[1] = steps(x[1]) })
}

func spin4(x []int32) {
	qd.StreamParallel(func() { x[0] = steps(x[0]) })
	qd.StreamParallel(func() { x[1] = steps(x[1]) })
	qd.StreamParallel(func() { x[2] = steps(x[2]) })
	qd.StreamParallel(func() { x[3] = steps(x[3]) })
}

func spin8(x []int32) {
	qd.StreamParallel(func() { x[0] = steps(x[0]) })
	qd.StreamParallel(func() { x[1] = steps(x[1]) })
	qd.StreamParallel(func() { x[2] = steps(x[2]) })
	qd.StreamParallel(func() { x[3] = steps(x[3]) })
	qd.StreamParallel(func() { x[4] = steps(x[4]) })
	qd.StreamParallel(func() { x[5] = steps(x[5]) })
	qd.StreamParallel(func() { x[6] = steps(x[6]) })
	qd.StreamParallel(func() { x[7] = steps(x[7]) })
}

func spin16(x []int32) {
	qd.StreamParallel(func() { x[0] = steps(x[0]) })
	qd.StreamParallel(func() { x[1] = steps(x[1]) })
	qd.StreamParallel(func() { x[2] = steps(x[2]) })
	qd.StreamParallel(func() { x[3] = steps(x[3]) })
	qd.StreamParallel(func() { x[4] = steps(x[4]) })
	qd.StreamParallel(func() { x[5] = steps(x[5]) })
	qd.StreamParallel(func() { x[6] = steps(x[6]) })
	qd.StreamParallel(func() { x[7] = steps(x[7]) })
	qd.StreamParallel(func() { x[8] = steps(x[8]) })
	qd.StreamParallel(func() { x[9] = steps(x[9]) })
	qd.StreamParallel(func() { x[10] = steps(x[10]) })
	qd.StreamParallel(func() { x[11] = steps(x[11]) })
	qd.StreamParallel(func() { x[12] = steps(x[12]) })
	qd.StreamParallel(func() { x[13] = steps(x[13]) })
	qd.StreamParallel(func() { x[14] = steps(x[14]) })
	qd.StreamParallel(func() { x[15] = steps(x[15]) })
}

func spin32(x []int32) {
	qd.StreamParallel(func() { x[0] = steps(x[0]) })
	qd.StreamParallel(func() { x[1] = steps(x[1]) })
	qd.StreamParallel(func() { x[2] = steps(x[2]) })
	qd.StreamParallel(func() { x[3] = steps(x[3]) })
	qd.StreamParallel(func() { x[4] = steps(x[4]) })
	qd.StreamParallel(func() { x[5] = steps(x[5]) })
	qd.StreamParallel(func() { x[6] = steps(x[6]) })
	qd.StreamParallel(func() { x[7] = steps(x[7]) })
	qd.StreamParallel(func() { x[8] = steps(x[8]) })
	qd.StreamParallel(func() { x[9] = steps(x[9]) })
	qd.StreamParallel(func() { x[10] = steps(x[10]) })
	qd.StreamParallel(func() { x[11] = steps(x[11]) })
	qd.StreamParallel(func() { x[12] = steps(x[12]) })
	qd.StreamParallel(func() { x[13] = steps(x[13]) })
	qd.StreamParallel(func() { x[14] = steps(x[14]) })
	qd.StreamParallel(func() { x[15] = steps(x[15]) })
	qd.StreamParallel(func() { x[16] = steps(x[16]) })
	qd.StreamParallel(func() { x[17] = steps(x[17]) })
	qd.StreamParallel(func() { x[18] = steps(x[18]) })
	qd.StreamParallel(func() { x[19] = steps(x[19]) })
	qd.StreamParallel(func() { x[20] = steps(x[20]) })
	qd.StreamParallel(func() { x[21] = steps(x[21]) })
	qd.StreamParallel(func() { x[22] = steps(x[22]) })
	qd.StreamParallel(func() { x[23] = steps(x[23]) })
	qd.StreamParallel(func() { x[24] = steps(x[24]) })
	qd.StreamParallel(func() { x[25] = steps(x[25]) })
	qd.StreamParallel(func() { x[26] = steps(x[26]) })
	qd.StreamParallel(func() { x[27] = steps(x[27]) })
	qd.StreamParallel(func() { x[28] = steps(x[28]) })
	qd.StreamParallel(func() { x[29] = steps(x[29]) })
	qd.StreamParallel(func() { x[30] = steps(x[30]) })
	qd.StreamParallel(func() { x[31] = steps(x[31]) })
}

func region2(x []int32) {
	qd.StreamParallel(func() { x[0] = 1 })
	qd.StreamParallel(func() { x[1] = 1 })
}

func region8(x []int32) {
	qd.StreamParallel(func() { x[0] = 1 })
	qd.StreamParallel(func() { x[1] = 1 })
	qd.StreamParallel(func() { x[2] = 1 })
	qd.StreamParallel(func() { x[3] = 1 })
	qd.StreamParallel(func() { x[4] = 1 })
	qd.StreamParallel(func() { x[5] = 1 })
	qd.StreamParallel(func() { x[6] = 1 })
	qd.StreamParallel(func() { x[7] = 1 })
}
