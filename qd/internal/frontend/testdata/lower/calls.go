package main

type vec [2]float32

func (v vec) dot(w vec) float32 { return v[0]*w[0] + v[1]*w[1] }

func first(x []float32, limit float32) (at int, found bool) {
	for i, v := range x {
		if v > limit {
			return i, true
		}
	}
	return -1, false
}

func kernel(x []float32, p []vec, out []int) {
	for i := range out {
		at, found := first(x[i:], p[i].dot(vec{1, 2}))
		if found {
			out[i] = at
		}
	}
}
/* lowered:
kernel kernel(x []f32, p [][2]f32, out []i64)
  for L0 in 0..len(out) parallel {
    check slice(i0, len(x), len(x)) name="x"
    t0 = sub(len(x), i0)
    var #0 [2]f32 = p[i0]
    var #1 [2]f32
    #1[0]! = f32(1)
    #1[1]! = f32(2)
    t1 = add(mul(#0[0]!, #1[0]!), mul(#0[1]!, #1[1]!))
    var at#2 i64
    var found#3 u1
    scope L1 {
      for L2 in 0..t0 serialize {
        t2 = x[add(i0, i2)]!
        if gt(t2, t1) {
          at#2 = i2
          found#3 = true
          break L1
        }
      }
      at#2 = -1
      found#3 = false
      break L1
    }
    if found#3 {
      out[i0]! = at#2
    }
  }
*/
