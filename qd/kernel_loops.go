package qd

import "iter"

// StreamParallel marks a scope of a kernel. Consecutive scopes form a region and may run at the same time; what comes after
// the region waits for all of them. body must be a function literal, and a kernel that has scopes has nothing else at its top
// level. Two scopes must not write what the other reads or writes, except by atomic operations.
//
// A kernel called as a Go function runs its scopes one after the other. Launched on the Go arch in a program built with
// -race, they run as goroutines.
func StreamParallel(body func()) { runScope(body) }

// NDRange2 iterates over [0, n) × [0, m), the last index fastest: `for i, j := range qd.NDRange2(n, m)`. At the top level of a
// kernel it is a parallel loop.
func NDRange2(n, m int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := range n {
			for j := range m {
				if !yield(i, j) {
					return
				}
			}
		}
	}
}

// NDRange3 iterates over [0, l) × [0, m) × [0, n), the last index fastest: `for p := range qd.NDRange3(l, m, n)`, where p is
// the index. At the top level of a kernel it is a parallel loop.
func NDRange3(l, m, n int) iter.Seq[[3]int] {
	return func(yield func([3]int) bool) {
		for i := range l {
			for j := range m {
				for k := range n {
					if !yield([3]int{i, j, k}) {
						return
					}
				}
			}
		}
	}
}

// LoopOption is what LoopConfig takes: BlockDim, Serialize or Name.
type LoopOption struct {
	blockDim  int
	serialize bool
	name      string
}

// LoopConfig configures the loop that is the next statement. Its arguments are constant. In plain Go it does nothing.
func LoopConfig(options ...LoopOption) {}

// BlockDim is the number of iterations that a GPU block, or a chunk of a CPU worker, takes.
func BlockDim(n int) LoopOption { return LoopOption{blockDim: n} }

// Serialize runs the loop serially, in order, on one thread.
func Serialize() LoopOption { return LoopOption{serialize: true} }

// Name names the loop's task in plans, dumps and profiles.
func Name(name string) LoopOption { return LoopOption{name: name} }
