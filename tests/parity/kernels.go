// Package parity holds the cases whose results are known for upstream Quadrants (or, where Go decides otherwise, for
// Go): one kernel a case, numbered as in the project's list of parity cases.
package parity

import (
	"embed"
	"math"
	"math/bits"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

// p01 hashes upstream's // and % over all pairs in [-10, 10], in order.
func p01(h []int32, sum []int32, bad []int32) {
	for range 1 {
		for i := -10; i <= 10; i++ {
			for j := -10; j <= 10; j++ {
				if j == 0 {
					continue
				}
				a, b := int32(i), int32(j)
				q, r := qd.FloorDiv(a, b), qd.FloorMod(a, b)
				if q*b+r != a || r != 0 && (r < 0) != (b < 0) {
					bad[0]++
				}
				h[0] = h[0]*31 + q
				h[0] = h[0]*31 + r
				sum[0] += q
			}
		}
	}
}

func p02(out []int32, f []float32) {
	out[0], out[1], out[2] = qd.FloorDiv(int32(10), int32(3)), qd.FloorDiv(int32(-10), int32(3)), qd.FloorDiv(int32(10), int32(-3))
	f[0], f[1], f[2] = qd.FloorDiv(float32(10), 3), qd.FloorDiv(float32(-10), 3), qd.FloorDiv(float32(10), -3)
	three, two := float32(out[0]), float32(2)
	f[3], f[4] = three/two, -three/two
	out[3], out[4] = int32(f[3]), int32(f[4])
}

func p03(out []int32) {
	a, b := int32(-7), int32(2)
	out[0], out[1] = qd.FloorDiv(a, b), qd.FloorMod(a, b)
}

func p04(out, x []float32) {
	for i := range x {
		switch i {
		case 0:
			out[i] = qd.FloorDiv(x[i], 41)
		case 1:
			out[i] = qd.FloorDiv(x[i], 47)
		case 2:
			out[i] = qd.FloorDiv(x[i], 55)
		case 3:
			out[i] = qd.FloorDiv(x[i], 61)
		case 4:
			out[i] = qd.FloorDiv(x[i], 82)
		case 5:
			out[i] = qd.FloorDiv(x[i], 83)
		case 6:
			out[i] = qd.FloorDiv(x[i], 94)
		default:
			out[i] = qd.FloorDiv(x[i], 97)
		}
	}
}

func p06(out []int32, x []float32) {
	for i := range x {
		out[i] = int32(x[i])
	}
}

func p07(a []int32, b []uint32, c []uint8, d []int16, x []int8, y []int32) {
	for i := range x {
		a[i], b[i], c[i] = int32(x[i]), uint32(x[i]), uint8(x[i])
		d[i] = int16(y[i])
	}
}

func p08(out []int32, u []uint32, powers, halves []int32) {
	n := int32(-8)
	out[0] = n >> 1
	out[1] = int32(uint32(n) >> 1)
	one := int32(1)
	out[2] = one << 31
	u[0] = uint32(0xF0000000) >> 28
	for i := range powers {
		powers[i] = 3 << i
	}
	for i := range halves {
		halves[i] = -256 >> i
	}
}

func p11(a []int32, b []int8, c []uint8, d []uint64) {
	top := int32(math.MaxInt32)
	a[0], a[1] = top+a[2], top*top
	b[0] += 127
	b[0]++
	c[0]--
	d[0]--
}

func p12(narrow []int32, wide []int64) {
	for i := range 1000000 {
		narrow[0] += int32(i)
		wide[0] += int64(i)
	}
}

func p13(out []int32) {
	for range 1 {
		for i := range 9 {
			out[0] += int32(i * i)
		}
		i, s := int32(0), int32(0)
		for s < 46 {
			i++
			s += i
		}
		out[1], out[2] = s-i, s
		for i := range 100 {
			if i%2 == 0 {
				continue
			}
			if i > 9 {
				break
			}
			out[3] += int32(i)
		}
	}
}

func p14(x []int64, n int) {
	for i := range n {
		for range i {
			x[0]++
		}
	}
	for range n * n {
		x[0]++
	}
}

func p15(longest []int64, total []int64, n int) {
	for i := range n - 1 {
		steps, x := int64(0), int64(i+1)
		for x != 1 {
			if x%2 == 0 {
				x /= 2
			} else {
				x = 3*x + 1
			}
			steps++
		}
		total[0] += steps
		qd.AtomicMax(&longest[0], steps*100000+100000-1-int64(i+1)) // the first of the longest wins
	}
}

func p16(count []int32) {
	for i := range 10000 {
		if i < 2 {
			continue
		}
		prime := true
		for j := 2; j*j <= i; j++ {
			if i%j == 0 {
				prime = false
				break
			}
		}
		if prime {
			count[0]++
		}
	}
}

func p17(s []int32, trips []int32) {
	qd.LoopConfig(qd.Serialize())
	for a, b := range qd.NDRange2(3, 4) {
		i, j := int32(a+2), int32(b-1)
		s[0] = s[0]*7 + i*10 + j
		trips[0]++
	}
}

func p18(count []int32, none int) {
	for range none {
		count[0]++
	}
	for range 2 - 5 + none {
		count[0]++
	}
	for range qd.NDRange2(none, 4) {
		count[0]++
	}
	for range 5 {
		for range none {
			count[0]++
		}
	}
}

func p19(trips []int32) {
	for range 1 {
		n := 5
		for range n {
			n = 100
			trips[0]++
		}
	}
}

func p21(x [][]int32, k int) {
	for i := range len(x) {
		for j := range len(x[0]) {
			if j == k {
				break
			}
			x[i][j] = int32(100*i + j)
		}
	}
}

// p22 skips with continue at every level.
func p22(x []int32) {
	for i := range x {
		if i%2 == 0 {
			continue
		}
		for j := range 10 {
			if j%3 != 0 {
				continue
			}
			x[i] += int32(j)
		}
	}
}

func p23(out []int32, n int) {
	for i := range 2 {
		x := int32(i)
		for range n {
			x = qd.FloorMod(1664525*x+1013904223, 2147483647)
		}
		out[i] = x
	}
}

func p24(narrow []int32, wide []int64) {
	for range 1 {
		a, b := int32(0), int32(1)
		for range 50 {
			a, b = b, a+b
		}
		narrow[0] = a
		c, d := int64(0), int64(1)
		for range 90 {
			c, d = d, c+d
		}
		wide[0] = c
	}
}

func p27(out []int, x []uint32) {
	out[0] = bits.OnesCount32(x[0])
	out[1] = bits.LeadingZeros32(x[1])
	out[2] = bits.LeadingZeros32(x[2])
	out[3] = bits.LeadingZeros32(x[3])
	out[4] = bits.Len32(x[2] & -x[2]) // find first set: 0 for 0
	out[5] = bits.Len32(x[4] & -x[4])
}

func p28(out []float64, x []float64) {
	for i := range 5 {
		out[i] = math.Round(x[i])
	}
	out[5], out[6] = math.Floor(x[0]), math.Floor(x[3])
	out[7], out[8] = math.Ceil(x[0]), math.Ceil(x[3])
}

func p29(out []bool, low, high []float64, nan float64) {
	out[0], out[1] = nan == nan, nan != nan
	low[0], high[0] = min(nan, 1), max(nan, 1)
}

func p30(c []int32, old []int32) {
	for i := range old {
		old[i] = qd.AtomicAdd(&c[0], 42)
	}
}

func p31(hi, lo []uint64) {
	for i := range 2 {
		v := uint64(100)
		if i == 1 {
			v = 1 << 63
		}
		qd.AtomicMax(&hi[0], v)
		qd.AtomicMin(&lo[0], v)
	}
}

func touch(counter []int32) bool {
	counter[0]++
	return true
}

func p34(out, counter []int32, x int32) {
	if x != 0 && 10/x > 1 {
		out[0] = 1
	}
	if x != 0 && touch(counter) {
		out[0] = 2
	}
	if x == 0 || touch(counter) {
		out[1] = 3
	}
}

func p35(z, x, y []float32, lap, f [][]float32) {
	for i := range z {
		z[i] = 17*x[i] + y[i]
	}
	for i, j := range qd.NDRange2(len(f)-2, len(f[0])-2) {
		a, b := i+1, j+1
		lap[a][b] = 4*f[a][b] - f[a-1][b] - f[a+1][b] - f[a][b-1] - f[a][b+1]
	}
}

type mat3 [3][3]float64

func (m mat3) mul(n mat3) (p mat3) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				p[i][j] += m[i][k] * n[k][j]
			}
		}
	}
	return p
}

