// Saxpy adds a multiple of one array to another: the smallest useful kernel.
package main

import (
	"embed"
	"fmt"
	"log"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source) // lets the built program find its kernels wherever it runs

// saxpy sets y[i] to a*x[i] + y[i]. It is an ordinary Go function and can be called as one.
func saxpy(x, y []float32, a float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}

func run() error {
	rt, err := qd.Open(qd.Config{Arch: qd.Auto})
	if err != nil {
		return err
	}
	defer rt.Close()

	const n = 1 << 16
	x, y := qd.MustNDArray[float32](rt, n), qd.MustNDArray[float32](rt, n)
	hx, hy := make([]float32, n), make([]float32, n)
	for i := range hx {
		hx[i], hy[i] = float32(i%100), 1
	}
	if err := x.CopyFrom(hx); err != nil {
		return err
	}
	if err := y.CopyFrom(hy); err != nil {
		return err
	}
	k, err := qd.NewKernel(rt, saxpy)
	if err != nil {
		return err
	}
	if err := k.Launch(x, y, float32(2)); err != nil {
		return err
	}
	got, err := y.Slice()
	if err != nil {
		return err
	}
	saxpy(hx, hy, 2) // the same function, called by Go
	for i := range got {
		if got[i] != hy[i] {
			return fmt.Errorf("y[%d] = %v, want %v", i, got[i], hy[i])
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
