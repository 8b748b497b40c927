// Package differential runs every kernel of tests/kernels in plain Go and on each device, and compares.
package differential

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
	"github.com/quadrants-go/quadrants/tests/devices"
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

func TestDevicesAgreeWithPlainGo(t *testing.T) {
	type open struct {
		name string
		rt   *qd.Runtime
		none error
	}
	var opened []open
	for _, d := range append(devices.All(), devices.Device{Name: "cpu-unchecked", Config: qd.Config{Arch: qd.CPU, Unchecked: true}}) {
		rt, err := d.Open()
		if !errors.Is(err, qd.ErrNoDevice) {
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, rt.Close()) })
		}
		opened = append(opened, open{d.Name, rt, err})
	}
	for _, c := range kernels.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			want := c.Args()
			in := make([]reflect.Value, len(want))
			for i, a := range want {
				in[i] = reflect.ValueOf(a)
			}
			reflect.ValueOf(c.Kernel).Call(in)
			for _, d := range opened {
				t.Run(d.name, func(t *testing.T) {
					if d.rt == nil {
						t.Skipf("no such device here: %v", d.none)
					}
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
