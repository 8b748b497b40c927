package qd

import (
	"fmt"
	"reflect"
)

// checkElement refuses types that an array cannot hold; the error names what in the type is wrong.
func checkElement(t reflect.Type) error {
	if err := checkPlain(t, t); err != nil {
		return err
	}
	if t.Size() == 0 {
		return fmt.Errorf("an array cannot hold %s, which has no size", t)
	}
	return nil
}

func checkPlain(whole, part reflect.Type) error {
	switch part.Kind() {
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return nil
	case reflect.Array:
		return checkPlain(whole, part.Elem())
	case reflect.Struct:
		for i := range part.NumField() {
			if err := checkPlain(whole, part.Field(i).Type); err != nil {
				return err
			}
		}
		return nil
	}
	const wanted = "elements are integers, bool, float32, float64, qd.Float16, and arrays and structs of these"
	if whole == part {
		return fmt.Errorf("an array cannot hold %s: %s", whole, wanted)
	}
	return fmt.Errorf("an array cannot hold %s, because of the %s in it: %s", whole, part, wanted)
}
