package parity

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
	"github.com/quadrants-go/quadrants/tests/devices"
)

// onDevices runs a case on every device.
func onDevices(t *testing.T, f func(t *testing.T, run func(kernel any, args ...any))) {
	devices.Each(t, qd.Config{}, func(t *testing.T, rt *qd.Runtime) {
		f(t, func(kernel any, args ...any) {
			t.Helper()
			k, err := qd.NewKernel(rt, kernel)
			require.NoError(t, err)
			require.NoError(t, k.Launch(args...))
		})
	})
}

// one is a slice of n zeroes with the given first values.
func of[T any](n int, first ...T) []T { return append(first, make([]T, n-len(first))...) }

func TestIntegerArithmetic(t *testing.T) {
	onDevices(t, func(t *testing.T, run func(any, ...any)) {
		h, sum, bad := of[int32](1), of[int32](1), of[int32](1)
		run(p01, h, sum, bad)
		require.Equal(t, []int32{805617746, -146, 0}, []int32{h[0], sum[0], bad[0]}, "P01")

		i, f := of[int32](5), of[float32](5)
		run(p02, i, f)
		require.Equal(t, []int32{3, -4, -4, 1, -1}, i, "P02")
		require.Equal(t, []float32{3, -4, -4, 1.5, -1.5}, f, "P02")

		i = of[int32](2)
		run(p03, i)
		require.Equal(t, []int32{-4, 1}, i, "P03")

		x := []float32{41, 47, 55, 61, 82, 83, 94, 97}
		f = of[float32](8)
		run(p04, f, x)
		require.Equal(t, []float32{1, 1, 1, 1, 1, 1, 1, 1}, f, "P04")

		a, b, c, d := of[int32](3, 0, 0, 1), of[int8](1), of[uint8](1), of[uint64](1)
		run(p11, a, b, c, d)
		require.Equal(t, []any{int32(math.MinInt32), int32(1), int8(-128), uint8(255), uint64(math.MaxUint64)}, []any{a[0], a[1], b[0], c[0], d[0]}, "P11")
	})
}

func TestConversions(t *testing.T) {
	onDevices(t, func(t *testing.T, run func(any, ...any)) {
		i := of[int32](6)
		run(p06, i, []float32{-1.9, -0.5, 0.5, 1.9, 4.6, 2147483520})
		require.Equal(t, []int32{-1, 0, 0, 1, 4, 2147483520}, i, "P06")

		a, b, c, d := of[int32](1), of[uint32](1), of[uint8](1), of[int16](1)
		run(p07, a, b, c, d, []int8{-128}, []int32{65537})
		require.Equal(t, []any{int32(-128), uint32(4294967168), uint8(128), int16(1)}, []any{a[0], b[0], c[0], d[0]}, "P07")

		half, single := make([]qd.Float16, 4), of[float32](1)
		run(p40, half, single)
		require.Equal(t, []float32{0.333251953125, 2048, 65504, 105.1875},
			[]float32{half[0].Float32(), half[1].Float32(), half[2].Float32(), half[3].Float32()}, "P40")
		require.Equal(t, float32(99.9990463256836), single[0], "P40")
	})
}

func TestBits(t *testing.T) {
	onDevices(t, func(t *testing.T, run func(any, ...any)) {
		i, u, powers, halves := of[int32](3), of[uint32](1), of[int32](8), of[int32](9)
		run(p08, i, u, powers, halves)
		require.Equal(t, []int32{-4, 2147483644, -2147483648}, i, "P08")
		require.Equal(t, uint32(15), u[0], "P08")
		require.Equal(t, []int32{3, 6, 12, 24, 48, 96, 192, 384}, powers, "P08")
		require.Equal(t, []int32{-256, -128, -64, -32, -16, -8, -4, -2, -1}, halves, "P08")

		n := of[int](6)
		run(p27, n, []uint32{0xF0F0F0F0, 1, 0, 0x10000, 8})
		require.Equal(t, []int{16, 31, 32, 15, 0, 4}, n, "P27")
	})
}

func TestFloats(t *testing.T) {
	onDevices(t, func(t *testing.T, run func(any, ...any)) {
		out := of[float64](9)
		run(p28, out, []float64{-1.5, -0.5, 0.5, 1.5, 2.5})
		require.Equal(t, []float64{-2, -1, 1, 2, 3, -2, 1, -1, 2}, out, "P28")

		// Go: min and max give NaN where either is one; upstream gives 1.
		b, low, high := of[bool](2), of[float64](1), of[float64](1)
		run(p29, b, low, high, math.NaN())
		require.Equal(t, []bool{false, true}, b, "P29")
		require.True(t, math.IsNaN(low[0]) && math.IsNaN(high[0]), "P29")

		a := mat3{{2, 1, 0}, {1, 3, 1}, {0, 1, 4}}
		det, square, identity := of[float64](1), make([]mat3, 1), make([]mat3, 1)
		run(p38, det, square, identity, a)
		require.InDelta(t, 18, det[0], 1e-12, "P38")
		require.Equal(t, mat3{{5, 5, 1}, {5, 11, 7}, {1, 7, 17}}, square[0], "P38")
		for i := range 3 {
			for j := range 3 {
				want := 0.0
				if i == j {
					want = 1
				}
				require.InDelta(t, want, identity[0][i][j], 1e-12, "P38")
			}
		}
	})
}