// inverse divides the adjugate by the determinant.
func (m mat3) inverse() (inv mat3, det float64) {
	for i := range 3 {
		for j := range 3 {
			a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
			inv[j][i] = m[a][c]*m[b][d] - m[a][d]*m[b][c]
		}
	}
	for j := range 3 {
		det += m[0][j] * inv[j][0]
	}
	for i := range 3 {
		for j := range 3 {
			inv[i][j] /= det
		}
	}
	return inv, det
}

func p38(det []float64, square, identity []mat3, a mat3) {
	for range 1 {
		inv, d := a.inverse()
		det[0] = d
		square[0] = a.mul(a)
		identity[0] = a.mul(inv)
	}
}

func p40(half []qd.Float16, single []float32) {
	half[0] = qd.F16(float32(1) / 3)
	half[1] = qd.F16(2049)
	half[2] = qd.F16(65504)
	for range 1 {
		h, s := qd.F16(0), float32(0)
		for range 1000 {
			h = h.Add(qd.F16(0.1))
			s += 0.1
		}
		half[3], single[0] = h, s
	}
}

type soa struct {
	n int32
	v [3]float32
}

func p41(aos []soa, n []int32, v [][]float32, sums []float32) {
	for i := range aos {
		aos[i].n = int32(i)
		n[i] = int32(i)
		for k := range 3 {
			aos[i].v[k] = float32(i*3 + k)
			v[k][i] = float32(i*3 + k)
		}
	}
	for i := range aos {
		sums[0] += float32(aos[i].n)
		sums[1] += float32(n[i])
		for k := range 3 {
			sums[0] += aos[i].v[k]
			sums[1] += v[k][i]
		}
	}
}

func p42(a []int32) {
	s := int32(0)
	for i := range 100 {
		s += int32(i)
	}
	for j := range 10 {
		a[j] = s + int32(j)
	}
}
