package qd

import "unsafe"

// Rand is a uniform random number: in [0, 1) for floats, any value for integers. A compiled kernel's numbers follow from
// Config.Seed, the launch and the iteration. In a launch on the Go arch they follow from Config.Seed and the launch; a direct
// call has no seed.
func Rand[T Number]() T {
	bits := randomBits()
	if half := T(1) / T(2); half != 0 { // floats
		if unsafe.Sizeof(half) == 4 {
			return T(float64(bits>>40) / (1 << 24))
		}
		return T(float64(bits>>11) / (1 << 53))
	}
	return T(bits)
}
