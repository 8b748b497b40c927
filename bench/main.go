// Bench compares the project's kernels with the same programs in C with OpenMP, run in turn on this machine, and prints
// ratios: times of the C twin over ours (above 1: ours is faster), and checked over unchecked kernels.
//
//	go run ./bench [-rounds 5] [-seconds 0.2] [-only saxpy,stencil,scopes]
//
// Run it from the repository's root with clang 22 installed (tools/setup bench). With -arch cuda it runs the kernels on a
// GPU instead and prints a name and nanoseconds a line; bench/cuda/run.sh compares these with CUDA C++.
package main

import (
	"embed"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

var (
	rounds  = flag.Int("rounds", 5, "how often each pair is run in turn")
	seconds = flag.Float64("seconds", 0.2, "how long each program runs in a round")
	only    = flag.String("only", "", "comma-separated workloads, or scopes; empty: everything")
	arch    = flag.String("arch", "cpu", "cpu, or cuda: kernels alone on a GPU, timed by its events")
	format  = flag.String("format", "text", "of what -arch cuda prints: text")
	cold    = flag.Bool("cold", false, "only print how long this process takes to open a runtime and compile saxpy")
)

func wanted(name string) bool { return *only == "" || slices.Contains(strings.Split(*only, ","), name) }

// median of times in nanoseconds; sorts them.
func median(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}

func buildTwins(dir string) (string, error) {
	out := filepath.Join(dir, "twins")
	args := []string{"-O3", "-march=native", "-fopenmp", "-Wall", "bench/c/twins.c", "-o", out, "-lm"}
	for name, value := range map[string]int{
		"N_VECTOR": nVector, "N_SMALL": nSmall, "N_HISTOGRAM": nHistogram, "BINS": bins, "N_GRID": nGrid,
		"N_MATRIX": nMatrix, "N_BODIES": nBodies, "N_IMAGE": nImage, "ITERATIONS": iterations, "N_LCG": nLCG,
	} {
		args = append(args, fmt.Sprintf("-D%s=%d", name, value))
	}
	cmd := exec.Command("clang-22", args...)
	cmd.Stderr = os.Stderr
	return out, cmd.Run()
}

func timeTwin(twins, name string) (float64, error) {
	out, err := exec.Command(twins, name, fmt.Sprint(*seconds)).Output()
	if err != nil {
		return 0, fmt.Errorf("twin %s: %w", name, err)
	}
	var times []float64
	for _, line := range strings.Fields(string(out)) {
		t, err := strconv.ParseFloat(line, 64)
		if err != nil {
			return 0, err
		}
		times = append(times, t)
	}
	return median(times), nil
}

func timeOurs(run func() error) (float64, error) {
	if err := run(); err != nil {
		return 0, err
	}
	var times []float64
	for start := time.Now(); time.Since(start).Seconds() < *seconds; {
		t := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		times = append(times, float64(time.Since(t).Nanoseconds()))
	}
	return median(times), nil
}

type result struct{ twin, ours, unchecked []float64 }

// ratios divides a by b element by element and returns the median and the extremes.
func ratios(a, b []float64) (mid, low, high float64) {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	mid = median(r)
	return mid, r[0], r[len(r)-1]
}

func compare(w workload, twins string, rt, unchecked *qd.Runtime) (result, error) {
	var r result
	ours, err := w.start(rt)
	if err != nil {
		return r, err
	}
	loose, err := w.start(unchecked)
	if err != nil {
		return r, err
	}
	for range *rounds {
		for _, side := range []struct {
			to  *[]float64
			run func() (float64, error)
		}{
			{&r.twin, func() (float64, error) { return timeTwin(twins, w.name) }},
			{&r.ours, func() (float64, error) { return timeOurs(ours) }},
			{&r.unchecked, func() (float64, error) { return timeOurs(loose) }},
		} {
			t, err := side.run()
			if err != nil {
				return r, err
			}
			*side.to = append(*side.to, t)
		}
	}
	return r, nil
}

func benchWorkloads(dir string) error {
	twins, err := buildTwins(dir)
	if err != nil {
		return err
	}
	fmt.Printf("%-12s %12s %12s   %-22s  %s\n", "workload", "C (µs)", "ours (µs)", "C / ours (min..max)", "checked / unchecked")
	for _, w := range workloads {
		if !wanted(w.name) {
			continue
		}
		rt, err := qd.Open(qd.Config{Arch: qd.CPU})
		if err != nil {
			return err
		}
		unchecked, err := qd.Open(qd.Config{Arch: qd.CPU, Unchecked: true})
		if err != nil {
			return err
		}
		r, err := compare(w, twins, rt, unchecked)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		mid, low, high := ratios(r.twin, r.ours)
		check, _, _ := ratios(r.ours, r.unchecked)
		fmt.Printf("%-12s %12.1f %12.1f   %5.2f (%.2f..%.2f)      %5.2f\n",
			w.name, median(r.twin)/1e3, median(r.ours)/1e3, mid, low, high, check)
		if err := rt.Close(); err != nil {
			return err
		}
		if err := unchecked.Close(); err != nil {
			return err
		}
	}
	return nil
}

func benchLaunch() error {
	rt, err := qd.Open(qd.Config{Arch: qd.CPU})
	if err != nil {
		return err
	}
	defer rt.Close()
	k, err := qd.NewKernel(rt, empty)
	if err != nil {
		return err
	}
	a, b, c := qd.MustNDArray[float32](rt, 8), qd.MustNDArray[float32](rt, 8), qd.MustNDArray[float32](rt, 8)
	r := testing.Benchmark(func(t *testing.B) {
		t.ReportAllocs()
		for t.Loop() {
			if err := k.Launch(a, b, c); err != nil {
				t.Fatal(err)
			}
		}
	})
	fmt.Printf("launch of an empty kernel with three arrays: %d ns, %d allocations\n", r.NsPerOp(), r.AllocsPerOp())
	return nil
}

// coldCompile is run in a process of its own, so that LLVM starts too.
func coldCompile() error {
	start := time.Now()
	rt, err := qd.Open(qd.Config{Arch: qd.CPU})
	if err != nil {
		return err
	}
	defer rt.Close()
	opened := time.Now()
	k, err := qd.NewKernel(rt, saxpy)
	if err != nil {
		return err
	}
	compiled := time.Now()
	x, y := qd.MustNDArray[float32](rt, 8), qd.MustNDArray[float32](rt, 8)
	if err := k.Launch(x, y, float32(1)); err != nil {
		return err
	}
	fmt.Printf("%.1f %.1f\n", opened.Sub(start).Seconds()*1e3, compiled.Sub(opened).Seconds()*1e3)
	return nil
}

func benchCompile() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var opens, compiles []float64
	for range max(*rounds, 3) {
		out, err := exec.Command(self, "-cold").Output()
		if err != nil {
			return err
		}
		var open, compile float64
		if _, err := fmt.Sscan(string(out), &open, &compile); err != nil {
			return err
		}
		opens, compiles = append(opens, open), append(compiles, compile)
	}
	fmt.Printf("cold compile of saxpy: %.1f ms (opening the runtime: %.1f ms)\n", median(compiles), median(opens))
	return nil
}

func run() error {
	if *cold {
		return coldCompile()
	}
	if wanted("scopes") {
		if err := benchScopes(); err != nil {
			return err
		}
	}
	if *only == "scopes" {
		return nil
	}
	dir, err := os.MkdirTemp("", "qd-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := benchLaunch(); err != nil {
		return err
	}
	if err := benchCompile(); err != nil {
		return err
	}
	return benchWorkloads(dir)
}

func main() {
	flag.Parse()
	bench := run
	if *arch != "cpu" {
		bench = func() error { return benchGPU(os.Stdout) }
	}
	if err := bench(); err != nil {
		log.Fatal(err)
	}
}
