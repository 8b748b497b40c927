package main

import "github.com/quadrants-go/quadrants/qd"

// touch is as little as a kernel can do and still be launched: one thread, one store.
func touch(a, b, c []float32) { a[0] = 1 }

const spinSteps = 5_000_000

func spin1(x []int32) { x[0] = generate(x[0], spinSteps) }

func spin2(x []int32) {
	qd.StreamParallel(func() { x[0] = generate(x[0], spinSteps) })
	qd.StreamParallel(func() { x[1] = generate(x[1], spinSteps) })
}

func spin4(x []int32) {
	qd.StreamParallel(func() { x[0] = generate(x[0], spinSteps) })
	qd.StreamParallel(func() { x[1] = generate(x[1], spinSteps) })
	qd.StreamParallel(func() { x[2] = generate(x[2], spinSteps) })
	qd.StreamParallel(func() { x[3] = generate(x[3], spinSteps) })
}

func spin8(x []int32) {
	qd.StreamParallel(func() { x[0] = generate(x[0], spinSteps) })
	qd.StreamParallel(func() { x[1] = generate(x[1], spinSteps) })
	qd.StreamParallel(func() { x[2] = generate(x[2], spinSteps) })
	qd.StreamParallel(func() { x[3] = generate(x[3], spinSteps) })
	qd.StreamParallel(func() { x[4] = generate(x[4], spinSteps) })
	qd.StreamParallel(func() { x[5] = generate(x[5], spinSteps) })
	qd.StreamParallel(func() { x[6] = generate(x[6], spinSteps) })
	qd.StreamParallel(func() { x[7] = generate(x[7], spinSteps) })
}

func spin16(x []int32) {
	qd.StreamParallel(func() { x[0] = generate(x[0], spinSteps) })
	qd.StreamParallel(func() { x[1] = generate(x[1], spinSteps) })
	qd.StreamParallel(func() { x[2] = generate(x[2], spinSteps) })
	qd.StreamParallel(func() { x[3] = generate(x[3], spinSteps) })
	qd.StreamParallel(func() { x[4] = generate(x[4], spinSteps) })
	qd.StreamParallel(func() { x[5] = generate(x[5], spinSteps) })
	qd.StreamParallel(func() { x[6] = generate(x[6], spinSteps) })
	qd.StreamParallel(func() { x[7] = generate(x[7], spinSteps) })
	qd.StreamParallel(func() { x[8] = generate(x[8], spinSteps) })
	qd.StreamParallel(func() { x[9] = generate(x[9], spinSteps) })
	qd.StreamParallel(func() { x[10] = generate(x[10], spinSteps) })
	qd.StreamParallel(func() { x[11] = generate(x[11], spinSteps) })
	qd.StreamParallel(func() { x[12] = generate(x[12], spinSteps) })
	qd.StreamParallel(func() { x[13] = generate(x[13], spinSteps) })
	qd.StreamParallel(func() { x[14] = generate(x[14], spinSteps) })
	qd.StreamParallel(func() { x[15] = generate(x[15], spinSteps) })
}

func spin32(x []int32) {
	qd.StreamParallel(func() { x[0] = generate(x[0], spinSteps) })
	qd.StreamParallel(func() { x[1] = generate(x[1], spinSteps) })
	qd.StreamParallel(func() { x[2] = generate(x[2], spinSteps) })
	qd.StreamParallel(func() { x[3] = generate(x[3], spinSteps) })
	qd.StreamParallel(func() { x[4] = generate(x[4], spinSteps) })
	qd.StreamParallel(func() { x[5] = generate(x[5], spinSteps) })
	qd.StreamParallel(func() { x[6] = generate(x[6], spinSteps) })
	qd.StreamParallel(func() { x[7] = generate(x[7], spinSteps) })
	qd.StreamParallel(func() { x[8] = generate(x[8], spinSteps) })
	qd.StreamParallel(func() { x[9] = generate(x[9], spinSteps) })
	qd.StreamParallel(func() { x[10] = generate(x[10], spinSteps) })
	qd.StreamParallel(func() { x[11] = generate(x[11], spinSteps) })
	qd.StreamParallel(func() { x[12] = generate(x[12], spinSteps) })
	qd.StreamParallel(func() { x[13] = generate(x[13], spinSteps) })
	qd.StreamParallel(func() { x[14] = generate(x[14], spinSteps) })
	qd.StreamParallel(func() { x[15] = generate(x[15], spinSteps) })
	qd.StreamParallel(func() { x[16] = generate(x[16], spinSteps) })
	qd.StreamParallel(func() { x[17] = generate(x[17], spinSteps) })
	qd.StreamParallel(func() { x[18] = generate(x[18], spinSteps) })
	qd.StreamParallel(func() { x[19] = generate(x[19], spinSteps) })
	qd.StreamParallel(func() { x[20] = generate(x[20], spinSteps) })
	qd.StreamParallel(func() { x[21] = generate(x[21], spinSteps) })
	qd.StreamParallel(func() { x[22] = generate(x[22], spinSteps) })
	qd.StreamParallel(func() { x[23] = generate(x[23], spinSteps) })
	qd.StreamParallel(func() { x[24] = generate(x[24], spinSteps) })
	qd.StreamParallel(func() { x[25] = generate(x[25], spinSteps) })
	qd.StreamParallel(func() { x[26] = generate(x[26], spinSteps) })
	qd.StreamParallel(func() { x[27] = generate(x[27], spinSteps) })
	qd.StreamParallel(func() { x[28] = generate(x[28], spinSteps) })
	qd.StreamParallel(func() { x[29] = generate(x[29], spinSteps) })
	qd.StreamParallel(func() { x[30] = generate(x[30], spinSteps) })
	qd.StreamParallel(func() { x[31] = generate(x[31], spinSteps) })
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
