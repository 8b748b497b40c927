// Timeline traces a kernel of four unequal scopes and shows which worker ran which loop when.
//
//	go run ./examples/timeline                   # a summary
//	go run ./examples/timeline -o timeline.svg   # and a picture
//	go run ./examples/timeline -json trace.json  # and what ui.perfetto.dev shows
package main

import (
	"cmp"
	"embed"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

var (
	picture = flag.String("o", "", "write the timeline to this SVG file")
	chrome  = flag.String("json", "", "write the trace to this JSON file, for Perfetto")
)

const (
	iterations = 100
	steps      = 1_600_000
)

// escape counts the steps until a point leaves the Mandelbrot set.
func escape(cr, ci float32) int32 {
	var zr, zi float32
	var n int32
	for n < iterations && zr*zr+zi*zi < 4 {
		zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
		n++
	}
	return n
}

// parts has four scopes: a picture, whose loops are wide; a walk, in which every step needs the one before; a smoothing in
// several passes; and something short.
func parts(set [][]int32, histogram []int32, walk []uint64, x, y, short []float32) {
	qd.StreamParallel(func() {
		qd.LoopConfig(qd.Name("mandelbrot"))
		for i, j := range qd.NDRange2(len(set), len(set[0])) {
			set[i][j] = escape(-2+2.5*float32(j)/float32(len(set[0])), -1.25+2.5*float32(i)/float32(len(set)))
		}
		qd.LoopConfig(qd.Name("histogram"))
		for i, j := range qd.NDRange2(len(set), len(set[0])) {
			histogram[set[i][j]]++
		}
	})
	qd.StreamParallel(func() {
		qd.LoopConfig(qd.Name("walk"))
		for i := range walk {
			v := walk[i]
			for range steps {
				v = v*6364136223846793005 + 1442695040888963407
				v ^= v >> 29
			}
			walk[i] = v
		}
	})
	qd.StreamParallel(func() {
		qd.LoopConfig(qd.Name("smooth 1"))
		for i := range y {
			if i > 0 && i < len(x)-1 {
				y[i] = 0.25*x[i-1] + 0.5*x[i] + 0.25*x[i+1]
			}
		}
		qd.LoopConfig(qd.Name("smooth 2"))
		for i := range x {
			if i > 0 && i < len(y)-1 {
				x[i] = 0.25*y[i-1] + 0.5*y[i] + 0.25*y[i+1]
			}
		}
	})
	qd.StreamParallel(func() {
		qd.LoopConfig(qd.Name("short"))
		for i := range short {
			short[i] = qd.Sqrt(float32(i))
		}
	})
}

// launch runs the kernel once for code and memory to be there, and once more under the trace. The trace is nil on plain Go,
// which has none.
func launch(rt *qd.Runtime, args ...any) (*qd.Trace, error) {
	k, err := qd.NewKernel(rt, parts)
	if err != nil {
		return nil, err
	}
	if err := k.Launch(args...); err != nil {
		return nil, err
	}
	if rt.Arch() == qd.Go {
		return nil, k.Launch(args...)
	}
	if err := rt.StartTrace(); err != nil {
		return nil, err
	}
	if err := k.Launch(args...); err != nil {
		return nil, err
	}
	return rt.StopTrace()
}

// summarize prints what each worker did, and how long more than one worked at the same time.
func summarize(t *qd.Trace) {
	fmt.Printf("%-12s %5s %6s   %10s %10s\n", "task", "scope", "worker", "start (µs)", "end (µs)")
	for _, s := range t.Spans {
		fmt.Printf("%-12s %5d %6d   %10.1f %10.1f\n", s.Task, s.Group, s.Worker, micro(s.Start), micro(s.End))
	}
	type edge struct {
		at   time.Duration
		more int
	}
	var edges []edge
	var busy time.Duration
	for _, s := range t.Spans {
		edges = append(edges, edge{s.Start, 1}, edge{s.End, -1})
		busy += s.End - s.Start
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.more, b.more)) })
	var overlap time.Duration
	working := 0
	for i, e := range edges {
		if working > 1 {
			overlap += e.at - edges[i-1].at
		}
		working += e.more
	}
	whole := edges[len(edges)-1].at - edges[0].at
	fmt.Printf("%.0f µs of work in %.0f µs; two or more workers at once for %.0f µs\n", micro(busy), micro(whole), micro(overlap))
}

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

func writeFile(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func run() error {
	rt, err := qd.Open(qd.Config{Arch: qd.Auto})
	if err != nil {
		return err
	}
	defer rt.Close()
	const side, length = 400, 1 << 22
	set := qd.MustNDArray[int32](rt, side, side)
	histogram := qd.MustNDArray[int32](rt, iterations+1)
	walk := qd.MustNDArray[uint64](rt, 1)
	x, y, short := qd.MustNDArray[float32](rt, length), qd.MustNDArray[float32](rt, length), qd.MustNDArray[float32](rt, length)
	t, err := launch(rt, set, histogram, walk, x, y, short)
	if err != nil {
		return err
	}
	counts, err := histogram.Slice()
	if err != nil {
		return err
	}
	var points int32
	for _, n := range counts {
		points += n
	}
	if points != 2*side*side {
		return fmt.Errorf("the histogram counts %d points, want %d", points, 2*side*side)
	}
	if t != nil {
		summarize(t)
		if err := writeFile(*picture, t.WriteSVG); err != nil {
			return err
		}
		if err := writeFile(*chrome, t.WriteChrome); err != nil {
			return err
		}
	}
	fmt.Println(rt.Arch(), "ok")
	return nil
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
