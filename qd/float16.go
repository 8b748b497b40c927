package qd

import "math/bits"

// roundToHalf turns the bits of a float32 into those of the nearest half-precision number, ties to even. A NaN stays one.
func roundToHalf(single uint32) uint16 {
	sign := uint16(single >> 16 & 0x8000)
	exponent := int(single>>23&0xff) - 127 + 15
	fraction := single & 0x7fffff
	switch {
	case exponent == 255-127+15 && fraction != 0:
		return sign | 0x7e00 | uint16(fraction>>13)
	case exponent >= 31:
		return sign | 0x7c00
	case exponent < -10:
		return sign // less than half of the smallest subnormal number
	case exponent <= 0:
		return sign | shiftRounded(fraction|0x800000, 14-exponent)
	}
	// A fraction that rounds up to 1 carries into the exponent, as it should.
	return sign | (uint16(exponent)<<10 + shiftRounded(fraction, 13))
}

// shiftRounded shifts right and rounds to nearest, ties to even.
func shiftRounded(x uint32, by int) uint16 {
	kept, lost, half := x>>by, x&(1<<by-1), uint32(1)<<(by-1)
	if lost > half || lost == half && kept&1 == 1 {
		kept++
	}
	return uint16(kept)
}

// widenHalf turns the bits of a half-precision number into those of the same float32.
func widenHalf(half uint16) uint32 {
	sign, exponent, fraction := uint32(half&0x8000)<<16, uint32(half>>10&0x1f), uint32(half&0x3ff)
	switch {
	case exponent == 31:
		return sign | 0x7f800000 | fraction<<13
	case exponent > 0:
		return sign | (exponent+127-15)<<23 | fraction<<13
	case fraction == 0:
		return sign
	}
	shift := uint32(bits.LeadingZeros32(fraction)) - 21 // makes the leading one the implicit one
	return sign | (127-15+1-shift)<<23 | fraction<<shift&0x3ff<<13
}
