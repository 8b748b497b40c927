package main

func kernel(y, x []float32, a float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}
/* lowered:
kernel kernel(y []f32, x []f32, a f32)
  for L0 in 0..len(y) parallel {
    t0 = atomic_add(y[i0]!, mul(a, x[i0]))
  }
*/
