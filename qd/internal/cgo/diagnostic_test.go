package cgo

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// twoScopes builds two scopes, at lines 10 and 20, that write x[0] and x[second], the latter in a called function.
func twoScopes(b *Builder, second Param) (x Param) {
	x = b.ParamArray("x", I64, 1)
	if second >= 0 {
		b.ParamValue("n", I64)
	}
	file := b.File("/home/user/k.go")
	b.Position(file, 10, 2)
	b.BeginStreamParallel()
	b.Assign(b.Element(x, []Expr{b.ConstantInt(I64, 0)}, true), b.ConstantInt(I64, 1))
	b.EndStreamParallel()
	b.Position(file, 20, 2)
	b.BeginStreamParallel()
	b.EnterCall("set")
	b.Position(file, 30, 4)
	index := b.ConstantInt(I64, 0)
	if second >= 0 {
		index = b.Param(second)
	}
	b.Assign(b.Element(x, []Expr{index}, true), b.ConstantInt(I64, 2))
	b.LeaveCall()
	b.EndStreamParallel()
	return x
}

func finish(t *testing.T, b *Builder) *Kernel {
	t.Helper()
	k := b.Finish()
	require.NotNil(t, k, b.Err())
	t.Cleanup(k.Destroy)
	return k
}

// A kernel with an error is there to be asked what is wrong with it, and for nothing else.
func TestErrorDiagnostic(t *testing.T) {
	p := program(t)
	b := builder(t, p)
	twoScopes(b, -1)
	k := finish(t, b)
	said := k.Diagnostics()
	require.Len(t, said, 1)
	require.False(t, said[0].Warning)
	require.Equal(t, "conflict: scope 2 writes x[0], which scope 1 also writes (k.go:10)", said[0].Message)
	require.NotEmpty(t, said[0].Hint)
	require.Equal(t, Position{"/home/user/k.go", 30, 4, "set"}, said[0].Position)
	require.Equal(t, []Position{{"/home/user/k.go", 20, 2, ""}}, said[0].Chain)

	var e *Error
	require.ErrorAs(t, k.Compile(), &e)
	require.Equal(t, CodeCompile, e.Code)
	require.Equal(t, said[0].Message, e.Message)
	require.Equal(t, said[0].Position, e.Position)
	args := make([]uint64, k.ArgsSize()/8)
	_, err := k.Launch(unsafe.Pointer(&args[0]), k.ArgsSize(), &Call{})
	require.ErrorAs(t, err, &e)
	require.Equal(t, CodeCompile, e.Code)
}

func TestWarningDiagnostic(t *testing.T) {
	p := program(t)
	for _, promised := range []bool{false, true} {
		b := builder(t, p)
		x := twoScopes(b, 1)
		if promised {
			b.AssumeDisjoint(x, x)
		}
		k := finish(t, b)
		require.NoError(t, k.Compile())
		if promised {
			require.Empty(t, k.Diagnostics())
			continue
		}
		require.Len(t, k.Diagnostics(), 1)
		require.True(t, k.Diagnostics()[0].Warning)
	}
}

func TestAssumeDisjointWantsArrays(t *testing.T) {
	p := program(t)
	b := builder(t, p)
	b.AssumeDisjoint(b.ParamArray("x", I64, 1), b.ParamValue("n", I64))
	require.ErrorContains(t, b.Err(), "array")
}

func TestApart(t *testing.T) {
	p := program(t)
	b := builder(t, p)
	x, y := b.ParamArray("x", I64, 1), b.ParamArray("y", I64, 1)
	for _, array := range []Param{x, y} {
		b.BeginStreamParallel()
		b.Assign(b.Element(array, []Expr{b.ConstantInt(I64, 0)}, true), b.ConstantInt(I64, 1))
		b.EndStreamParallel()
	}
	k := finish(t, b)
	require.Contains(t, k.Apart(y, x), "arguments x and y share memory, but scope 1 writes x while scope 2 writes y")
	require.Empty(t, k.Apart(x, x))
	args := []uint64{4096, 4, 4096 + 24, 4}
	_, err := k.Launch(unsafe.Pointer(&args[0]), k.ArgsSize(), &Call{})
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, CodeInvalid, e.Code)
	require.Equal(t, k.Apart(x, y), e.Message)
}
