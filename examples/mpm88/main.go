// Mpm88 drops a block of fluid into a box and simulates it with the material point method in two dimensions
// (Hu et al., "A Moving Least Squares Material Point Method", SIGGRAPH 2018; the program follows the well-known
// 88-line version of it). It prints how many substeps a second the device does.
package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"time"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

const (
	particles = 8192
	cells     = 128 // on each side of the grid
	dx        = 1.0 / cells
	dt        = 2e-4
	volume    = (dx / 2) * (dx / 2)
	mass      = volume // density 1
	gravity   = 9.8
	wall      = 3 // cells
	stiffness = 400
)

type vec [2]float32

type mat [2][2]float32

func (m mat) apply(v vec) vec {
	return vec{m[0][0]*v[0] + m[0][1]*v[1], m[1][0]*v[0] + m[1][1]*v[1]}
}

// spline returns the quadratic B-spline's weights for the three cells around a particle at offset f.
func spline(f float32) [3]float32 {
	return [3]float32{0.5 * (1.5 - f) * (1.5 - f), 0.75 - (f-1)*(f-1), 0.5 * (f - 0.5) * (f - 0.5)}
}

// cell returns the lowest cell a coordinate touches, and the offset from it in cells.
func cell(x float32) (base int, offset float32) {
	x *= cells
	base = int(x - 0.5)
	return base, x - float32(base)
}

// substep advances particles (position x, velocity v, affine velocity c, volume ratio j) by dt through the grid
// (momentum, then velocity, gv; mass gm).
func substep(x, v []vec, c []mat, j []float32, gv [][]vec, gm [][]float32) {
	for a, b := range qd.NDRange2(cells, cells) {
		gv[a][b] = vec{}
		gm[a][b] = 0
	}
	for p := range x { // particles to grid
		ba, fa := cell(x[p][0])
		bb, fb := cell(x[p][1])
		wa, wb := spline(fa), spline(fb)
		stress := -dt * 4 * stiffness * volume * (j[p] - 1) / (dx * dx)
		affine := mat{
			{stress + mass*c[p][0][0], mass * c[p][0][1]},
			{mass * c[p][1][0], stress + mass*c[p][1][1]},
		}
		for a := range 3 {
			for b := range 3 {
				d := vec{(float32(a) - fa) * dx, (float32(b) - fb) * dx}
				w := wa[a] * wb[b]
				m := affine.apply(d)
				gv[ba+a][bb+b][0] += w * (mass*v[p][0] + m[0])
				gv[ba+a][bb+b][1] += w * (mass*v[p][1] + m[1])
				gm[ba+a][bb+b] += w * mass
			}
		}
	}
	for a, b := range qd.NDRange2(cells, cells) { // momentum to velocity, gravity, walls
		if gm[a][b] > 0 {
			u := gv[a][b]
			u[0] /= gm[a][b]
			u[1] = u[1]/gm[a][b] - dt*gravity
			if a < wall && u[0] < 0 || a > cells-wall && u[0] > 0 {
				u[0] = 0
			}
			if b < wall && u[1] < 0 || b > cells-wall && u[1] > 0 {
				u[1] = 0
			}
			gv[a][b] = u
		}
	}
	for p := range x { // grid to particles
		ba, fa := cell(x[p][0])
		bb, fb := cell(x[p][1])
		wa, wb := spline(fa), spline(fb)
		var nv vec
		var nc mat
		for a := range 3 {
			for b := range 3 {
				d := vec{(float32(a) - fa) * dx, (float32(b) - fb) * dx}
				w := wa[a] * wb[b]
				g := gv[ba+a][bb+b]
				for r := range 2 {
					nv[r] += w * g[r]
					nc[r][0] += 4 * w * g[r] * d[0] / (dx * dx)
					nc[r][1] += 4 * w * g[r] * d[1] / (dx * dx)
				}
			}
		}
		v[p], c[p] = nv, nc
		x[p][0] += dt * nv[0]
		x[p][1] += dt * nv[1]
		j[p] *= 1 + dt*(nc[0][0]+nc[1][1])
	}
}

type state struct {
	x, v *qd.NDArray[vec]
	c    *qd.NDArray[mat]
	j    *qd.NDArray[float32]
	gv   *qd.NDArray[vec]
	gm   *qd.NDArray[float32]
}

func newState(rt *qd.Runtime) (*state, error) {
	s := &state{
		x: qd.MustNDArray[vec](rt, particles), v: qd.MustNDArray[vec](rt, particles),
		c: qd.MustNDArray[mat](rt, particles), j: qd.MustNDArray[float32](rt, particles),
		gv: qd.MustNDArray[vec](rt, cells, cells), gm: qd.MustNDArray[float32](rt, cells, cells),
	}
	x := make([]vec, particles)
	for i := range x {
		r := uint32(i) * 2654435761
		x[i] = vec{0.2 + 0.4*float32(r>>16)/65536, 0.2 + 0.4*float32(r&0xffff)/65536}
	}
	if err := s.x.CopyFrom(x); err != nil {
		return nil, err
	}
	return s, s.j.Fill(1)
}

// height returns the particles' mean height, and an error if one left the box.
func (s *state) height() (float64, error) {
	x, err := s.x.Slice()
	if err != nil {
		return 0, err
	}
	var sum float64
	for i, p := range x {
		if !(p[0] > 0 && p[0] < 1 && p[1] > 0 && p[1] < 1) {
			return 0, fmt.Errorf("particle %d left the box: %v", i, p)
		}
		sum += float64(p[1])
	}
	return sum / particles, nil
}

func run(seconds float64) error {
	rt, err := qd.Open(qd.Config{Arch: qd.Auto})
	if err != nil {
		return err
	}
	defer rt.Close()
	s, err := newState(rt)
	if err != nil {
		return err
	}
	k, err := qd.NewKernel(rt, substep)
	if err != nil {
		return err
	}
	before, err := s.height()
	if err != nil {
		return err
	}
	info, err := os.Stderr.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	ctx := context.Background()
	steps, start := 0, time.Now()
	for time.Since(start).Seconds() < seconds || steps == 0 {
		for range 20 {
			if err := k.Launch(s.x, s.v, s.c, s.j, s.gv, s.gm); err != nil {
				return err
			}
			steps++
		}
		if err := rt.Sync(ctx); err != nil {
			return err
		}
		if terminal {
			fmt.Fprintf(os.Stderr, "\r%d particles, %d substeps, %.2f s simulated", particles, steps, float64(steps)*dt)
		}
	}
	elapsed := time.Since(start).Seconds()
	if terminal {
		fmt.Fprintln(os.Stderr)
	}
	after, err := s.height()
	if err != nil {
		return err
	}
	// While the block falls freely its mean height follows the law of gravity.
	if t := float64(steps) * dt; t < 0.15 {
		if want := before - gravity*t*t/2; math.Abs(after-want) > 0.01 {
			return fmt.Errorf("mean height %.4f after %.3f s of free fall, want %.4f", after, t, want)
		}
	} else if after > before {
		return fmt.Errorf("the block rose from %.4f to %.4f", before, after)
	}
	fmt.Printf("%d substeps of %d particles in %.2f s: %.0f substeps/s\n", steps, particles, elapsed, float64(steps)/elapsed)
	fmt.Println(rt.Arch(), "ok")
	return nil
}

func main() {
	seconds := flag.Float64("seconds", 5, "how long to simulate, in seconds of real time")
	flag.Parse()
	if err := run(*seconds); err != nil {
		log.Fatal(err)
	}
}
