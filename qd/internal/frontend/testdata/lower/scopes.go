package main

import "github.com/quadrants-go/quadrants/qd"

func kernel(a, b []float32, sum []float32) {
	const two = 2
	qd.StreamParallel(func() {
		qd.LoopConfig(qd.BlockDim(128), qd.Name("fill"))
		for i := range a {
			a[i] = two
		}
	})
	qd.StreamParallel(func() {
		sum[0] += 1
		for i := range b {
			sum[0] += b[i]
		}
	})
}
/* lowered:
kernel kernel(a []f32, b []f32, sum []f32)
  stream_parallel 1 {
    for L0 in 0..len(a) parallel block_dim=128 name="fill" {
      a[i0]! = f32(2)
    }
  }
  stream_parallel 2 {
    t0 = atomic_add(sum[0], f32(1))
    for L1 in 0..len(b) parallel {
      t1 = atomic_add(sum[0], b[i1]!)
    }
  }
*/
