package qd_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

type particle struct {
	id       int32
	position [3]float32
	alive    bool
	half     qd.Float16
}

func TestNDArrayElements(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		roundTrip(t, rt, int8(-3), 4)
		roundTrip(t, rt, int16(-300), 4)
		roundTrip(t, rt, int32(-3), 4)
		roundTrip(t, rt, int64(math.MinInt64), 4)
		roundTrip(t, rt, 7, 8)
		roundTrip(t, rt, uint8(200), 4)
		roundTrip(t, rt, uint16(200), 4)
		roundTrip(t, rt, uint32(200), 4)
		roundTrip(t, rt, uint64(math.MaxUint64), 4)
		roundTrip(t, rt, uint(8), 9)
		roundTrip(t, rt, true, false)
		roundTrip(t, rt, float32(1.5), 2)
		roundTrip(t, rt, 1.5, 2)
		roundTrip(t, rt, qd.F16(1.5), qd.F16(2))
		roundTrip(t, rt, [2][2]float32{{1, 2}, {3, 4}}, [2][2]float32{})
		roundTrip(t, rt, particle{1, [3]float32{1, 2, 3}, true, qd.F16(4)}, particle{id: 2})
		var large [1000]float64 // an element larger than what the core fills with
		large[999] = 1
		roundTrip(t, rt, large, [1000]float64{0: 2})
	})
}

// roundTrip checks that an array starts as zero, and gives back what it is given.
func roundTrip[T any](t *testing.T, rt *qd.Runtime, x, y T) {
	t.Helper()
	a, err := qd.NewNDArray[T](rt, 3, 2)
	require.NoError(t, err)
	got, err := a.Slice()
	require.NoError(t, err)
	require.Equal(t, make([]T, 6), got)

	in := []T{x, y, x, x, y, y}
	require.NoError(t, a.CopyFrom(in))
	require.Equal(t, in, a.MustSlice())
	if onGPU(rt) {
		require.PanicsWithError(t, "qd: "+a.String()+": the host cannot reach its elements; copy them with Slice", func() { a.At(2, 0) })
		require.NoError(t, a.CopyFrom([]T{x, y, x, x, x, y}))
	} else {
		require.Equal(t, y, *a.At(2, 0))
		*a.At(2, 0) = x
	}
	out := make([]T, 6)
	require.NoError(t, a.CopyTo(out))
	require.Equal(t, []T{x, y, x, x, x, y}, out)

	require.NoError(t, a.Fill(y))
	require.Equal(t, []T{y, y, y, y, y, y}, a.MustSlice())
	require.NoError(t, a.Close())
}

func TestNDArrayRefusesTypes(t *testing.T) {
	rt := open(t, qd.Config{})
	_, err := qd.NewNDArray[string](rt, 1)
	require.ErrorContains(t, err, "an array cannot hold string: elements are integers")
	_, err = qd.NewNDArray[*int](rt, 1)
	require.ErrorContains(t, err, "cannot hold *int")
	_, err = qd.NewNDArray[struct{ next []int32 }](rt, 1)
	require.ErrorContains(t, err, "because of the []int32 in it")
	_, err = qd.NewNDArray[[2]any](rt, 1)
	require.ErrorContains(t, err, "because of the interface {} in it")
	_, err = qd.NewNDArray[complex64](rt, 1)
	require.ErrorContains(t, err, "complex64")
	_, err = qd.NewNDArray[uintptr](rt, 1)
	require.ErrorContains(t, err, "uintptr")
	_, err = qd.NewNDArray[struct{}](rt, 1)
	require.ErrorContains(t, err, "has no size")
}

