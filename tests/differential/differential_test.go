// Package differential runs every kernel of tests/kernels in plain Go and on each device, and compares.
package differential

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
	"github.com/quadrants-go/quadrants/tests/kernels"
)

// close reports whether two results agree; floats may differ by ulps.
func agree(want, got reflect.Value, ulps float64, path string) error {
	switch want.Kind() {
	case reflect.Slice, reflect.Array:
		if want.Len() != got.Len() {
			return fmt.Errorf("%s: length %d, want %d", path, got.Len(), want.Len())
		}
		for i := range want.Len() {
			if err := agree(want.Index(i), got.Index(i), ulps, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
		for i := range want.NumField() {
			if err := agree(want.Field(i), got.Field(i), ulps, path+"."+want.Type().Field(i).Name); err != nil {
				return err
			}
		}
		return nil
	case reflect.Float32, reflect.Float64:
		a, b := want.Float(), got.Float()
		if a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b {
			return nil
		}
		unit := math.Abs(math.Nextafter(a, math.Inf(1)) - a)
		if want.Kind() == reflect.Float32 {
			unit = float64(float32(math.Nextafter32(float32(math.Abs(a)), float32(math.Inf(1)))) - float32(math.Abs(a)))
		}
		if ulps > 0 && math.Abs(a-b) <= ulps*unit {
			return nil
		}
		return fmt.Errorf("%s: %v, want %v", path, b, a)
	case reflect.Bool:
		if want.Bool() != got.Bool() {
			return fmt.Errorf("%s: %v, want %v", path, got, want)
		}
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if want.Int() != got.Int() {
			return fmt.Errorf("%s: %v, want %v", path, got, want)
		}
		return nil
	default:
		if want.Uint() != got.Uint() {
			return fmt.Errorf("%s: %v, want %v", path, got, want)
		}
		return nil
	}
}

func device(t *testing.T, config qd.Config) *qd.Runtime {
	rt, err := qd.Open(config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	return rt
}

func TestDevicesAgreeWithPlainGo(t *testing.T) {
	devices := []struct {
		name string
		rt   *qd.Runtime
	}{
		{"go", device(t, qd.Config{Arch: qd.Go})},
		{"cpu1", device(t, qd.Config{Arch: qd.CPU, Threads: 1})},
		{"cpuN", device(t, qd.Config{Arch: qd.CPU, Threads: max(4, runtime.NumCPU())})},
		{"cpu-unchecked", device(t, qd.Config{Arch: qd.CPU, Unchecked: true})},
	}
	for _, c := range kernels.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			want := c.Args()
			in := make([]reflect.Value, len(want))
			for i, a := range want {
				in[i] = reflect.ValueOf(a)
			}
			reflect.ValueOf(c.Kernel).Call(in)
			for _, d := range devices {
				t.Run(d.name, func(t *testing.T) {
					k, err := qd.NewKernel(d.rt, c.Kernel)
					require.NoError(t, err)
					defer k.Close()
					for range 2 { // the second launch must not see anything of the first
						got := c.Args()
						require.NoError(t, k.Launch(got...))
						for i := range want {
							require.NoError(t, agree(reflect.ValueOf(want[i]), reflect.ValueOf(got[i]), c.Ulps, fmt.Sprintf("argument %d", i)))
						}
					}
				})
			}
		})
	}
}
