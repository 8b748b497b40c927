package qd

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Launch runs the kernel after everything launched before. Arguments have exactly the types of the function's parameters: an
// int for an int, a float32 for a float32. A slice parameter takes an *NDArray of its rank, or a Go slice, which the kernel
// uses in place on the CPU and through a copy where it is a slice of slices; then rows must have one length. A wrong argument
// is an error before anything runs; a failure in the running kernel is a *KernelError.
//
// On the CPU the kernel has run when Launch returns. On a GPU it is queued, unless there is a Go slice among the arguments; a
// failure is then one of the next Sync of the runtime or its default stream.
func (k *Kernel) Launch(args ...any) error {
	if !k.lease.begin() {
		return fmt.Errorf("qd: launch %s: the kernel is %w", k.name, ErrClosed)
	}
	err := k.launch(nil, wordsOf(args))
	k.end()
	return err
}

// launch launches on a stream; nil is the default stream.
func (k *Kernel) launch(s *Stream, words []word) error {
	var err error
	if len(words) != len(k.args) {
		err = k.countMismatch(len(words))
	} else if err = k.checkTypes(words); err == nil {
		err = k.checkCopies(words)
	}
	if err == nil {
		l := k.launches.Get().(*launch)
		switch {
		case k.rt.arch == Go && s != nil:
			err = l.queueGo(s, words) // which keeps l until the kernel has run
		case k.rt.arch == Go:
			err = l.runGo(words)
			l.done()
		case s != nil:
			err = l.runOn(s, words)
			l.done()
		default:
			err = l.run(words)
			l.done()
		}
	}
	if err == nil {
		return nil
	}
	if _, ok := err.(*KernelError); ok {
		return err // it says where and in which kernel
	}
	return fmt.Errorf("qd: launch %s: %w", k.name, err)
}

// run launches on a compiled device.
func (l *launch) run(words []word) error {
	var hosts cgo.Hosts
	if err := l.pack(words, &hosts); err != nil {
		return err
	}
	k := l.kernel
	printed, err := k.core.Launch(unsafe.Pointer(unsafe.SliceData(l.packed)), k.size, &hosts)
	if len(l.copies) > 0 {
		if copyErr := l.copyBack(words); err == nil {
			err = copyErr
		}
		if k.rt.arch.queues() { // the launch has run now
			printed = true
			if failure := k.rt.failureOfDefault(); err == nil {
				err = failure
			}
		}
	}
	if printed {
		if flushErr := k.rt.flush(); err == nil {
			err = flushErr
		}
	}
	return k.launchError(err)
}

// failureOfDefault waits for the default stream of a device that queues, and gives the failure that was kept there.
func (rt *Runtime) failureOfDefault() error {
	if err := rt.program.DrainDefault(); err != nil {
		return err
	}
	return rt.program.FailureDefault()
}

// launchError is the error of a launch that the core refused, or that failed.
func (k *Kernel) launchError(err error) error {
	if err == nil {
		return nil
	}
	var e *cgo.Error
	if errors.As(err, &e) && e.Code == cgo.CodeKernel {
		return faultFromCore(e.Kernel, e)
	}
	if errors.As(err, &e) && e.Code == cgo.CodeCompile {
		return k.compileError(e)
	}
	return coreError(err)
}
