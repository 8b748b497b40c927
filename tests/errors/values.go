package kernels

import (
	"math"
	"unsafe"

	"github.com/quadrants-go/quadrants/qd"
)

var scale = float32(2)

const half = 0.5

func BadPackageVariable(a []float32) {
	for i := range a {
		a[i] *= scale // ERROR "package-level variable scale"
	}
	scale = 3 // ERROR "package-level variable scale"
}

func BadMap(a []int32) {
	m := map[int32]int32{1: 2} // ERROR "maps cannot be used"
	m[1]++
	a[0] = m[1]
	delete(m, 1) // ERROR "delete cannot be called"
}

func BadString(a []int32) {
	name := "abc" // ERROR "strings cannot be used"
	a[0] = int32(len(name))
}

func BadComplex(a []float64) {
	z := complex(a[0], a[1]) // ERROR "complex"
	a[0] = real(z * z)       // ERROR "real|complex"
}

func BadPointers(a []float32) {
	p := unsafe.Pointer(&a[0]) // ERROR "unsafe pointers"
	q := uintptr(p)            // ERROR "uintptr"
	a[q] = 1
}

func BadAllocation(a []int32) {
	b := make([]int32, 4) // ERROR "make cannot be called"
	b = append(b, 1)      // ERROR "append cannot be called"
	c := new(int32)       // ERROR "new cannot be called"
	d := []int32{1, 2}    // ERROR "slice literal allocates"
	e := &square{1}       // ERROR "&square.* allocates"
	a[0] = b[0] + *c + d[0] + int32(e.side)
}

func BadPanic(a []int32) {
	if a[0] > 1 {
		panic("too large") // ERROR "panic cannot be called"
	}
	recover() // ERROR "recover cannot be called"
}

func BadFunctionValues(a []int32) {
	f := func(x int32) int32 { return x } // ERROR "function (literals|values)"
	a[0] = f(1)                           // ERROR "function value f"
	g := clearOne                         // ERROR "used as a value|function values"
	g(a, 1)                               // ERROR "function value g"
	s := square{2}
	h := s.Area // ERROR "method value s.Area|function values"
	_ = h
	func() { a[0] = 1 }() // ERROR "function literals"
}

type named struct {
	id    int32
	label string
}

func BadStringField(a []int32, n named) {
	a[0] = int32(len(n.label)) // ERROR "strings"
	a[1] = n.id
}

func GoodValues(a []float32, n named) {
	const message = "a message"
	for i := range a {
		a[i] = float32(math.Sin(float64(a[i]))*math.Pi) + half + qd.Sqrt(a[i])
		qd.Assert(a[i] >= 0, "negative: %v at %v", a[i], i)
		qd.Println("row", i, message)
	}
	qd.StaticAssert(half < 1, "half")
	a[0] = float32(n.id)
}

func GoodArrays(a []int32) {
	var m [2][3]int32
	m[1] = [3]int32{1, 2, 3}
	view := a[1:3]
	copy(view, a[4:])
	clear(a[6:])
	a[0] = m[1][2] + int32(len(m)) + int32(len(view))
}
