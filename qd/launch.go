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
	words := wordsOf(args)
	l := k.take(words)
	if l == nil {
		return k.closedError()
	}
	done, err := l.repack(words)
	if !done {
		return l.launch(nil, words)
	}
	if err != nil {
		return l.ended(err)
	}
	printed, err := k.core.Launch(unsafe.Pointer(unsafe.SliceData(l.packed)), k.size, &l.call)
	if printed || err != nil {
		return l.ended(k.launchError(k.flushed(printed, err)))
	}
	l.keep()
	return nil
}

func (k *Kernel) closedError() error {
	return fmt.Errorf("qd: launch %s: the kernel is %w", k.name, ErrClosed)
}

// launch launches on a stream; nil is the default stream. It ends the use of the kernel, now or when a queued launch on the Go
// arch has run.
func (l *launch) launch(s *Stream, words []word) error {
	k := l.kernel
	err := k.checkArguments(words)
	switch {
	case err != nil:
		l.drop()
	case k.rt.arch == Go && s != nil:
		err = l.queueGo(s, words)
	case k.rt.arch == Go:
		err = l.runGo(words)
		l.drop()
	case s != nil:
		return l.ended(l.runOn(s, words))
	default:
		return l.ended(l.run(words))
	}
	return k.failedToLaunch(err)
}

// ended ends a launch on a compiled device.
func (l *launch) ended(err error) error {
	k := l.kernel
	if err == nil {
		l.freeCopies()
		l.keep()
		return nil
	}
	l.drop()
	return k.failedToLaunch(err)
}

// failedToLaunch is what Launch and LaunchOn return.
func (k *Kernel) failedToLaunch(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := err.(*KernelError); ok {
		return err // it says where and in which kernel
	}
	return fmt.Errorf("qd: launch %s: %w", k.name, err)
}

// flushed writes what a launch printed.
func (k *Kernel) flushed(printed bool, err error) error {
	if printed {
		if flushErr := k.rt.flush(); err == nil {
			err = flushErr
		}
	}
	return err
}

func (k *Kernel) checkArguments(words []word) error {
	if len(words) != len(k.args) {
		return k.countMismatch(len(words))
	}
	if err := k.checkTypes(words); err != nil {
		return err
	}
	return k.checkCopies(words)
}

// run launches on a compiled device.
func (l *launch) run(words []word) error {
	var hosts cgo.Hosts
	if err := l.pack(words, &hosts); err != nil {
		return err
	}
	k := l.kernel
	printed, err := k.core.LaunchOnHost(unsafe.Pointer(unsafe.SliceData(l.packed)), k.size, &hosts, &l.call)
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
	return k.launchError(k.flushed(printed, err))
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
