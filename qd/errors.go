package qd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Errors to test for with errors.Is.
var (
	ErrNoDevice    = errors.New("no usable device")
	ErrClosed      = errors.New("already closed")
	ErrDeviceLost  = errors.New("the device is lost")
	ErrOutOfMemory = errors.New("out of memory")
)

// coreError gives a failure of the core its place among this package's errors. The caller wraps it with what it was doing.
func coreError(err error) error {
	if err == nil {
		return nil
	}
	var e *cgo.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case cgo.CodeOutOfMemory:
		return fmt.Errorf("%w%s", ErrOutOfMemory, strings.TrimPrefix(e.Message, ErrOutOfMemory.Error()))
	case cgo.CodeNoDevice:
		return fmt.Errorf("%w: %s", ErrNoDevice, e.Message)
	case cgo.CodeDeviceLost:
		return fmt.Errorf("%w: %s", ErrDeviceLost, e.Message)
	case cgo.CodeClosed:
		return fmt.Errorf("%w: %s", ErrClosed, e.Message)
	case cgo.CodeInternal:
		return fmt.Errorf("internal error, please report it: %s", e.Message)
	}
	return e
}
