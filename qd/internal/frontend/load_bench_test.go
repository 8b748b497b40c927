package frontend

import "testing"

// A cold load reads and type-checks the declarations of package qd and of the standard library too.
func BenchmarkColdLoad(b *testing.B) {
	api := kernelAPI(b)
	source := files(map[string]string{
		"k.go": "package main\n\nimport \"math\"\n\nfunc K(a, b []float32, s float32) {\n\tfor i := range a {\n" +
			"\t\ta[i] = s*b[i] + float32(math.Sqrt(float64(b[i])))\n\t}\n}\n",
	})
	for b.Loop() {
		var r Registry
		r.SetKernelAPI(api)
		r.Add("main", "/a", source)
		l, fn, err := r.load(Func{Symbol: "main.K", File: "k.go"})
		if err != nil {
			b.Fatal(err)
		}
		if found := l.check(fn); len(found) > 0 {
			b.Fatal(found)
		}
	}
}
