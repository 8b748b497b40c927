package kernels

import (
	"time"

	"github.com/quadrants-go/quadrants/qd"
)

func BadResult(a []float32) float32 { // ERROR "a kernel returns nothing"
	return a[0]
}

func BadStrings(a []string) { // ERROR "string"
	for i := range a {
		a[i] = ""
	}
}

func BadInterface(a []float32, x any) { // ERROR "interfaces"
	a[0] = 1
}

func BadFourDimensions(a [][][][]float32) { // ERROR "4 dimensions"
	a[0][0][0][0] = 1
}

func BadPointer(a *float32) { // ERROR "pointers"
	*a = 1
}

func BadElements(a []*float32, b []named) { // ERROR "pointers|strings"
	*a[0] = 1
	b[0].id = 1
}

func BadVariadicKernel(a ...float32) { // ERROR "variadic"
	a[0] = 1
}

func BadFunctionParameter(a []float32, f func(float32) float32) { // ERROR "function values"
	a[0] = 1
}

func BadHostType(a []float32, d time.Duration) { // ERROR "parameter d has type time.Duration.*not known"
	a[0] = float32(d)
}

func BadHostMethod(a *qd.NDArray[float32]) {
	a.Fill(1) // ERROR "^a.Fill cannot be used in a kernel"
	*a.At(1) = 2
}

type Sim struct {
	Name  string
	Dens  *qd.NDArray[float32]
	Dt    float32
	steps int
	began time.Time
}

func (s *Sim) GoodStep(scale float32) {
	for i := range s.Dens.Len() {
		*s.Dens.At(i) += scale * s.Dt
	}
}

func (s *Sim) BadStep() {
	s.steps++            // ERROR "s.steps cannot be assigned"
	if len(s.Name) > 2 { // ERROR "strings"
		_ = s.began // ERROR "s.began has a type"
	}
}

func (s Sim) GoodValue(a []float32) {
	for i := range a {
		a[i] = s.Dt
	}
}

func GoodParticles(a []particle, m [3][3]float32) {
	for i := range a {
		a[i].pos[0] += m[0][1] * float32(a[i].tag)
	}
}

type particle struct {
	pos [3]float32
	tag uint8
}
