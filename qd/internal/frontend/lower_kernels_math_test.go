package frontend_test

import (
	"math"
	"math/bits"

	"github.com/quadrants-go/quadrants/qd"
)

func floats(in []int32, x []float64, out []int64, y []float64) {
	for i := range x {
		v := x[i]
		y[i] = v*v - 3/v + float64(in[i])*0.25
		if math.IsNaN(v) || math.IsInf(v, 1) {
			y[i] = math.Copysign(2, v)
		}
		if math.Signbit(v) {
			out[i] = 1
		}
		w := math.Abs(v)
		y[i] += math.Sqrt(w) + math.Floor(v) + math.Trunc(v)*math.Ceil(v) + math.Round(v*10) - math.RoundToEven(v/2)
		s, c := math.Sincos(w / 100)
		y[i] += s + c*2 + math.Atan2(v, 2) + math.Exp(-w) + math.Log(w+1) + math.Pow(w, 0.3) + math.Hypot(v, 3)
		whole, part := math.Modf(v)
		y[i] += whole*100 + part + math.Mod(v, 1.5) + math.Dim(v, 1)
		y[i] -= math.Cbrt(v) + math.Tanh(v) + math.Log1p(w) + math.Expm1(-w)
		out[i] += int64(math.Float64bits(v)>>52) + int64(math.Float32bits(float32(v)))
		y[i] += math.Float64frombits(0x3ff0000000000000 | uint64(i))
		if math.IsInf(v, int(in[i])) || math.IsInf(v, -1) {
			out[i] += 1 << 40
		}
	}
}

func minMax(in []int32, x []float64, out []int64, y []float64) {
	for i := range x {
		v, w := x[i], x[(i+1)%len(x)]
		out[i] = int64(min(in[i], 7, int32(i))) + int64(max(uint32(in[i]), 3)%1000)
		y[i] = min(v, w) + max(v, 0.5)
		if i > 4 {
			y[i] = math.Max(v, w)*3 + math.Min(v, -0.25)
		}
		if i < 4 {
			y[i] = math.Max(v, w)
		}
		if i == 2 {
			y[i] = math.Max(x[1], v)
		}
	}
}

func conversions(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := in[i]
		out[i] = int64(int8(a)) + int64(uint8(a))*3 + int64(uint16(a))*5 + int64(uint32(a))*7 + int64(int16(a))
		y[i] = float64(a) + float64(float32(a)/3) + float64(uint64(int64(a)))
		if i > 3 {
			out[i] += int64(x[i]) + int64(int32(x[i]*100)) + int64(uint8(math.Abs(x[i])))
		}
		y[i] += float64(x[i]*x[i]) + 1
	}
}

func single(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		f := float32(in[i]) / 7
		g := float32(math.Floor(float64(f))) + float32(math.Sqrt(float64(f*f))) + float32(math.Max(float64(f), 2))
		g -= float32(math.Abs(float64(f)))
		y[i] = float64(g)
		y[i] += float64(float32(math.Copysign(float64(f), -1)))
	}
}

func bitFunctions(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		u, v := uint32(in[i]), uint64(in[i])*0x9e3779b97f4a7c15
		n := bits.OnesCount32(u) + bits.LeadingZeros64(v)*100 + bits.TrailingZeros32(u)*10000 + bits.Len8(uint8(u))*1000000
		n += bits.Len(uint(u)) + bits.OnesCount8(uint8(v)) + bits.LeadingZeros16(uint16(u))
		out[i] = int64(n) ^ int64(bits.Reverse64(v)) ^ int64(bits.ReverseBytes32(u)) ^ int64(bits.Reverse8(uint8(u)))
		out[i] ^= int64(bits.RotateLeft64(v, i)) ^ int64(bits.RotateLeft32(u, -i)) ^ int64(bits.RotateLeft8(uint8(u), 3))
	}
}

func wideProducts(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		v := uint64(in[i]) * 0x9e3779b97f4a7c15
		hi, lo := bits.Mul64(v, v+uint64(i))
		h32, l32 := bits.Mul32(uint32(v), uint32(in[i]))
		out[i] = int64(hi ^ lo*3 ^ uint64(h32)<<7 ^ uint64(l32))
	}
}

func reductions(in []int32, x []float64, out []int64, y []float64) {
	var s int64
	p := int64(1)
	lo := int64(math.MaxInt64)
	any := uint32(0)
	for i := range in {
		s += int64(in[i])
		if i > 3 && i < 10 {
			p *= int64(i)
		}
		any |= uint32(in[i])
		qd.AtomicMin(&lo, int64(in[i]))
		out[5]++
		out[6] -= int64(in[i])
		out[7] ^= int64(in[i]) << 5
	}
	out[0] = s
	out[1] = p
	out[2] = lo
	out[3] = int64(any)
	a := [3]int64{}
	for i := range 50 {
		a[i%3] += int64(i)
	}
	out[4] = a[0] + a[1]*1000 + a[2]*1000000
}

