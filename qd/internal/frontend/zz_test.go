package frontend

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	to, _ := strconv.Atoi(os.Getenv("TO"))
	texts := map[string]string{}
	for _, pattern := range []string{"lower_kernels_test.go", filepath.Join("..", "..", "..", "tests", "kernels", "*.go")} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, _ := os.ReadFile(name)
			texts[name] = string(text)
		}
	}
	api := kernelAPI(t)
	p := program(t)
	for seed := from; seed < to; seed++ {
		start := time.Now()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(seed), 2))
			sources := map[string]map[string]string{"kernels": {}, "alone": {}}
			for name, text := range texts {
				pkg, base := "kernels", filepath.Base(name)
				if name == base {
					pkg, base = "alone", "kernels.go"
				}
				sources[pkg][base] = splice(text, random, 1+seed%5)
			}
			var r Registry
			r.SetKernelAPI(api)
			for pkg, list := range sources {
				r.Add(pkg, "/fuzz/"+pkg, files(list))
			}
			for pkg, list := range sources {
				for name, text := range list {
					os.WriteFile("/tmp/lowering/fuzz_"+name, []byte(text), 0o644)
				}
				for name, text := range list {
					fmt.Println(seed, pkg, name)
					lowerAll(t, &r, p, pkg, name, text)
				}
			}
		})
		_ = start
	}
}

var accepted, refused int

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
func TestMain(m *testing.M) { m.Run(); fmt.Println("accepted", accepted, "refused", refused) }
