// Consumer is a program of another workspace: a kernel of its own, one of a library, and their source in the binary.
package main

import (
	"embed"
	"fmt"
	"log"

	"example.org/consumer/heat"
	"github.com/quadrants-go/quadrants/qd"
)

//go:embed main.go
var source embed.FS

var _ = qd.Embed(source)

func total(x []float64, sum []float64) {
	for i := range x {
		sum[0] += x[i]
	}
}

func main() {
	rt, err := qd.Open(qd.Config{Arch: qd.Auto})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	stepKernel, totalKernel := qd.MustKernel(rt, heat.Step), qd.MustKernel(rt, total)

	const n = 1000
	old, next := qd.MustNDArray[float64](rt, n), qd.MustNDArray[float64](rt, n)
	start := make([]float64, n)
	start[n/2] = 1024
	if err := old.CopyFrom(start); err != nil {
		log.Fatal(err)
	}
	for range 20 {
		if err := stepKernel.Launch(next, old, 0.25); err != nil {
			log.Fatal(err)
		}
		old, next = next, old
	}
	sum := qd.MustNDArray[float64](rt, 1)
	if err := totalKernel.Launch(old, sum); err != nil {
		log.Fatal(err)
	}
	heatLeft, err := sum.Slice()
	if err != nil {
		log.Fatal(err)
	}
	if heatLeft[0] != 1024 { // the ends are out of reach of 20 steps, and the sums are exact
		log.Fatalf("%v of the heat is left, not 1024", heatLeft[0])
	}
	fmt.Println(rt.Arch(), "ok")
}
