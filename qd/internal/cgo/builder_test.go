package cgo

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func program(t *testing.T) *Program {
	t.Helper()
	require.Equal(t, WantABIVersion, ABIVersion())
	p, err := NewProgram(Config{Threads: 2})
	require.NoError(t, err)
	t.Cleanup(func() {
		leaks, err := p.Leaks()
		require.NoError(t, err)
		require.Equal(t, Leaks{}, leaks)
		p.Destroy()
		require.Equal(t, Leaks{}, ProcessLeaks())
	})
	return p
}

func builder(t *testing.T, p *Program) *Builder {
	t.Helper()
	b, err := NewBuilder(p, "k")
	require.NoError(t, err)
	t.Cleanup(b.Destroy)
	return b
}

// x[i] = scale * i, with every launch detail by hand.
func TestBuildAndLaunch(t *testing.T) {
	p := program(t)
	b := builder(t, p)
	x, scale := b.ParamArray("x", I64, 1), b.ParamValue("scale", I64)
	b.Position(b.File("k.go"), 3, 2)
	loop := b.BeginFor([]Expr{b.ConstantInt(I64, 0), b.Dim(x, 0)}, LoopOptions{Name: "fill", BlockDim: 64})
	i := b.LoopIndex(loop, 0)
	b.Position(b.File("k.go"), 4, 3)
	b.Assign(b.Element(x, []Expr{i}, true), b.Binary(Mul, b.Param(scale), i))
	b.EndFor()
	require.Nil(t, b.Err())
	k := b.Finish()
	require.NotNil(t, k, b.Err())
	defer k.Destroy()
	require.NoError(t, k.Compile())
	require.True(t, k.Writes(x))
	require.Equal(t, 1, k.PlanWidth())
	require.Contains(t, k.Plan(), "fill")

	memory, err := p.Allocate(24)
	require.NoError(t, err)
	defer p.Free(memory, 24)
	args := make([]uint64, k.ArgsSize()/8)
	args[k.ArgOffset(x)/8], args[k.ArgOffset(x)/8+1] = memory, 3
	args[k.ArgOffset(scale)/8] = 7
	printed, err := k.Launch(unsafe.Pointer(&args[0]), k.ArgsSize(), &Call{})
	require.NoError(t, err)
	require.False(t, printed)
	var got [3]int64
	require.NoError(t, p.Read(unsafe.Pointer(&got), memory, 24))
	require.Equal(t, [3]int64{0, 7, 14}, got)

	// The same on Go memory.
	var hosts Hosts
	host := make([]int64, 3)
	require.True(t, hosts.Add(unsafe.Pointer(&host[0]), k.ArgOffset(x)))
	_, err = k.LaunchOnHost(unsafe.Pointer(&args[0]), k.ArgsSize(), &hosts, &Call{})
	require.NoError(t, err)
	require.Equal(t, []int64{0, 7, 14}, host)
}

// Err must be about the first wrong call, not about what follows from it.
func TestFirstErrorSticks(t *testing.T) {
	p := program(t)
	b := builder(t, p)
	b.Position(b.File("k.go"), 7, 9)
	one := b.ConstantInt(I64, 1)
	require.Equal(t, Expr(-1), b.Binary(Add, one, b.ConstantFloat(F32, 1)))
	first := b.Err()
	require.NotNil(t, first)
	require.NotEmpty(t, first.Message)
	require.Equal(t, Expr(-1), b.ConstantInt(I64, 1))
	require.Equal(t, Expr(-1), b.Local("x", I64, -1))
	require.Equal(t, Label(-1), b.BeginLoop())
	b.EndFor()
	require.Nil(t, b.Finish())
	require.Same(t, first, b.Err())
}

func TestNULInString(t *testing.T) {
	p := program(t)
	b := builder(t, p)
	require.Equal(t, Param(-1), b.ParamValue("a\x00b", I64))
	require.ErrorContains(t, b.Err(), "NUL")
	_, err := NewBuilder(p, "\x00")
	require.ErrorContains(t, err, "NUL")
}

func TestOutOfMemory(t *testing.T) {
	p := program(t)
	_, err := p.Allocate(1 << 60)
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, CodeOutOfMemory, e.Code)
}

func TestHostsHaveRoomForEight(t *testing.T) {
	var hosts Hosts
	var x byte
	for i := range int64(8) {
		require.True(t, hosts.Add(unsafe.Pointer(&x), i))
	}
	require.False(t, hosts.Add(unsafe.Pointer(&x), 8))
}
