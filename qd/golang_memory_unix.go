//go:build unix

package qd

import (
	"fmt"
	"syscall"
)

// probeMemory asks the system for memory of this size, and gives it back untouched.
func probeMemory(size int64) error {
	m, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return fmt.Errorf("%w: %d bytes: %w", ErrOutOfMemory, size, err)
	}
	return syscall.Munmap(m)
}
