package qd_test

import "github.com/quadrants-go/quadrants/qd"

func assertions(which int, x []int32, f []float32, halves []qd.Float16, u []uint64) {
	switch which {
	case 0:
		qd.Assert(x[0] > 0, "integers %d %v %5.4d %x", x[0], x[0], x[1], uint64(int64(x[0])))
	case 1:
		qd.Assert(x[0] > 0, "floats %v %5.2f %e %+.2f", f[0], f[1], float64(f[1]), -f[0])
	case 2:
		qd.Assert(x[0] > 0, "others %t %v %q %v", x[1] > 0, x[0] > 0, 'x', halves[0])
	case 3:
		qd.Assert(x[0] > 0, "unsigned %d %X %#x", u[0], u[0], uint8(u[0]))
	case 4:
		qd.Assert(x[0] > 0, "100%% of %v%%", x[1])
	case 5:
		qd.Assert(x[0] > 0, "100% sure")
	case 6:
		qd.Assert(x[0] > 0, "100%% sure")
	default:
		qd.Assert(x[0] > 0, "")
	}
}
