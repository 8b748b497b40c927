package main

import "github.com/quadrants-go/quadrants/qd"

const (
	dx      = 1.0 / cells
	dt      = 2e-4
	volume  = (dx / 2) * (dx / 2)
	mass    = volume
	gravity = 9.8
)

type vec2 [2]float32

type mat2 [2][2]float32

func spline(f float32) [3]float32 {
	return [3]float32{0.5 * (1.5 - f) * (1.5 - f), 0.75 - (f-1)*(f-1), 0.5 * (f - 0.5) * (f - 0.5)}
}

func cell(x float32) (int, float32) {
	x *= cells
	base := int(x - 0.5)
	return base, x - float32(base)
}

// substep is the kernel of examples/mpm88, with 400 for the stiffness.
func substep(x, v []vec2, c []mat2, j []float32, gv [][]vec2, gm [][]float32) {
	for a, b := range qd.NDRange2(cells, cells) {
		gv[a][b] = vec2{}
		gm[a][b] = 0
	}
	for p := range x {
		ba, fa := cell(x[p][0])
		bb, fb := cell(x[p][1])
		wa, wb := spline(fa), spline(fb)
		stress := float32(-dt*4*400*volume/(dx*dx)) * (j[p] - 1)
		f := mat2{
			{stress + mass*c[p][0][0], mass * c[p][0][1]},
			{mass * c[p][1][0], stress + mass*c[p][1][1]},
		}
		for a := range 3 {
			for b := range 3 {
				d0, d1, w := (float32(a)-fa)*dx, (float32(b)-fb)*dx, wa[a]*wb[b]
				gv[ba+a][bb+b][0] += w * (mass*v[p][0] + f[0][0]*d0 + f[0][1]*d1)
				gv[ba+a][bb+b][1] += w * (mass*v[p][1] + f[1][0]*d0 + f[1][1]*d1)
				gm[ba+a][bb+b] += w * mass
			}
		}
	}
	for a, b := range qd.NDRange2(cells, cells) {
		if gm[a][b] > 0 {
			u := vec2{gv[a][b][0] / gm[a][b], gv[a][b][1]/gm[a][b] - dt*gravity}
			if a < 3 && u[0] < 0 || a > cells-3 && u[0] > 0 {
				u[0] = 0
			}
			if b < 3 && u[1] < 0 || b > cells-3 && u[1] > 0 {
				u[1] = 0
			}
			gv[a][b] = u
		}
	}
	for p := range x {
		ba, fa := cell(x[p][0])
		bb, fb := cell(x[p][1])
		wa, wb := spline(fa), spline(fb)
		var nv vec2
		var nc mat2
		for a := range 3 {
			for b := range 3 {
				d0, d1, w := (float32(a)-fa)*dx, (float32(b)-fb)*dx, wa[a]*wb[b]
				g := gv[ba+a][bb+b]
				for r := range 2 {
					nv[r] += w * g[r]
					nc[r][0] += 4 * w * g[r] * d0 / (dx * dx)
					nc[r][1] += 4 * w * g[r] * d1 / (dx * dx)
				}
			}
		}
		v[p], c[p] = nv, nc
		x[p][0] += dt * nv[0]
		x[p][1] += dt * nv[1]
		j[p] *= 1 + dt*(nc[0][0]+nc[1][1])
	}
}
