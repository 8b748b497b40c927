package qd

// The atomic functions read, update and write *p in one step and return the old value. p points to an element of an array
// or to a local variable. They order nothing else. In plain Go they are real atomic operations too.

// AtomicAdd adds v.
func AtomicAdd[T Number](p *T, v T) T { return atomicUpdate(p, func(x T) T { return x + v }) }

// AtomicSub subtracts v.
func AtomicSub[T Number](p *T, v T) T { return atomicUpdate(p, func(x T) T { return x - v }) }

// AtomicMul multiplies by v.
func AtomicMul[T Number](p *T, v T) T { return atomicUpdate(p, func(x T) T { return x * v }) }

// AtomicMin stores the smaller of the value and v, NaN if either is.
func AtomicMin[T Number](p *T, v T) T { return atomicUpdate(p, func(x T) T { return min(x, v) }) }

// AtomicMax stores the larger of the value and v, NaN if either is.
func AtomicMax[T Number](p *T, v T) T { return atomicUpdate(p, func(x T) T { return max(x, v) }) }

// AtomicAnd stores the bits that both have.
func AtomicAnd[T Integer](p *T, v T) T { return atomicUpdate(p, func(x T) T { return x & v }) }

// AtomicOr stores the bits that either has.
func AtomicOr[T Integer](p *T, v T) T { return atomicUpdate(p, func(x T) T { return x | v }) }

// AtomicXor stores the bits that one of both has.
func AtomicXor[T Integer](p *T, v T) T { return atomicUpdate(p, func(x T) T { return x ^ v }) }

// AtomicAndNot clears the bits that v has.
func AtomicAndNot[T Integer](p *T, v T) T { return atomicUpdate(p, func(x T) T { return x &^ v }) }

// AtomicExchange stores v.
func AtomicExchange[T Number](p *T, v T) T { return atomicUpdate(p, func(T) T { return v }) }

// AtomicCompareAndSwap stores desired if the value is expected.
func AtomicCompareAndSwap[T Integer](p *T, expected, desired T) T {
	return atomicUpdate(p, func(x T) T {
		if x == expected {
			return desired
		}
		return x
	})
}
