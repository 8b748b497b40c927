package qd

import "sync"

// runScope runs a StreamParallel scope: at once, or beside the other scopes of a launch that wants the race detector to see
// them overlap.
func runScope(body func()) {
	if raceEnabled {
		if g := currentLaunch(); g != nil && g.scopes != nil {
			g.scopes.start(g, body)
			return
		}
	}
	body()
}

// scopeGroup is the scopes of one launch while they run as goroutines. A kernel with scopes has nothing else at its top level,
// so they need to be joined only once, at its end.
type scopeGroup struct {
	running sync.WaitGroup
	mu      sync.Mutex
	failed  *goPanic // the first
}

func (s *scopeGroup) start(g *goLaunch, body func()) {
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		g.within(func() {
			defer func() {
				if p := catch(recover()); p != nil {
					s.mu.Lock()
					defer s.mu.Unlock()
					if s.failed == nil {
						s.failed = p
					}
				}
			}()
			body()
		})
	}()
}

// join waits for all scopes and gives the first panic among them.
func (s *scopeGroup) join() *goPanic {
	s.running.Wait()
	return s.failed
}