func TestReductionsAndAtomics(t *testing.T) {
	onDevices(t, func(t *testing.T, run func(any, ...any)) {
		narrow, wide := of[int32](1), of[int64](1)
		run(p12, narrow, wide)
		require.Equal(t, int32(1783293664), narrow[0], "P12")
		require.Equal(t, int64(499999500000), wide[0], "P12")

		longest, total := of[int64](1), of[int64](1)
		run(p15, longest, total, 10000)
		require.Equal(t, []int64{261, 6171, 849637}, []int64{longest[0] / 100000, 100000 - 1 - longest[0]%100000, total[0]}, "P15")

		c, old := of[int32](1), of[int32](128)
		run(p30, c, old)
		slices.Sort(old)
		require.Equal(t, int32(5376), c[0], "P30")
		for i, v := range old {
			require.Equal(t, int32(42*i), v, "P30")
		}

		hi, lo := of[uint64](1), of[uint64](1, math.MaxUint64)
		run(p31, hi, lo)
		require.Equal(t, []uint64{9223372036854775808, 100}, []uint64{hi[0], lo[0]}, "P31")
	})
}

func TestLoops(t *testing.T) {
	onDevices(t, func(t *testing.T, run func(any, ...any)) {
		i := of[int32](4)
		run(p13, i)
		require.Equal(t, []int32{204, 45, 55, 25}, i, "P13")

		x := of[int64](1)
		run(p14, x, 2000)
		require.Equal(t, int64(5999000), x[0], "P14")

		i = of[int32](1)
		run(p16, i)
		require.Equal(t, int32(1229), i[0], "P16")

		s, trips := of[int32](1), of[int32](1)
		run(p17, s, trips)
		require.Equal(t, []int32{1271317238, 12}, []int32{s[0], trips[0]}, "P17")

		i = of[int32](1)
		run(p18, i, 0)
		require.Equal(t, int32(0), i[0], "P18")

		i = of[int32](1)
		run(p19, i)
		require.Equal(t, int32(5), i[0], "P19")

		for k := range 6 {
			g := [][]int32{of[int32](5), of[int32](5), of[int32](5)}
			run(p21, g, k)
			for a := range g {
				for b, v := range g[a] {
					want := int32(0)
					if b < k {
						want = int32(100*a + b)
					}
					require.Equal(t, want, v, "P21")
				}
			}
		}

		i = of[int32](6)
		run(p22, i)
		require.Equal(t, []int32{0, 18, 0, 18, 0, 18}, i, "P22")

		i = of[int32](2)
		run(p23, i, 1000)
		require.Equal(t, []int32{325073297, 1946827437}, i, "P23")
		run(p23, i, 5000000)
		require.Equal(t, int32(749698524), i[0], "P23")

		n, w := of[int32](1), of[int64](1)
		run(p24, n, w)
		require.Equal(t, int32(-298632863), n[0], "P24")
		require.Equal(t, int64(2880067194370816120), w[0], "P24")

		a := of[int32](10)
		run(p42, a)
		for j, v := range a {
			require.Equal(t, int32(4950+j), v, "P42")
		}
	})
}

func TestShortCircuit(t *testing.T) {
	onDevices(t, func(t *testing.T, run func(any, ...any)) {
		out, counter := of[int32](2), of[int32](1)
		run(p34, out, counter, int32(0))
		require.Equal(t, []int32{0, 3, 0}, []int32{out[0], out[1], counter[0]}, "P34")
	})
}

func TestArrays(t *testing.T) {
	onDevices(t, func(t *testing.T, run func(any, ...any)) {
		const n, m = 20, 30
		x, y, z := of[float32](n), of[float32](n), of[float32](n)
		f, lap := make([][]float32, n), make([][]float32, n)
		for i := range n {
			x[i], y[i] = float32(i), float32(3*i)
			f[i], lap[i] = of[float32](m), of[float32](m)
			for j := range m {
				f[i][j] = float32(i*i + 3*j)
			}
		}
		run(p35, z, x, y, lap, f)
		for i := range n {
			require.Equal(t, float32(20*i), z[i], "P35")
			for j := range m {
				want := float32(-2)
				if i == 0 || j == 0 || i == n-1 || j == m-1 {
					want = 0
				}
				require.Equal(t, want, lap[i][j], "P35")
			}
		}

		v := [][]float32{of[float32](50), of[float32](50), of[float32](50)}
		sums := of[float32](2)
		run(p41, make([]soa, 50), of[int32](50), v, sums)
		require.Equal(t, []float32{12400, 12400}, sums, "P41")
	})
}
