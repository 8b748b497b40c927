package kernels

import "math/bits"

func bitCounts(out []int, x8 []uint8, x32 []uint32, x64 []uint64) {
	for i := range x32 {
		k := i * 12
		out[k] = bits.OnesCount32(x32[i])
		out[k+1] = bits.LeadingZeros32(x32[i])
		out[k+2] = bits.TrailingZeros32(x32[i])
		out[k+3] = bits.Len32(x32[i])
		out[k+4] = bits.OnesCount64(x64[i])
		out[k+5] = bits.LeadingZeros64(x64[i])
		out[k+6] = bits.TrailingZeros64(x64[i])
		out[k+7] = bits.Len64(x64[i])
		out[k+8] = bits.OnesCount8(x8[i])
		out[k+9] = bits.LeadingZeros8(x8[i])
		out[k+10] = bits.TrailingZeros8(x8[i])
		out[k+11] = bits.Len(uint(x64[i]))
	}
}

func bitMoves(out32 []uint32, out64 []uint64, x32 []uint32, x64 []uint64) {
	for i := range x32 {
		out32[i*4] = bits.Reverse32(x32[i])
		out32[i*4+1] = bits.ReverseBytes32(x32[i])
		out32[i*4+2] = bits.RotateLeft32(x32[i], 5)
		out32[i*4+3] = bits.RotateLeft32(x32[i], -7)
		out64[i*3] = bits.Reverse64(x64[i])
		out64[i*3+1] = bits.ReverseBytes64(x64[i])
		out64[i*3+2] = bits.RotateLeft64(x64[i], 13)
	}
}

func bitsCases() []Case {
	return []Case{
		{Name: "bitCounts", Kernel: bitCounts, Args: func() []any {
			return []any{make([]int, 12*60), ints[uint8](60), ints[uint32](60), ints[uint64](60)}
		}},
		{Name: "bitMoves", Kernel: bitMoves, Args: func() []any {
			return []any{make([]uint32, 4*60), make([]uint64, 3*60), ints[uint32](60), ints[uint64](60)}
		}},
	}
}
