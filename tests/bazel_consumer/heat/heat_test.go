package heat

import (
	"testing"

	"github.com/quadrants-go/quadrants/qd"
)

// damp is a kernel of the test, whose source is found among the test's data.
func damp(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

func TestKernels(t *testing.T) {
	rt, err := qd.Open(qd.Config{Arch: qd.CPU})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	step, damping := qd.MustKernel(rt, Step), qd.MustKernel(rt, damp)
	got, want := []float64{0, 8, 16, 8, 0}, []float64{0, 8, 16, 8, 0}
	a, b := make([]float64, 5), make([]float64, 5)
	for range 3 {
		if err := step.Launch(a, got, 0.25); err != nil {
			t.Fatal(err)
		}
		if err := damping.Launch(a, 0.5); err != nil {
			t.Fatal(err)
		}
		Step(b, want, 0.25)
		damp(b, 0.5)
		got, a = a, got
		want, b = b, want
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("the kernels give %v, plain Go %v", got, want)
			break
		}
	}
	if want[2] == 0 {
		t.Error("no heat is left to compare")
	}
}
