package qd

import "sync/atomic"

// lease guards something that is freed by hand while others may be using it. Close only marks it: the owner's use ends then,
// and whoever ends the last use frees it. Begin and end are one atomic operation each, so a launch can afford them.
type lease struct {
	uses   atomic.Int64 // the owner's counts as one until close
	closed atomic.Bool
}

func (l *lease) open() { l.uses.Store(1) }

// begin starts a use; false after close.
func (l *lease) begin() bool {
	for {
		n := l.uses.Load()
		if n == 0 || l.closed.Load() {
			return false
		}
		if l.uses.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// share starts another use; the caller has one.
func (l *lease) share() { l.uses.Add(1) }

// end ends a use; true if it was the last, and the caller must free.
func (l *lease) end() bool { return l.uses.Add(-1) == 0 }

// close ends the owner's use. ok is false if it was closed before, last as for end.
func (l *lease) close() (ok, last bool) {
	if !l.closed.CompareAndSwap(false, true) {
		return false, false
	}
	return true, l.end()
}
