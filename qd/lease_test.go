package qd

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Freeing must happen exactly once, and not while anyone uses the thing.
func TestLeaseFreesOnce(t *testing.T) {
	for range 200 {
		var l lease
		var frees, using int
		var mu sync.Mutex
		free := func() {
			mu.Lock()
			defer mu.Unlock()
			frees++
			require.Zero(t, using)
		}
		l.open()
		var running sync.WaitGroup
		for range 4 {
			running.Go(func() {
				for l.begin() {
					mu.Lock()
					using++
					mu.Unlock()
					mu.Lock()
					using--
					mu.Unlock()
					if l.end() {
						free()
						return
					}
				}
			})
		}
		ok, last := l.close()
		require.True(t, ok)
		if last {
			free()
		}
		running.Wait()
		require.Equal(t, 1, frees)
		ok, _ = l.close()
		require.False(t, ok)
		require.False(t, l.begin())
	}
}
