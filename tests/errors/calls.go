package kernels

import (
	"fmt"
	"math"
	"os"

	"github.com/quadrants-go/quadrants/qd"
	"github.com/quadrants-go/quadrants/tests/errors/host"
)

func BadHostCall(a []int32) {
	for i := range a {
		a[i] = int32(len(fmt.Sprint(a[i]))) // ERROR "fmt.Sprint cannot be called in a kernel"
	}
	a[0] = int32(math.Gamma(2)) // ERROR "math.Gamma cannot be called"
	a[1] = int32(os.O_RDONLY)   // ERROR "os.O_RDONLY cannot be used"
}

func BadRuntimeCall(a []int32) {
	for i := range a {
		_ = qd.Go.String() // ERROR "qd.Go"
		a[i] = 1
	}
}

func BadPackageOfAnother(a []float32) {
	a[0] = host.Half(a[1]) * host.Factor // ERROR "package-level variable host.Factor"
	a[1] = host.Shout(a[0])
}

func even(n int32) bool {
	if n == 0 {
		return true
	}
	return odd(n - 1)
}

func odd(n int32) bool {
	if n == 0 {
		return false
	}
	return even(n - 1) // ERROR "recursive call of even"
}

func BadMutualRecursion(a []int32) {
	if even(a[0]) {
		a[0] = 1
	}
}

func BadSelfCall(a []int32) {
	BadSelfCall(a) // ERROR "recursive call of BadSelfCall"
}

func sum(values ...int32) int32 { return values[0] }

func BadVariadic(a []int32) {
	a[0] = sum(a[1], a[2]) // ERROR "sum is variadic"
}

func label(text string) int32 { return 1 } // ERROR "strings"

func BadHelperType(a []int32) {
	a[0] = label("x") // ERROR "strings"
}

func inner(a []float32, i int) {
	a[i] = float32(len(fmt.Sprint(i))) // ERROR "fmt.Sprint"
}

func middle(a []float32, i int) { inner(a, i) }

func BadDeep(a []float32) {
	for i := range a {
		middle(a, i)
	}
}

func BadDeepAgain(a []float32) {
	inner(a, 0)
}

type number interface{ ~int32 | ~float32 }

func twice[T number](x T) T { return x + x }

type pair[T number] struct{ a, b T }

func (p pair[T]) sum() T { return p.a + p.b }

func (p *pair[T]) swap() { p.a, p.b = p.b, p.a }

func GoodGenerics(a []int32, b []float32) {
	for i := range a {
		p := pair[int32]{a[i], 1}
		p.swap()
		a[i] = twice(p.sum())
	}
	for i := range b {
		b[i] = twice[float32](pair[float32]{b[i], host.Half(2)}.sum())
	}
}

func worst[T number](x T) T {
	m := map[T]T{} // ERROR "maps"
	return m[x]
}

func BadGenerics(a []int32, b []float32) {
	a[0] = worst(a[1])
	b[0] = worst(b[1])
}
