package qd

import (
	"fmt"
	"unsafe"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// LaunchOn is Launch on a stream, and returns when the launch is queued. Values among the arguments are copied, and arrays may be
// closed, before it runs. What is wrong with the launch itself is an error now; a failure in the running kernel is one of the
// stream's next Sync. Where very much is queued already, LaunchOn waits for some of it to be done.
//
// A Go slice among the arguments is lent to the kernel for the time of the call only. So LaunchOn then waits for the stream, as
// Sync does, and returns a failure that this or an earlier launch left there.
func (k *Kernel) LaunchOn(s *Stream, args ...any) error {
	words := wordsOf(args)
	l := k.take(words)
	if l == nil {
		return k.closedError()
	}
	if err := s.begin(); err != nil {
		l.drop()
		return fmt.Errorf("qd: launch %s: %w", k.name, err)
	}
	defer s.end()
	if s.rt != k.rt {
		l.drop()
		return fmt.Errorf("qd: launch %s: the stream belongs to another runtime (%s) than the kernel (%s)", k.name, s.rt.arch, k.rt.arch)
	}
	on := s
	if s.isDefault() {
		on = nil
	}
	if on == nil {
		return l.launch(nil, words)
	}
	done, err := l.repack(words)
	if !done {
		return l.launch(on, words)
	}
	if err != nil {
		return l.ended(err)
	}
	return l.ended(k.launchError(k.core.LaunchOn(on.core, unsafe.Pointer(unsafe.SliceData(l.packed)), k.size, &l.call)))
}

// runOn queues the launch on a stream of a compiled device.
func (l *launch) runOn(s *Stream, words []word) error {
	var hosts cgo.Hosts
	if err := l.pack(words, &hosts); err != nil {
		return err
	}
	k := l.kernel
	err := k.core.LaunchOnHostOn(s.core, unsafe.Pointer(unsafe.SliceData(l.packed)), k.size, &hosts, &l.call)
	if hosts.Empty() && len(l.copies) == 0 {
		return k.launchError(err)
	}
	if err == nil && hosts.Empty() {
		if err = s.core.Drain(); err == nil {
			err = s.core.Failure()
		}
	}
	if len(l.copies) > 0 {
		if copyErr := l.copyBack(words); err == nil {
			err = copyErr
		}
	}
	if flushErr := k.rt.flush(); err == nil {
		err = flushErr
	}
	return k.launchError(err)
}

// queueGo queues the launch on a stream of the Go arch, and drops l when it no longer needs it.
func (l *launch) queueGo(s *Stream, words []word) error {
	k := l.kernel
	values, err := l.goValues(words)
	if err != nil {
		l.drop()
		return err
	}
	number := k.rt.launches.Add(1)
	if !k.lendsSlices(words) {
		s.queue.addLaunch(func() {
			s.queue.keep(number, k.callGo(values, number))
			l.drop()
		})
		return nil
	}
	shared := k.detachShared(words, values)
	s.queue.addLaunch(func() { s.queue.keep(number, k.callGo(values, number)) })
	s.queue.drain()
	k.restoreAll(words, values, shared)
	l.drop()
	return s.queue.take()
}

// lendsSlices tells whether there is a Go slice among the arguments.
func (k *Kernel) lendsSlices(words []word) bool {
	for i := range k.params {
		if k.takesSlice(&k.params[i], words) {
			return true
		}
	}
	return false
}

// takesSlice tells whether the parameter is given a Go slice, not an NDArray.
func (k *Kernel) takesSlice(p *parameter, words []word) bool {
	return p.Kind == frontend.Slice && !(p.Field == nil && k.args[p.Arg].takesArray(&words[p.Arg]))
}
