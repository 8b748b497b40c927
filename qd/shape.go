package qd

import (
	"fmt"
	"math"
	"math/bits"
)

// checkShape gives the number of bytes of an array, or says what is wrong with its shape.
func checkShape(shape []int, elementSize uintptr) (int64, error) {
	if len(shape) < 1 || len(shape) > 3 {
		return 0, fmt.Errorf("%d dimensions: an array has 1 to 3", len(shape))
	}
	for _, n := range shape {
		if n < 0 {
			return 0, fmt.Errorf("shape %v: a dimension is negative", shape)
		}
	}
	size := uint64(elementSize)
	for _, n := range shape {
		if n == 0 {
			return 0, nil
		}
	}
	for _, n := range shape {
		high, low := bits.Mul64(size, uint64(n))
		if high != 0 || low > math.MaxInt64 {
			return 0, fmt.Errorf("shape %v: the array would be larger than any memory", shape)
		}
		size = low
	}
	return int64(size), nil
}
