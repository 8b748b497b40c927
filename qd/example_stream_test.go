package qd_test

import (
	"context"
	"fmt"
	"log"

	"github.com/quadrants-go/quadrants/qd"
)

func fillWith(x []float32, v float32) {
	for i := range x {
		x[i] = v
	}
}

func accumulate(sum, x []float32) {
	for i := range sum {
		sum[i] += x[i]
	}
}

// Two streams work on one array in turn; two events keep each from overtaking the other.
func ExampleStream() {
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	rt := qd.MustOpen(qd.Config{})
	defer rt.Close()
	x, sum := qd.MustNDArray[float32](rt, 1000), qd.MustNDArray[float32](rt, 1000)
	fill, add := qd.MustKernel(rt, fillWith), qd.MustKernel(rt, accumulate)

	first, err := rt.NewStream()
	check(err)
	second, err := rt.NewStream()
	check(err)
	ready, err := rt.NewEvent()
	check(err)
	done, err := rt.NewEvent()
	check(err)
	for i := range 10 {
		check(fill.LaunchOn(first, x, float32(i)))
		check(ready.Record(first))
		check(second.Wait(ready)) // the sum reads x after it is written
		check(add.LaunchOn(second, sum, x))
		check(done.Record(second))
		check(first.Wait(done)) // x is written again after it is read
	}
	check(second.Sync(context.Background()))
	values, err := sum.Slice()
	check(err)
	fmt.Println(values[0], values[999])
	// Output: 45 45
}
