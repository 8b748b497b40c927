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

