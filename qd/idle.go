package qd

import "unsafe"

// Each kernel has two launches that it keeps idle between launches, with the uses of the kernel and of the arrays that they have
// begun: the next launch, if it is of the arrays of one of them, begins and ends none. That saves an atomic operation for each begin
// and each end, which would be a good part of what a launch costs. There are two because of arrays that change places from launch to
// launch. Launches that run at the same time as those are pooled, and hold nothing between.
//
// So that Close still frees at once what no launch uses, it marks what is closed, then counts the closing, then looks at the idle
// launches (sweep). A launch goes the other way around: it reads the count, then sees that nothing it uses is marked, then becomes
// idle, then reads the count again. Either it finds that the count has changed, and sweeps too, or the closing finds it idle.

// A turn says which of a kernel's kept launches was the latest, in bit 0, and which is expected next, in bit 1.
type turn uint32

func (t turn) latest() uint32   { return uint32(t) & 1 }
func (t turn) expected() uint32 { return uint32(t) >> 1 }

// take starts a use of the kernel, for a launch with the arguments; nil after Close. keep or drop ends it.
func (k *Kernel) take(words []word) *launch {
	closings := k.rt.closings.Load()
	t := turn(k.turn.Load())
	l := k.kept[t.expected()]
	if !l.busy.CompareAndSwap(false, true) {
		l = k.takeOther(t, nil, words, closings)
	} else if !l.isOf(words) {
		l = k.takeOther(t, l, words, closings)
	}
	if l == nil {
		if !k.lease.begin() {
			return nil
		}
		return k.launches.Get().(*launch)
	}
	if !l.idle {
		if !k.lease.begin() {
			l.busy.Store(false)
			return nil
		}
	} else if k.lease.closed.Load() {
		l.drop()
		return nil
	}
	if now := l.place | l.after<<1; now != uint32(t) {
		k.turn.Store(now)
	}
	l.closings = closings
	return l
}

// takeOther is for where the expected launch is not of the arguments, or nil because it is busy. It is nil where both are busy.
func (k *Kernel) takeOther(t turn, expected *launch, words []word, closings uint64) *launch {
	other := k.kept[1-t.expected()]
	if !other.busy.CompareAndSwap(false, true) {
		return expected
	}
	if expected == nil {
		return other
	}
	l, unused := other, expected
	if !other.isOf(words) && other.place == t.latest() {
		l, unused = expected, other // neither is: the latest stays as it is
	}
	k.kept[t.latest()].after = l.place
	unused.look(closings)
	return l
}

// isOf is false where the launch must begin to use other arrays than it does.
func (l *launch) isOf(words []word) bool {
	all := l.kernel.repacked
	if len(all) != len(words) {
		return true
	}
	for i := range all {
		r, w := &all[i], &words[i]
		if r.size != 0 {
			continue
		}
		if uintptr(w.typ) != r.word.Load() {
			return true // a slice: nothing is kept of it
		}
		if m := l.arrays[i]; m == nil || unsafe.Pointer(m.view) != w.data {
			return false
		}
	}
	return true
}

// keep ends the use of the kernel, or makes the launch idle if it is the one for that. Since take, the launch has looked at every
// array that it holds.
func (l *launch) keep() {
	if !l.isKept {
		l.drop()
		return
	}
	l.idle = true
	l.put(l.closings)
}

// put gives back a launch that is kept and that has looked, since closings was read, at what it uses.
func (l *launch) put(closings uint64) {
	k := l.kernel
	l.busy.Store(false)
	if k.rt.closings.Load() != closings {
		k.sweep()
	}
}

// drop gives back everything that the launch uses.
func (l *launch) drop() {
	k := l.kernel
	l.release()
	if l.isKept {
		l.idle = false
		l.busy.Store(false)
	} else {
		k.launches.Put(l)
	}
	k.end()
}

// sweep lets go of idle launches that use something closed.
func (k *Kernel) sweep() {
	for _, l := range k.kept {
		closings := k.rt.closings.Load()
		if !l.busy.CompareAndSwap(false, true) {
			continue // it is launched now, and looks for itself
		}
		l.look(closings)
	}
}

// look gives back a launch that was taken and not used, and lets go of it if it uses something closed.
func (l *launch) look(closings uint64) {
	if l.idle && (l.kernel.lease.closed.Load() || l.holdsClosed()) {
		l.drop()
		return
	}
	l.put(closings)
}

func (l *launch) holdsClosed() bool {
	for _, m := range l.arrays {
		if m != nil && m.lease.closed.Load() {
			return true
		}
	}
	return false
}

// closed looks at the idle launches after something was marked as closed that may be in use.
func (rt *Runtime) closed() {
	rt.closings.Add(1)
	for _, k := range openOf(rt, rt.kernels) {
		k.sweep()
	}
}