func TestNDArrayRefusesShapes(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		for _, c := range []struct {
			shape []int
			want  string
		}{
			{nil, "0 dimensions"},
			{[]int{1, 2, 3, 4}, "4 dimensions"},
			{[]int{3, -1}, "[3 -1]: a dimension is negative"},
			{[]int{math.MaxInt}, "larger than any memory"},
			{[]int{1 << 21, 1 << 21, 1 << 21}, "larger than any memory"},
		} {
			_, err := qd.NewNDArray[float32](rt, c.shape...)
			require.ErrorContains(t, err, c.want)
		}
	})
}

func TestNDArrayOutOfMemory(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		_, err := qd.NewNDArray[float64](rt, 1<<50)
		require.ErrorIs(t, err, qd.ErrOutOfMemory)
		arrayOf(t, rt, 1, 2, 3) // the runtime goes on
	})
}

func TestNDArrayZeroLength(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		for _, shape := range [][]int{{0}, {0, 5}, {5, 0}, {2, 0, math.MaxInt}} {
			a, err := qd.NewNDArray[float32](rt, shape...)
			require.NoError(t, err)
			require.Equal(t, 0, a.Len())
			require.Equal(t, shape, a.Shape())
			require.NoError(t, a.Fill(1))
			require.NoError(t, a.CopyFrom(nil))
			require.Empty(t, a.MustSlice())
			require.NoError(t, a.Close())
		}
	})
}

func TestNDArrayLengthMismatch(t *testing.T) {
	a := arrayOf(t, open(t, qd.Config{}), 1, 2, 3)
	require.EqualError(t, a.CopyFrom([]int{1}), "qd: copy to NDArray[int][3]: the slice has 1 elements, the array 3")
	require.ErrorContains(t, a.CopyTo(make([]int, 4)), "the slice has 4 elements, the array 3")
}

func TestNDArrayShape(t *testing.T) {
	a := qd.MustNDArray[int32](open(t, qd.Config{}), 2, 3, 4)
	require.Equal(t, 24, a.Len())
	require.Equal(t, 4, a.Dim(2))
	a.Shape()[0] = 100
	require.Equal(t, []int{2, 3, 4}, a.Shape(), "Shape must not give away the array's own memory")
	require.Panics(t, func() { a.Dim(3) })
	require.PanicsWithError(t, "index out of range [3] with length 3", func() { a.At(1, 3, 0) })
	require.PanicsWithError(t, "index out of range [-1]", func() { a.At(1, 0, -1) })
	require.PanicsWithError(t, "2 indices for an NDArray of rank 3", func() { a.At(1, 1) })
}

// Launching reads any NDArray without knowing its element type.
func TestDeviceAddress(t *testing.T) {
	onEach(t, func(t *testing.T, rt *qd.Runtime) {
		a, b := arrayOf(t, rt, 1, 2), arrayOf(t, rt, 3, 4)
		first, err := a.DeviceAddress()
		if rt.Arch() == qd.Go {
			require.ErrorContains(t, err, "the go arch has no device memory")
			return
		}
		require.NoError(t, err)
		require.NotZero(t, first)
		require.Zero(t, first%64)
		second, err := b.DeviceAddress()
		require.NoError(t, err)
		require.NotEqual(t, first, second)
		require.NoError(t, a.Close())
		_, err = a.DeviceAddress()
		require.ErrorIs(t, err, qd.ErrClosed)
		var none *qd.NDArray[int]
		_, err = none.DeviceAddress()
		require.ErrorContains(t, err, "the array is nil")
	})
}

func TestNDArrayLayoutDoesNotDependOnT(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(qd.NDArray[byte]{}), unsafe.Sizeof(qd.NDArray[particle]{}))
}

func TestNDArrayNotMadeByNew(t *testing.T) {
	var a qd.NDArray[int32]
	require.ErrorContains(t, a.Fill(1), "was not made by NewNDArray")
	var none *qd.NDArray[int32]
	require.ErrorContains(t, none.Fill(1), "the array is nil")
	require.ErrorContains(t, none.Close(), "the array is nil")
	_, err := qd.NewNDArray[int32](nil, 1)
	require.ErrorContains(t, err, "the runtime is nil")
}
