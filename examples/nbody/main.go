// Nbody moves bodies under their mutual gravity with a method as a kernel: the receiver's arrays and scalars are the
// kernel's arguments.
package main

import (
	"embed"
	"fmt"
	"log"
	"math"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

const bodies = 512

type vec [3]float32

// System holds the bodies: positions, velocities, and the masses, in units where the gravitational constant is 1.
type System struct {
	x, v      *qd.NDArray[vec]
	mass      *qd.NDArray[float32]
	softening float32
}

// Kick accelerates every body by all others over dt.
func (s *System) Kick(dt float32) {
	for i := range s.x.Len() {
		p := *s.x.At(i)
		var a vec
		for j := range s.x.Len() {
			q := *s.x.At(j)
			d := vec{q[0] - p[0], q[1] - p[1], q[2] - p[2]}
			r2 := d[0]*d[0] + d[1]*d[1] + d[2]*d[2] + s.softening*s.softening
			f := *s.mass.At(j) / (r2 * qd.Sqrt(r2))
			for k := range 3 {
				a[k] += f * d[k]
			}
		}
		v := s.v.At(i)
		for k := range 3 {
			v[k] += dt * a[k]
		}
	}
}

// Drift moves every body by its velocity over dt.
func (s *System) Drift(dt float32) {
	for i := range s.x.Len() {
		x, v := s.x.At(i), s.v.At(i)
		for k := range 3 {
			x[k] += dt * v[k]
		}
	}
}

// momentum sums mass times velocity; gravity keeps it constant.
func (s *System) momentum() ([3]float64, error) {
	v, err := s.v.Slice()
	if err != nil {
		return [3]float64{}, err
	}
	m, err := s.mass.Slice()
	if err != nil {
		return [3]float64{}, err
	}
	var sum [3]float64
	for i := range v {
		for k := range 3 {
			sum[k] += float64(m[i] * v[i][k])
		}
	}
	return sum, nil
}

func run() error {
	rt, err := qd.Open(qd.Config{Arch: qd.Auto})
	if err != nil {
		return err
	}
	defer rt.Close()
	s := &System{
		x: qd.MustNDArray[vec](rt, bodies), v: qd.MustNDArray[vec](rt, bodies),
		mass: qd.MustNDArray[float32](rt, bodies), softening: 0.05,
	}
	x, m := make([]vec, bodies), make([]float32, bodies)
	for i := range x {
		t := float64(i) * 2.399963 // the golden angle spreads the bodies over a disk
		r := math.Sqrt(float64(i+1) / bodies)
		x[i] = vec{float32(r * math.Cos(t)), float32(r * math.Sin(t)), float32(i%7) / 70}
		m[i] = 1.0 / bodies
	}
	if err := s.x.CopyFrom(x); err != nil {
		return err
	}
	if err := s.mass.CopyFrom(m); err != nil {
		return err
	}
	kick, err := qd.NewKernel(rt, (*System).Kick)
	if err != nil {
		return err
	}
	drift, err := qd.NewKernel(rt, (*System).Drift)
	if err != nil {
		return err
	}
	for range 20 {
		if err := kick.Launch(s, float32(0.01)); err != nil {
			return err
		}
		if err := drift.Launch(s, float32(0.01)); err != nil {
			return err
		}
	}
	sum, err := s.momentum()
	if err != nil {
		return err
	}
	for k := range 3 {
		if !(math.Abs(sum[k]) < 1e-4) {
			return fmt.Errorf("momentum %v, want 0", sum)
		}
	}
	fmt.Println(rt.Arch(), "ok")
	return nil
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
