package qd

import (
	"errors"
	"sync"
	"time"
)

// goQueue is a stream of the Go arch: a goroutine that does what is queued, in order.
type goQueue struct {
	mu            sync.Mutex
	added, passed sync.Cond
	items         []func()
	count, done   uint64 // of items, ever
	closing       bool
	ended         chan struct{}

	failure error  // the first that nobody took
	launch  uint64 // the number of the launch that failed
}

// mostQueued is how many items may be queued before a launch waits for room.
const mostQueued = 1024

func newGoQueue() *goQueue {
	q := &goQueue{ended: make(chan struct{})}
	q.added.L, q.passed.L = &q.mu, &q.mu
	go q.run()
	return q
}

func (q *goQueue) run() {
	defer close(q.ended)
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for len(q.items) == 0 {
			if q.closing {
				return
			}
			q.added.Wait()
		}
		item := q.items[0]
		q.items[0] = nil
		q.items = q.items[1:]
		q.mu.Unlock()
		item()
		q.mu.Lock()
		q.done++
		q.passed.Broadcast()
	}
}

func (q *goQueue) add(item func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.append(item)
}

// addLaunch waits while very much is queued. What is queued ends on its own, since it waits for nothing that comes later.
func (q *goQueue) addLaunch(item func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) >= mostQueued {
		q.passed.Wait()
	}
	q.append(item)
}

func (q *goQueue) append(item func()) {
	q.items = append(q.items, item)
	q.count++
	q.added.Signal()
}

// drain waits for what is queued now.
func (q *goQueue) drain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for wanted := q.count; q.done < wanted; {
		q.passed.Wait()
	}
}

// keep keeps the failure of a launch, unless there is an earlier one.
func (q *goQueue) keep(launch uint64, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil && q.failure == nil {
		q.failure, q.launch = err, launch
	}
}

// take forgets and returns the failure.
func (q *goQueue) take() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	err := q.failure
	q.failure = nil
	return err
}

// failedLaunch is the number of the launch whose failure is kept.
func (q *goQueue) failedLaunch() (uint64, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.launch, q.failure != nil
}

// close lets the goroutine end after its work.
func (q *goQueue) close() {
	q.mu.Lock()
	q.closing = true
	q.added.Signal()
	q.mu.Unlock()
	<-q.ended
}

// takeFailureGo forgets and returns the earliest failure that a stream kept.
func (rt *Runtime) takeFailureGo() error {
	var first *Stream
	var launch uint64
	for _, s := range openOf(rt, rt.streams) {
		if n, failed := s.queue.failedLaunch(); failed && (first == nil || n < launch) {
			first, launch = s, n
		}
	}
	if first == nil {
		return nil
	}
	return first.queue.take()
}

// goEvent is an event of the Go arch.
type goEvent struct {
	mu    sync.Mutex
	point *goPoint // as recorded last; nil: never
}

type goPoint struct {
	reached chan struct{}
	at      time.Time // set before reached is closed
}

func (p *goPoint) reach() {
	p.at = time.Now()
	close(p.reached)
}

// record sets the point. Nobody else learns of it before it is queued: whoever waits for it waits for work that was queued
// earlier, so that waiting can have no cycles.
func (e *goEvent) record(s *Stream) {
	p := &goPoint{reached: make(chan struct{})}
	if s.queue == nil {
		s.rt.stream.Lock()
		defer s.rt.stream.Unlock()
		p.reach()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if s.queue != nil {
		s.queue.add(p.reach)
	}
	e.point = p
}

func (e *goEvent) latest() *goPoint {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.point
}

// wait makes the stream wait for the event.
func (e *goEvent) wait(s *Stream) {
	p := e.latest()
	switch {
	case p == nil:
	case s.queue != nil:
		s.queue.add(func() { <-p.reached })
	default:
		s.rt.stream.Lock()
		defer s.rt.stream.Unlock()
		<-p.reached
	}
}

// sync makes the caller wait for the event.
func (e *goEvent) sync() {
	if p := e.latest(); p != nil {
		<-p.reached
	}
}

// elapsed is the time from one event to this one, after waiting for both.
func (e *goEvent) elapsed(from *goEvent) (time.Duration, error) {
	first, last := from.latest(), e.latest()
	if first == nil || last == nil {
		return 0, errors.New("the event was never recorded")
	}
	<-first.reached
	<-last.reached
	return last.at.Sub(first.at), nil
}
