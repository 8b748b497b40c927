package qd

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// atomicUpdate stores f of the old value in one step and returns the old value.
func atomicUpdate[T Number](p *T, f func(T) T) T {
	switch unsafe.Sizeof(*p) {
	case 8:
		u := (*uint64)(unsafe.Pointer(p))
		for {
			bits := atomic.LoadUint64(u)
			old := *(*T)(unsafe.Pointer(&bits))
			updated := f(old)
			if atomic.CompareAndSwapUint64(u, bits, *(*uint64)(unsafe.Pointer(&updated))) {
				return old
			}
		}
	case 4:
		u := (*uint32)(unsafe.Pointer(p))
		for {
			bits := atomic.LoadUint32(u)
			old := *(*T)(unsafe.Pointer(&bits))
			updated := f(old)
			if atomic.CompareAndSwapUint32(u, bits, *(*uint32)(unsafe.Pointer(&updated))) {
				return old
			}
		}
	}
	// Go has no atomic operations on smaller numbers, and the word around one holds other elements, so lock.
	mu := &smallLocks[uintptr(unsafe.Pointer(p))/16%uintptr(len(smallLocks))]
	mu.Lock()
	defer mu.Unlock()
	old := *p
	*p = f(old)
	return old
}

// smallLocks guards numbers of 8 and 16 bits, chosen by address.
var smallLocks [64]sync.Mutex
