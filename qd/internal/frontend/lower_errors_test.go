package frontend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What only the lowering can see is reported where it stands, and what is around it is still looked at.
func TestLowerErrors(t *testing.T) {
	const head = "package main\nimport \"github.com/quadrants-go/quadrants/qd\"\nvar _ = qd.Sqrt[float32]\n" +
		"type sim struct { x *qd.NDArray[float32]; dt float32; cfg struct { n int } }\n"
	for _, c := range []struct {
		name, text string
		want       []string // "line: message"; lines count from the first of text
	}{
		{"slice of another array", `func k(a, b []int32) {
	s := a
	s = b
	s[0] = 1
}`, []string{"3: s cannot become a slice of another array"}},
		{"pointer to another variable", `func k(a []int32) {
	x, y := a[0], a[1]
	p := &x
	p = &y
	a[2] = *p
}`, []string{"4: p cannot be made to point to another variable"}},
		{"nil pointer", `func k(a []int32) {
	var p *int32
	p = &a[0]
	*p = 1
}`, []string{"2: a pointer in a kernel must point to a variable from the start"}},
		{"ranks differ", `func k(s *sim) {
	for i := range s.x.Len() {
		*s.x.At(i) = 1
		*s.x.At(i, 0) = 2
	}
}`, []string{"4: s.x is indexed with 2 indices here, with 1 elsewhere"}},
		{"axis", `func k(x *qd.NDArray[float32], n int) {
	for i := range x.Dim(5) {
		*x.At(i) = float32(x.Dim(n))
	}
}`, []string{"2: x has no axis 5", "3: the axis of Dim must be constant"}},
		{"receiver is read-only", `func k(s *sim) {
	for i := range s.x.Len() {
		*s.x.At(i) = s.dt
		set(s)
	}
}
func set(s *sim) {
	s.dt = 3
	s.cfg.n = 2
}`, []string{"8: s.dt cannot be assigned in a kernel", "9: s is copied"}},
		{"slice that outlives its array", `func k(a []int32) {
	var s, t []int32
	for i := 0; i < 3; i++ {
		b := [2]int32{1, int32(i)}
		s = b[:]
		a[0] += t[0]
		t = a[1:]
	}
	a[1] = s[0]
}`, []string{"5: s may outlive the array", "6: a slice that has no array yet", "9: a slice that has no array yet"}},
		{"static assertion", `func k(a []int32) {
	const n = 3
	qd.StaticAssert(n > 4, "n is small")
	qd.StaticAssert(a[0] > 4, "what")
}`, []string{"3: static assertion failed: n is small", "4: the condition of StaticAssert must be constant"}},
		{"pointer returned early", `func k(a []int32) {
	for i := range a {
		*pick(a, i) = 1
	}
}
func pick(a []int32, i int) *int32 {
	if i == 0 {
		return &a[1]
	}
	return &a[i]
}`, []string{"6: a result of type *int32 cannot be returned in several places"}},
		{"half operators", `func k(a []qd.Float16) {
	for i := range a {
		a[i].String()
	}
}`, []string{"3: a[i].String cannot be called in a kernel"}},
		{"block dimension", `func k(a []int32) {
	qd.LoopConfig(qd.BlockDim(5000))
	for i := range a {
		a[i] = 1
	}
}`, []string{"2: BlockDim must be between 1 and 1024"}},
		{"variable view in a parallel loop", `func k(a []int32) {
	s := a[1:]
	s = s[1:]
	for i := range a {
		a[i] = s[0]
		move(&a[i])
	}
}
func move(p *int32) { *p, q = 1, 2 }
var q int32`, []string{"9: package-level variable q"}},
		{"calls double", `func k(a []int32) {
	a[0] = f0(1)
}
` + doubling(14) + `func f14(x int32) int32 { return x }`, []string{"16: the kernel is too large"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, found := lowerText(t, head+c.text, "k", nil)
			require.Nil(t, out)
			lines := make([]string, len(found))
			for i, d := range found {
				lines[i] = fmt.Sprintf("%d: %s", d.Pos.Line-4, d.Msg)
				require.Positive(t, d.Pos.Column)
			}
			require.Len(t, lines, len(c.want), "%v", found)
			for i := range lines {
				require.True(t, strings.HasPrefix(lines[i], c.want[i]), "got %q, want %q", lines[i], c.want[i])
			}
		})
	}
}

// doubling is a chain of functions that each call the next one twice.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func f%d(x int32) int32 { return f%d(x) + f%d(x) }\n", i, i+1, i+1)
	}
	return b.String()
}

// A struct argument gives a parameter for each field that the kernel uses, whichever function uses it.
func TestLoweredParams(t *testing.T) {
	out, found := lowerText(t, `package main
import "github.com/quadrants-go/quadrants/qd"
type inner struct{ a, b float32 }
type config struct { gravity float32; wind [2]float32 }
func (c config) pull() float32 { return c.gravity + c.wind[1] }
type sim struct {
	label string
	in    inner
	grid  *qd.NDArray[float32]
	cells *qd.NDArray[int32]
	spare *qd.NDArray[int32]
	n     int
}
func (s *sim) at(i int) *float32 { return s.grid.At(i, 0, 1) }
func (s *sim) step(x []float32, rows [][]inner, all *qd.NDArray[inner], dt float32, c *config) {
	for i := range s.cells.Len() {
		*s.at(i) = s.in.b * dt + (*c).gravity + c.pull()
	}
	for i := range all.Dim(1) {
		x[i] = rows[0][i].a
	}
}
`, "(*sim).step", nil)
	require.Empty(t, found)
	var got []string
	for _, p := range out.Params {
		got = append(got, fmt.Sprintf("%s %d%v %d %d %t %s", p.Name, p.Arg, p.Field, p.Kind, p.Rank, p.AnyRank, p.Type))
	}
	require.ElementsMatch(t, []string{
		"s.in 0[1] 0 0 false main.inner", "s.grid 0[2] 2 3 false float32", "s.cells 0[3] 2 1 true int32",
		"c.gravity 5[0] 0 0 false float32", "c.wind 5[1] 0 0 false [2]float32", "x 1[] 1 1 false float32", "rows 2[] 1 2 false main.inner", "all 3[] 2 2 false main.inner", "dt 4[] 0 0 false float32",
	}, got)
}
