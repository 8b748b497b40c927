//go:build race

package qd

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Under the race detector the scopes of a launch must really be concurrent, or it sees nothing.
func TestScopesOverlap(t *testing.T) {
	g := &goLaunch{scopes: new(scopeGroup)}
	first, second := make(chan uint64), make(chan uint64)
	g.within(func() {
		StreamParallel(func() {
			first <- goroutine()
			<-second
		})
		StreamParallel(func() {
			other := <-first
			second <- other
			if other == goroutine() {
				t.Error("both scopes run on one goroutine")
			}
		})
	})
	require.Nil(t, g.scopes.join())
}

func TestScopePanicReachesTheLaunch(t *testing.T) {
	g := &goLaunch{scopes: new(scopeGroup)}
	g.within(func() {
		StreamParallel(func() { panic("from a scope") })
	})
	p := g.scopes.join()
	require.NotNil(t, p)
	require.Equal(t, "from a scope", p.message())
}
