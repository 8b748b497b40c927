package main

import "github.com/quadrants-go/quadrants/qd"

type config struct{ dt, drag float32 }

type sim struct {
	name    string
	x, v    *qd.NDArray[[2]float32]
	density *qd.NDArray[float32]
	unused  *qd.NDArray[float64]
	cfg     config
	steps   int
}

func (s *sim) move(i int) {
	p := s.x.At(i)
	p[0] += s.cfg.dt * s.v.At(i)[0]
}

func kernel(s *sim, scale float32) {
	for i := range s.x.Len() {
		s.move(i)
	}
	for i, j := range qd.NDRange2(s.density.Dim(0), s.density.Dim(1)) {
		*s.density.At(i, j) *= scale
	}
}
/* lowered:
kernel kernel(s.x [][2]f32, s.v [][2]f32, s.density [][]f32, s.cfg struct{f32@0,f32@4}, scale f32)
  for L0 in 0..len(s.x) parallel {
    t0 = atomic_add(s.x[i0]![0]!, mul(s.cfg.0, s.v[i0][0]!))
  }
  for L1 in 0..len(s.density), 0..len(s.density, 1) parallel {
    s.density[i1, i1.1]! = mul(s.density[i1, i1.1]!, scale)
  }
*/