func histogram(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		b := int(uint32(in[i])) % 16
		out[b]++
		qd.AtomicAdd(&out[16+b], int64(i))
		qd.AtomicMax(&out[32], int64(in[i]))
		qd.AtomicOr(&out[33], int64(in[i]))
	}
}

func deviceFunctions(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		d := in[i]
		if d == 0 {
			d = 5
		}
		out[i] = int64(qd.FloorDiv(int32(i)-30, d)*100+qd.FloorMod(int32(i)-30, d)) + int64(qd.Abs(d)) + int64(qd.Sign(d))
		out[i] += int64(qd.Clamp(d, -5, 5))
		v := x[i]
		y[i] = qd.Sqrt(qd.Abs(v)) + qd.Floor(v) + qd.Clamp(v, -1, 1) + qd.Mix(1, 3, 0.25) + qd.Sign(v)
		if i > 4 {
			y[i] += qd.FloorMod(v, 0.7) + qd.FloorDiv(v, 0.7) + qd.Rsqrt(qd.Abs(v))
		}
		if qd.IsNaN(v) || qd.IsInf(v) {
			out[i]++
		}
	}
}

func halves(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a, b := qd.F16(float32(in[i])/9), qd.F16(float32(i)+0.3)
		c := a.Add(b).Mul(qd.F16(0.5)).Sub(b)
		out[i] = int64(c.Bits())<<16 | int64(a.Neg().Bits())
		if a.Less(b) {
			out[i]++
		}
		if a == b || a.Equal(c) {
			out[i]--
		}
		y[i] = float64(c.Float32()) + float64(qd.Float16FromBits(uint16(i)).Float32())
		var z qd.Float16
		out[i] += int64(z.Bits())
	}
}

func ranges(in []int32, x []float64, out []int64, y []float64) {
	for i, j := range qd.NDRange2(8, 8) {
		out[i*8+j] = int64(i - j)
	}
	for p := range qd.NDRange3(4, 4, 4) {
		q := p
		q[0]++
		out[p[0]*16+p[1]*4+p[2]] += int64(q[0]*100 + q[1]*10 + q[2])
	}
	for i, v := range in {
		y[i] = float64(v)
		for a, b := range qd.NDRange2(2, i%4) {
			y[i] += float64(a * b)
		}
	}
}

const (
	zero = iota
	one
	two
)

func constants(in []int32, x []float64, out []int64, y []float64) {
	const local = two * 10
	for i := range in {
		out[i] = local + one + 'a' + math.MaxInt16 + int64(len("abc"))
		y[i] = math.Pi * two / 3
		if two > one {
			out[i]++
		}
		if false {
			out[i] = 0
		} else if zero == 0 {
			out[i] += 2
		}
		var f float32 = 0.1
		y[i] += float64(f)
		y[i] += 1 << 3.0
	}
}

func serialLoop(in []int32, x []float64, out []int64, y []float64) {
	out[0] = 1
	qd.LoopConfig(qd.Serialize())
	for i := range len(in) - 1 {
		out[i+1] = out[i]*3 + int64(in[i])
	}
	for i := 1; i < len(x); i++ {
		y[i] = y[i-1] + 1
	}
	n := len(in)
	for i := range n {
		out[i] += int64(n)
	}
	if out[3] == 0 {
		return
	}
	out[2]++
}

func closures3(in []int32, x []float64, out []int64, y []float64) {
	k := 0
	for k < 5 {
		for i := range in[k:] {
			out[i] += int64(k)
		}
		k++
	}
	for i := range out {
		out[i] += int64(k) * 100
	}
}

type vec2 [2]float64

func (a vec2) add(b vec2) vec2 { return vec2{a[0] + b[0], a[1] + b[1]} }

func pick(a, b vec2, which bool) vec2 {
	if which {
		return a
	}
	return b
}

func both(a vec2) (vec2, vec2) { return a, a }

func same2(a vec2) (r vec2) {
	r = a
	return
}

func aggregateResults(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a, b := vec2{float64(in[i]), 1}, vec2{2, 3}
		c := pick(a, b, i%2 == 0).add(b)
		d, e := both(c)
		d[0]++
		f := same2(d)
		f[1]--
		a, b = b.add(a), a
		y[i] = c[0] + d[0]*10 + e[0]*100 + f[1]*1000 + a[0] + b[1]
	}
}

func window(a []int32, at int) []int32 {
	if at > len(a)-4 {
		return a[len(a)-4:]
	}
	return a[at : at+4]
}

func sliceResults(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		w := window(in, i)
		out[i] = total(w) + int64(len(w))
		w = window(in, 3)
		out[i] += int64(w[1])
	}
}

func aliasing(in []int32, x []float64, out []int64, y []float64) {
	for i := range in {
		a := vec2{1, float64(i)}
		b := a
		a[0] = 5
		p := &a
		p[1] = 9
		c := *p
		p[0] = 6
		y[i] = a[0] + b[0]*10 + b[1]*100 + c[0]*1000
		v := x[i]
		w := v
		v++
		y[i] += w - v
	}
}
