package qd

// Each kernel has one launch that it keeps idle between launches, with the uses of the kernel and of the arrays that it has begun:
// the next launch, if it is of the same arrays, begins and ends none. That saves an atomic operation for each begin and each end,
// which would be a good part of what a launch costs. Launches that run at the same time as that one are pooled, and hold nothing
// between.
//
// So that Close still frees at once what no launch uses, it marks what is closed, then counts the closing, then looks at the idle
// launches (sweep). A launch goes the other way around: it reads the count, then sees that nothing it uses is marked, then becomes
// idle, then reads the count again. Either it finds that the count has changed, and sweeps too, or the closing finds it idle.

// take starts a use of the kernel; nil after Close. keep or drop ends it.
func (k *Kernel) take() *launch {
	closings := k.rt.closings.Load()
	l := k.first
	if !l.busy.CompareAndSwap(false, true) {
		if !k.lease.begin() {
			return nil
		}
		l = k.launches.Get().(*launch)
	} else if !l.idle {
		if !k.lease.begin() {
			l.busy.Store(false)
			return nil
		}
	} else if k.lease.closed.Load() {
		l.drop()
		return nil
	}
	l.closings = closings
	return l
}

// keep ends the use of the kernel, or makes the launch idle if it is the one for that. Since take, the launch has looked at every
// array that it holds.
func (l *launch) keep() {
	k, closings := l.kernel, l.closings
	if l != k.first {
		l.drop()
		return
	}
	l.idle = true
	l.busy.Store(false)
	if k.rt.closings.Load() != closings {
		k.sweep()
	}
}

// drop gives back everything that the launch uses.
func (l *launch) drop() {
	k := l.kernel
	l.release()
	if l == k.first {
		l.idle = false
		l.busy.Store(false)
	} else {
		k.launches.Put(l)
	}
	k.end()
}

// sweep lets go of an idle launch that uses something closed.
func (k *Kernel) sweep() {
	closings := k.rt.closings.Load()
	l := k.first
	if !l.busy.CompareAndSwap(false, true) {
		return // it is launched now, and looks for itself
	}
	switch {
	case !l.idle:
		l.busy.Store(false)
	case k.lease.closed.Load() || l.holdsClosed():
		l.drop()
	default:
		l.closings = closings
		l.keep()
	}
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
